// Target: the machine for which a graph is compiled. A cheap copyable value over shared, constant facts. A
// default-constructed Target names no machine: its getters throw poplar::poplar_error.
#pragma once
#include <poplar/OptionFlags.hpp>
#include <poplar/TargetType.hpp>
#include <poplar/Type.hpp>

namespace popscope {
struct TargetData;
struct TargetAccess;
} // namespace popscope

namespace poplar {

enum class IpuLinkTopology { Mesh, Torus };
enum class IpuLinkConfiguration { Default, BarleyTwist, SlidingWindow };
enum class GatewayMode { Disabled, Enabled };

/// Data that goes from IPU `src` to IPU `dst`.
struct GlobalExchangeFlow {
  unsigned src, dst;
  GlobalExchangeFlow() : src(0), dst(0) {}
  GlobalExchangeFlow(unsigned source, unsigned destination) : src(source), dst(destination) {}
};

/// Flows that share one link of `bandwidth` bits per second.
struct GlobalExchangeConstraint {
  double bandwidth;
  std::vector<GlobalExchangeFlow> flows;
  GlobalExchangeConstraint() : bandwidth(0) {}
  GlobalExchangeConstraint(double bitsPerSecond, std::vector<GlobalExchangeFlow> sharing)
      : bandwidth(bitsPerSecond), flows(std::move(sharing)) {}
};

bool operator<(const GlobalExchangeFlow &a, const GlobalExchangeFlow &b);
bool operator==(const GlobalExchangeFlow &a, const GlobalExchangeFlow &b);
bool operator!=(const GlobalExchangeFlow &a, const GlobalExchangeFlow &b);
bool operator<(const GlobalExchangeConstraint &a, const GlobalExchangeConstraint &b);
bool operator==(const GlobalExchangeConstraint &a, const GlobalExchangeConstraint &b);
bool operator!=(const GlobalExchangeConstraint &a, const GlobalExchangeConstraint &b);

class Target {
public:
  Target();
  ~Target();
  Target(const Target &);
  Target(Target &&) noexcept;
  Target &operator=(const Target &);
  Target &operator=(Target &&) noexcept;
  /// Returns true if all properties are equal. The order of targets is total and stable within a process.
  bool operator==(const Target &other) const;
  bool operator!=(const Target &other) const;
  bool operator<(const Target &other) const;
  std::size_t hash() const;

  /// Returns an IPU target. `systemType`: "ipu1", "ipu2", "ipu21" or a system's name such as "IPU-POD16". Options:
  /// gatewayMode, syncConfiguration, ipuLinkConfiguration, ipuLinkTopology, ipuLinkDomainSize and instanceSize, which
  /// POPLAR_TARGET_OPTIONS overrides. Throws poplar::invalid_machine_model for an unknown system or for 0 IPUs or
  /// tiles, and poplar::invalid_option for an unknown option or a bad value.
  static Target createIPUTarget(unsigned numIPUs, StringRef systemType, const OptionFlags &opts = {});
  static Target createIPUTarget(unsigned numIPUs, unsigned tilesPerIPU, StringRef systemType,
                                const OptionFlags &opts = {});
  /// Returns a CPU target, with one tile per device.
  static Target createCPUTarget(bool accurateHalf = false, unsigned numIPUs = 1);
  /// Returns the first IPUs and the first tiles of each. Throws poplar::invalid_machine_model if there are fewer.
  Target createVirtualTarget(unsigned numIPUs, unsigned tilesPerIPU) const;

  TargetType getTargetType() const;
  StringRef getTargetSystemString() const;
  StringRef getTargetArchString() const;
  unsigned getNumIPUs() const;
  unsigned getTilesPerIPU() const;
  unsigned getNumTiles() const;
  unsigned getNumWorkerContexts() const;
  double getTileClockFrequency() const; // Hz

  // Memory, in bytes.
  unsigned getBytesPerTile() const;
  std::uint64_t getMemoryBytes() const; // of all tiles
  std::size_t getTypeSize(const Type &type) const;
  std::size_t getAtomicStoreGranularity() const;
  /// Returns the absolute address of each memory element, ascending.
  const std::vector<unsigned> &getMemoryElementOffsets() const;
  /// Returns the index in getMemoryElementOffsets() of the first interleaved element.
  unsigned getInterleavedMemoryElementIndex() const;
  /// Returns the number of memory elements and the bytes of one; interleaved elements count once.
  std::tuple<unsigned, unsigned> getBankInfo() const;

