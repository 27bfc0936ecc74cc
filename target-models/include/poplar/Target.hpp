// Target: the machine for which a graph is compiled. A Target is cheap to copy, because copies share the same constant
// data. The getters of a default-constructed Target throw poplar::poplar_error.
#pragma once
#include <poplar/OptionFlags.hpp>
#include <poplar/TargetType.hpp>
#include <poplar/Type.hpp>

#include <limits>

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

/// Flows that share one link. `bandwidth` is in bits per second.
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
  /// Returns true if all properties are equal.
  bool operator==(const Target &other) const;
  bool operator!=(const Target &other) const;
  /// Compares in a total order, which stays the same within a process.
  bool operator<(const Target &other) const;
  std::size_t hash() const;

  /// Returns an IPU target. `systemType` is "ipu1", "ipu2", "ipu21" or the name of a system such as "IPU-POD16".
  /// Without `tilesPerIPU`, each IPU has all its tiles. The options are gatewayMode, syncConfiguration,
  /// ipuLinkConfiguration, ipuLinkTopology, ipuLinkDomainSize and instanceSize; POPLAR_TARGET_OPTIONS overrides these
  /// options. Throws poplar::invalid_machine_model for an unknown system, for 0 IPUs or tiles, for more tiles than an
  /// IPU of the system has, and for more than 2^24 tiles in all. Throws poplar::invalid_option for an unknown option or
  /// a bad value.
  static Target createIPUTarget(unsigned numIPUs, StringRef systemType, const OptionFlags &opts = {});
  static Target createIPUTarget(unsigned numIPUs, unsigned tilesPerIPU, StringRef systemType,
                                const OptionFlags &opts = {});
  /// Returns a CPU target of `numIPUs` IPUs with one tile each. Throws poplar::invalid_machine_model for 0 IPUs.
  static Target createCPUTarget(bool accurateHalf = false, unsigned numIPUs = 1);
  /// Returns a target with the first `numIPUs` IPUs and the first `tilesPerIPU` tiles of each. Throws
  /// poplar::invalid_machine_model for 0 IPUs or tiles, and if this target has fewer IPUs or fewer tiles per IPU.
  Target createVirtualTarget(unsigned numIPUs, unsigned tilesPerIPU) const;

  TargetType getTargetType() const;
  StringRef getTargetSystemString() const;
  StringRef getTargetArchString() const;
  unsigned getNumIPUs() const;
  unsigned getTilesPerIPU() const;
  unsigned getNumTiles() const;
  unsigned getNumWorkerContexts() const;
  double getTileClockFrequency() const; // Hz

  // Memory sizes in bytes.
  unsigned getBytesPerTile() const;
  std::uint64_t getMemoryBytes() const; // over all tiles
  std::size_t getTypeSize(const Type &type) const;
  std::size_t getAtomicStoreGranularity() const;
  /// Returns the absolute address of each memory element, in ascending order.
  const std::vector<unsigned> &getMemoryElementOffsets() const;
  /// Returns the index in getMemoryElementOffsets() of the first interleaved element. Without interleaved memory,
  /// returns the number of elements.
  unsigned getInterleavedMemoryElementIndex() const;
  /// Returns two numbers: the memory of a tile divided by the size of its first memory element, and this size in bytes.
  /// The first number is the number of memory elements if all elements have the same size.
  std::tuple<unsigned, unsigned> getBankInfo() const;

  // Exchange and synchronisation. Delays are in cycles.
  unsigned getExchangeBytesPerCycle() const;
  unsigned getMemcpyBytesPerCycle() const;
  bool supportsExchangeBusSharing() const;
  unsigned getTilesPerSharedExchangeBus() const;
  unsigned getNumMultiplexers() const; // number of incoming multiplexers of one IPU: one per tile
  unsigned getMinIPUSyncDelay() const;
  unsigned getMaxIPUSyncDelay() const;
  double getGlobalSyncCycles() const;
  const std::vector<GlobalExchangeConstraint> &getGlobalExchangeConstraints() const;

  // Vectors and convolution units. Widths are in elements unless stated otherwise.
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
  /// Returns the number of convolution units of a tile that multiply values of type `in` and produce partial sums of
  /// type `partial`. Throws poplar::type_error for a pair of types that no unit supports.
  unsigned getNumConvUnits(const Type &in, const Type &partial) const;
  unsigned getConvUnitCoeffLoadBytesPerCycle() const;
  unsigned getWeightsPerConvUnit(bool floatActivations) const;
  unsigned getWeightsPerConvUnit(const Type &type) const;

  // The floating-point control register.
  std::uint32_t makeFpIctlValue(bool inv, bool div0, bool oflo, bool esr, bool nanoo) const;
  unsigned getFpIctlRegIndex() const;
  unsigned getDbgDataRegIndex() const;

  /// The following four functions return the largest or the lowest finite value of a type. If this value is above the
  /// range of T, the function returns the largest value of T. If this value is below the range of T, the function
  /// returns the lowest value of T. Throws poplar::type_error for a type without limits.
  double getTypeLimitsMaxAs(const Type &type) const;
  double getTypeLimitsLowestAs(const Type &type) const;
  template <class T> T getTypeLimitsMaxAs(const Type &type) const { return within<T>(limitMax(type)); }
  template <class T> T getTypeLimitsLowestAs(const Type &type) const { return within<T>(limitLowest(type)); }

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
  template <class T> static T within(long double limit) {
    static_assert(std::numeric_limits<T>::is_specialized, "T is no number");
    return limit >= static_cast<long double>(std::numeric_limits<T>::max())      ? std::numeric_limits<T>::max()
           : limit <= static_cast<long double>(std::numeric_limits<T>::lowest()) ? std::numeric_limits<T>::lowest()
                                                                                 : static_cast<T>(limit);
  }
  long double limitMax(const Type &type) const;
  long double limitLowest(const Type &type) const;
  std::shared_ptr<const popscope::TargetData> data_;
};

/// Prints the kind, the architecture, the number of IPUs and the number of tiles per IPU, without a line end. For a
/// default-constructed Target, prints "no target".
std::ostream &operator<<(std::ostream &os, const Target &target);

/// The following four functions convert between host numbers and the device's 16-bit half. Conversions to half round to
/// nearest even. `src` and `dst` point to numElements elements.
void copyFloatToDeviceHalf(const Target &target, const float *src, void *dst, std::size_t numElements);
void copyDoubleToDeviceHalf(const Target &target, const double *src, void *dst, std::size_t numElements);
void copyDeviceHalfToFloat(const Target &target, const void *src, float *dst, std::size_t numElements);
void copyDeviceHalfToDouble(const Target &target, const void *src, double *dst, std::size_t numElements);

} // namespace poplar

namespace std {
template <> struct hash<poplar::Target> { size_t operator()(const poplar::Target &target) const; };
} // namespace std
