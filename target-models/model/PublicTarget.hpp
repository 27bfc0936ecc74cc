// The bridge between the public Target and Device and the plain TileMachine behind them.
#pragma once
#include "target-models/model/TileMachine.hpp"

#include <poplar/Device.hpp>
#include <poplar/Target.hpp>

namespace popscope {

/// The machine of a target; valid while any copy of the target lives. Throws poplar::poplar_error for an empty one.
const TileMachine &machineOf(const poplar::Target &target);
/// Throws poplar::invalid_machine_model when the machine makes no sense. `system`: a name for people; "" = the
/// architecture. `options`: the parsed and known target options.
poplar::Target makeTarget(TileMachine machine, const std::string &system = "", const poplar::OptionFlags &options = {});
/// `id`: what Device::getId answers.
poplar::Device makeDevice(poplar::Target target, unsigned id);

} // namespace popscope
