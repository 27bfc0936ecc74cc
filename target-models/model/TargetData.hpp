// The data that copies of a poplar::Target share, and the data of a poplar::Device.
#pragma once
#include "target-models/model/PublicTarget.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Target options after parsing. TargetOptions.cpp contains the table of all target options.
struct TargetOptions {
  bool gateway = false;
  std::string syncConfiguration;
  poplar::IpuLinkConfiguration linkConfiguration = poplar::IpuLinkConfiguration::Default;
  poplar::IpuLinkTopology linkTopology = poplar::IpuLinkTopology::Mesh;
  std::uint32_t linkDomainSize = 0; // number of IPUs; 0 stands for all IPUs of the target
  std::uint32_t instanceSize = 0;   // number of IPUs; 0 stands for all IPUs of the target
  poplar::OptionFlags flags;        // the options of the program, overridden by POPLAR_TARGET_OPTIONS
};

/// Parses the options. Throws poplar::invalid_option for an unknown option or a bad value.
TargetOptions parseTargetOptions(const poplar::OptionFlags &flags);
/// Returns `flags`, overridden by POPLAR_TARGET_OPTIONS.
poplar::OptionFlags withEnvironment(const poplar::OptionFlags &flags);

struct TargetData {
  TileMachine machine;
  std::string system;
  TargetOptions options;
  std::vector<poplar::GlobalExchangeConstraint> constraints;
  std::string identity; // text of all members above; two targets are equal if these texts are equal
};

struct TargetAccess {
  static const TargetData &data(const poplar::Target &target) { return target.data(); }
  static poplar::Target make(std::shared_ptr<const TargetData> data) {
    poplar::Target target;
    target.data_ = std::move(data);
    return target;
  }
};

/// The IPUs [first, first + count) of the simulated system. A process has one system. As with hardware, only one device
/// at a time can hold an IPU, no matter from which Device object or DeviceManager the device comes.
struct SystemIpus {
  unsigned first = 0, count = 0; // if count is 0, the device uses no IPUs of the system, and conflicts with no other
                                 // device
  /// Claims the IPUs. Returns false if a device already holds one of the IPUs. Thread-safe.
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

/// Makes a device for IPUs of the simulated system, as makeDevice does for other devices.
poplar::Device makeSystemDevice(poplar::Target target, unsigned id, SystemIpus ipus);

/// Returns the architecture of a system. `system` is the name of an IPU's architecture, or the name of a system such as
/// "IPU-POD16", in upper or lower case. Throws poplar::invalid_machine_model for an unknown system.
std::string architectureOf(const std::string &system);

/// Returns a simulated IPU target with the first `tilesPerIpu` tiles of each IPU. Throws as Target::createIPUTarget
/// does.
poplar::Target makeIpuTarget(unsigned numIpus, unsigned tilesPerIpu, const std::string &system,
                             const poplar::OptionFlags &options);

} // namespace popscope
