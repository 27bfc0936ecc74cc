// Data that a poplar::Target and a poplar::Device share.
#pragma once
#include "target-models/model/PublicTarget.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Target options, parsed (TargetOptions.cpp has their table).
struct TargetOptions {
  bool gateway = false;
  std::string syncConfiguration;
  poplar::IpuLinkConfiguration linkConfiguration = poplar::IpuLinkConfiguration::Default;
  poplar::IpuLinkTopology linkTopology = poplar::IpuLinkTopology::Mesh;
  std::uint32_t linkDomainSize = 0; // number of IPUs; 0 = all of the target
  std::uint32_t instanceSize = 0;   // number of IPUs; 0 = all of the target
  poplar::OptionFlags flags;        // flags as given, with those of the environment
};

/// Parses the options. Throws poplar::invalid_option.
TargetOptions parseTargetOptions(const poplar::OptionFlags &flags);
/// Returns `flags` overridden by those of POPLAR_TARGET_OPTIONS.
poplar::OptionFlags withEnvironment(const poplar::OptionFlags &flags);

struct TargetData {
  TileMachine machine;
  std::string system;
  TargetOptions options;
  std::vector<poplar::GlobalExchangeConstraint> constraints;
  std::string identity; // all of the above as text: targets are equal if their texts are
};

struct TargetAccess {
  static const TargetData &data(const poplar::Target &target) { return target.data(); }
  static poplar::Target make(std::shared_ptr<const TargetData> data) {
    poplar::Target target;
    target.data_ = std::move(data);
    return target;
  }
};

/// The IPUs [first, first + count) of the simulated system. There is one system per process. As with hardware, one
/// device at a time can hold an IPU, whichever object or manager made the device.
struct SystemIpus {
  unsigned first = 0, count = 0; // 0 = not part of the system: no other device can hold it
  /// Claims the IPUs. Returns false if any of them is held. Thread-safe.
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

/// Makes a device, as makeDevice does, for IPUs of the simulated system.
poplar::Device makeSystemDevice(poplar::Target target, unsigned id, SystemIpus ipus);

/// Returns the architecture of a system: one of tileMachineNames(), or a system's name such as "IPU-POD16". Throws
/// poplar::invalid_machine_model.
std::string architectureOf(const std::string &system);

/// Returns a simulated IPU target; tilesPerIpu 0 = all. Throws as Target::createIPUTarget.
poplar::Target makeIpuTarget(unsigned numIpus, unsigned tilesPerIpu, const std::string &system,
                             const poplar::OptionFlags &options);

} // namespace popscope