  // Exchange and synchronisation; delays in cycles.
  unsigned getExchangeBytesPerCycle() const;
  unsigned getMemcpyBytesPerCycle() const;
  bool supportsExchangeBusSharing() const;
  unsigned getTilesPerSharedExchangeBus() const;
  unsigned getNumMultiplexers() const; // incoming multiplexers of one IPU: one per tile
  unsigned getMinIPUSyncDelay() const;
  unsigned getMaxIPUSyncDelay() const;
  double getGlobalSyncCycles() const;
  const std::vector<GlobalExchangeConstraint> &getGlobalExchangeConstraints() const;

  // Vectors and convolution units; widths in elements unless said otherwise.
  unsigned getDataPathWidth() const; // bits
  unsigned getFloatVectorWidth() const;
  unsigned getHalfVectorWidth() const;
  unsigned getQuarterVectorWidth() const;
  unsigned getVectorWidth(const Type &type) const;
  unsigned getNumStrideBits() const;
  unsigned getRptCountMax() const;
  unsigned getFp8ConvUnitMaxPipelineDepth() const;
  unsigned getFp16ConvUnitMaxPipelineDepth() const;
  unsigned getFp32ConvUnitMaxPipelineDepth() const;
  unsigned getConvUnitMaxPipelineDepth(Type type) const;
  unsigned getFp8ConvUnitInputLoadElemsPerCycle() const;
  unsigned getFp16ConvUnitInputLoadElemsPerCycle() const;
  unsigned getFp32ConvUnitInputLoadElemsPerCycle() const;
  unsigned getConvUnitInputLoadElemsPerCycle(bool floatActivations) const;
  unsigned getConvUnitInputLoadElemsPerCycle(const Type &type) const;
  unsigned getFp8InFp16OutConvUnitsPerTile() const;
  unsigned getFp16InFp16OutConvUnitsPerTile() const;
  unsigned getFp16InFp32OutConvUnitsPerTile() const;
  unsigned getFp32InFp32OutConvUnitsPerTile() const;
  /// Returns the number of units. Throws poplar::type_error for a pair that no unit supports.
  unsigned getNumConvUnits(const Type &in, const Type &partial) const;
  unsigned getConvUnitCoeffLoadBytesPerCycle() const;
  unsigned getWeightsPerConvUnit(bool floatActivations) const;
  unsigned getWeightsPerConvUnit(const Type &type) const;

  // Floating-point control register.
  std::uint32_t makeFpIctlValue(bool inv, bool div0, bool oflo, bool esr, bool nanoo) const;
  unsigned getFpIctlRegIndex() const;
  unsigned getDbgDataRegIndex() const;

  /// Returns the largest finite value of a type; the next function returns the lowest. Both throw poplar::type_error
  /// for a type without limits.
  double getTypeLimitsMaxAs(const Type &type) const;
  double getTypeLimitsLowestAs(const Type &type) const;
  template <class T> T getTypeLimitsMaxAs(const Type &type) const { return static_cast<T>(limitMax(type)); }
  template <class T> T getTypeLimitsLowestAs(const Type &type) const { return static_cast<T>(limitLowest(type)); }

  // The system around the IPUs.
  unsigned getIpuLinkDomainSize() const;
  IpuLinkTopology getIpuLinkTopology() const;
  IpuLinkConfiguration getIpuLinkConfiguration() const;
  bool getGatewayMode() const;
  unsigned getInstanceSize() const;
  OptionFlags getTargetOptions() const;

private:
  friend struct popscope::TargetAccess;
  const popscope::TargetData &data() const;
  long double limitMax(const Type &type) const;
  long double limitLowest(const Type &type) const;
  std::shared_ptr<const popscope::TargetData> data_;
};

/// Prints one line: kind, architecture, IPUs, tiles.
std::ostream &operator<<(std::ostream &os, const Target &target);

/// Converts host numbers to the device's 16-bit half and back, rounded to nearest even. `dst` and `src` hold
/// numElements elements.
void copyFloatToDeviceHalf(const Target &target, const float *src, void *dst, std::size_t numElements);
void copyDoubleToDeviceHalf(const Target &target, const double *src, void *dst, std::size_t numElements);
void copyDeviceHalfToFloat(const Target &target, const void *src, float *dst, std::size_t numElements);
void copyDeviceHalfToDouble(const Target &target, const void *src, double *dst, std::size_t numElements);

} // namespace poplar

namespace std {
template <> struct hash<poplar::Target> { size_t operator()(const poplar::Target &target) const; };
} // namespace std
