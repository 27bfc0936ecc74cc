// Converts between the public classes Target and Device and the plain TileMachine inside them.
#pragma once
#include "target-models/model/TileMachine.hpp"

#include <poplar/Device.hpp>
#include <poplar/Target.hpp>

#include <array>
#include <string>
#include <vector>

namespace popscope {

/// Returns the machine of a target. The reference is valid while any copy of the target exists. Throws
/// poplar::poplar_error for an empty target.
const TileMachine &machineOf(const poplar::Target &target);
/// Makes a target. Throws poplar::invalid_machine_model for an invalid machine. Target::getTargetSystemString of the
/// new target returns `system` or, if `system` is "", the name of the architecture. Parses `options`, the target
/// options, and throws poplar::invalid_option for an unknown option or a bad value.
poplar::Target makeTarget(TileMachine machine, const std::string &system = "", const poplar::OptionFlags &options = {});
/// Makes a device. Device::getId of the new device returns `id`.
poplar::Device makeDevice(poplar::Target target, unsigned id);

/// Target options that must be equal for the target of a graph and for the device that runs the graph.
inline constexpr std::array<const char *, 2> kLinkOptions = {"syncConfiguration", "ipuLinkConfiguration"};
/// Returns the target's values of the options in kLinkOptions, in the order of that array.
std::vector<std::string> linkOptionsOf(const poplar::Target &target);

} // namespace popscope
