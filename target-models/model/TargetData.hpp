// What a poplar::Target and a poplar::Device share behind their public faces.
#pragma once
#include "target-models/model/PublicTarget.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Target options as parsed (TargetOptions.cpp holds their table).
struct TargetOptions {
  bool gateway = false;
  std::string syncConfiguration;
  poplar::IpuLinkConfiguration linkConfiguration = poplar::IpuLinkConfiguration::Default;
  poplar::IpuLinkTopology linkTopology = poplar::IpuLinkTopology::Mesh;
  std::uint32_t linkDomainSize = 0; // IPUs; 0 = all of the target
  std::uint32_t instanceSize = 0;   // IPUs; 0 = all of the target
  poplar::OptionFlags flags;        // as given, environment included
};

/// Throws poplar::invalid_option.
TargetOptions parseTargetOptions(const poplar::OptionFlags &flags);
/// `flags` with those of POPLAR_TARGET_OPTIONS over them.
poplar::OptionFlags withEnvironment(const poplar::OptionFlags &flags);

struct TargetData {
  TileMachine machine;
  std::string system;
  TargetOptions options;
  std::vector<poplar::GlobalExchangeConstraint> constraints;
  std::string identity; // all of the above as text: equal texts, equal targets
};

struct TargetAccess {
  static const TargetData &data(const poplar::Target &target) { return target.data(); }
  static poplar::Target make(std::shared_ptr<const TargetData> data) {
    poplar::Target target;
    target.data_ = std::move(data);
    return target;
  }
};

/// The IPUs [first, first + count) of the simulated system. The system is one for the whole process, as hardware would
/// be: an IPU is held by one device at a time, whichever object or manager it came from.
struct SystemIpus {
  unsigned first = 0, count = 0; // 0 = not of the system: nobody else can hold it
  /// False when any of them is held. Thread-safe.
  [[nodiscard]] bool claim() const;
  void release() const;
};

struct DeviceData {
  poplar::Target target;
  unsigned id = 0;
  SystemIpus ipus;
  bool attached = false;

  DeviceData() = default;
  DeviceData(const DeviceData &) = delete;
  DeviceData &operator=(const DeviceData &) = delete;
  ~DeviceData() {
    if (attached)
      ipus.release();
  }
};

struct DeviceAccess {
  static poplar::Device make(std::unique_ptr<DeviceData> data) {
    poplar::Device device;
    device.data_ = std::move(data);
    return device;
  }
};

/// As makeDevice, for IPUs of the simulated system.
poplar::Device makeSystemDevice(poplar::Target target, unsigned id, SystemIpus ipus);

/// `known`: one of tileMachineNames(), or a system's name such as "IPU-POD16". Throws poplar::invalid_machine_model.
std::string architectureOf(const std::string &system);

/// A simulated IPU target; tilesPerIpu 0 = all. Throws as Target::createIPUTarget.
poplar::Target makeIpuTarget(unsigned numIpus, unsigned tilesPerIpu, const std::string &system,
                             const poplar::OptionFlags &options);

} // namespace popscope
