// Device: something an Engine can be loaded onto. Move-only; a default-constructed or moved-from Device is empty and
// its getters throw poplar::poplar_error.
#pragma once
#include <poplar/Target.hpp>

namespace popscope {
struct DeviceData;
struct DeviceAccess;
} // namespace popscope

namespace poplar {

class Device {
public:
  Device();
  ~Device();
  Device(Device &&) noexcept;
  Device &operator=(Device &&) noexcept;
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  static Device createCPUDevice();
  static Device createCPUDevice(unsigned numIPUs);
  /// A device that simulates `target`. No options exist; any one throws poplar::invalid_option.
  static Device createSimulatorDevice(const Target &target, const OptionFlags &options = {});
  /// The same device with only the first tiles of each IPU; this one becomes empty.
  Device createVirtualDevice(unsigned tilesPerIPU);

  unsigned getId() const;
  const Target &getTarget() const;
  /// Takes the device for this program. False when it, or a device that shares an IPU with it, is attached already.
  bool attach() const;
  void detach() const;
  bool isAttached() const;
  /// There is no driver: 0.0.0.
  void getDriverVersion(unsigned &major, unsigned &minor, unsigned &point) const;
  bool supportsRemoteBuffers() const;
  bool hasRemoteBuffers() const;
  bool hasGateway() const;
  std::vector<unsigned> getDriverIDs() const;
  int getNumaNode() const;                          // -1: unknown
  std::vector<int> getNumaTopology() const;         // -1 (unknown) for each IPU
  std::vector<int> getNumaNodesUsedForIPUs() const; // the same
  void reset() const; // does nothing: there is no state beside that of engines; what is attached stays so
  std::map<std::string, std::string> getAttributes() const;

private:
  friend struct popscope::DeviceAccess;
  popscope::DeviceData &data() const;
  std::unique_ptr<popscope::DeviceData> data_;
};

} // namespace poplar
