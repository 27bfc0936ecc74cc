#include "target-models/model/Architectures.hpp"
#include "target-models/model/CustomMachine.hpp"
#include "target-models/model/TargetData.hpp"

#include <fmt/format.h>
#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <sstream>
#include <string>

namespace poplar {
namespace {

popscope::LinkConstraint internal(const GlobalExchangeConstraint &c) {
  popscope::LinkConstraint constraint;
  constraint.bitsPerSecond = c.bandwidth;
  for (const GlobalExchangeFlow &flow : c.flows)
    constraint.flows.push_back({flow.src, flow.dst});
  return constraint;
}

// Calls visit with every plain field of an IPUModel, its name, the machine's field of the same meaning and the name of
// that field, such as "exchange.bytesPerCycle". Serves both directions of the conversion.
template <class Model, class Machine, class Visit> void visitPlainFields(Model &model, Machine &m, Visit visit) {
#define POPSCOPE_VISIT(member, field) visit(model.member, #member, m.field, #field)
  POPSCOPE_VISIT(numIPUs, numIpus);
  POPSCOPE_VISIT(tilesPerIPU, tilesPerIpu);
  POPSCOPE_VISIT(numWorkerContexts, workerContexts);
  POPSCOPE_VISIT(exchangeBytesPerCycle, exchange.bytesPerCycle);
  POPSCOPE_VISIT(memcpyBytesPerCycle, memcpyBytesPerCycle);
  POPSCOPE_VISIT(globalSyncCycles, sync.globalCycles);
  POPSCOPE_VISIT(tileClockFrequency, clockHz);
  POPSCOPE_VISIT(numStrideBits, numStrideBits);
  POPSCOPE_VISIT(dataPathWidth, dataPathBits);
  POPSCOPE_VISIT(fp8ConvUnitMaxPipelineDepth, fp8ConvUnitMaxPipelineDepth);
  POPSCOPE_VISIT(fp16ConvUnitMaxPipelineDepth, fp16ConvUnitMaxPipelineDepth);
  POPSCOPE_VISIT(fp32ConvUnitMaxPipelineDepth, fp32ConvUnitMaxPipelineDepth);
  POPSCOPE_VISIT(fp8ConvUnitInputLoadElemsPerCycle, fp8ConvUnitInputLoadElemsPerCycle);
  POPSCOPE_VISIT(fp16ConvUnitInputLoadElemsPerCycle, fp16ConvUnitInputLoadElemsPerCycle);
  POPSCOPE_VISIT(fp32ConvUnitInputLoadElemsPerCycle, fp32ConvUnitInputLoadElemsPerCycle);
  POPSCOPE_VISIT(fp8InFp16OutConvUnitsPerTile, fp8InFp16OutConvUnitsPerTile);
  POPSCOPE_VISIT(fp16InFp16OutConvUnitsPerTile, fp16InFp16OutConvUnitsPerTile);
  POPSCOPE_VISIT(fp16InFp32OutConvUnitsPerTile, fp16InFp32OutConvUnitsPerTile);
  POPSCOPE_VISIT(fp32InFp32OutConvUnitsPerTile, fp32InFp32OutConvUnitsPerTile);
  POPSCOPE_VISIT(convUnitCoeffLoadBytesPerCycle, convUnitCoeffLoadBytesPerCycle);
  POPSCOPE_VISIT(rptCountMax, rptCountMax);
  POPSCOPE_VISIT(supportsExchangeBusSharing, exchange.busSharing);
  POPSCOPE_VISIT(tilesPerSharedExchangeBus, exchange.tilesPerSharedBus);
  POPSCOPE_VISIT(compileIPUCode, compileIpuCode);
#undef POPSCOPE_VISIT
}

void setSync(const IPUModel &model, popscope::SyncModel &sync) {
  // The difference between the nearest and the furthest tile comes from the machine; the user changes the delay of the
  // nearest tile.
  const unsigned skew = sync.maxDelayCycles - sync.minDelayCycles;
  sync.relativeDelay = model.relativeSyncDelay == IPUModel::RelativeSyncDelayType::AUTO;
  sync.minDelayCycles = model.minIPUSyncDelay;
  sync.maxDelayCycles = model.minIPUSyncDelay + skew;
}

void setMemory(const IPUModel &model, popscope::TileMachine &machine) {
  if (model.memoryBytesPerTile % 8 != 0 || model.memoryBytesPerTile <= machine.dataStartOffset)
    throw invalid_machine_model(fmt::format("IPUModel::memoryBytesPerTile is {}; it must be a multiple of 8 above {}, "
                                            "where data starts",
                                            model.memoryBytesPerTile, machine.dataStartOffset));
  popscope::setTileMemory(machine, model.memoryBytesPerTile);
}

void checkFlows(const IPUModel &model) {
  for (const GlobalExchangeConstraint &constraint : model.globalExchangeConstraints)
    for (const GlobalExchangeFlow &flow : constraint.flows)
      if (flow.src >= model.numIPUs || flow.dst >= model.numIPUs)
        throw invalid_machine_model(
            fmt::format("IPUModel::globalExchangeConstraints names a flow from IPU {} to IPU {}; "
                        "the model has {} IPUs",
                        flow.src, flow.dst, model.numIPUs));
}

/// Throws invalid_machine_model if the machine cannot exist. The message has the names of the model's members.
void checkMachine(const IPUModel &model, const popscope::TileMachine &machine) {
  try {
    popscope::validateTileMachine(machine);
  } catch (const popscope::MachineFieldError &e) {
    std::istringstream words(e.field()); // "numIpus times tilesPerIpu" has two fields
    std::string subject, word;
    bool isMember = false;
    while (words >> word) {
      std::string name = word;
      std::replace(name.begin(), name.end(), '/', '.'); // "exchange/bytesPerCycle" in a machine file
      visitPlainFields(model, machine, [&](const auto &, const char *member, const auto &, const char *field) {
        if (name != field)
          return;
        word = std::string("IPUModel::") + member;
        isMember = true;
      });
      subject += (subject.empty() ? "" : " ") + word;
    }
    if (!isMember)
      throw;
    throw invalid_machine_model(subject + " " + e.mistake());
  }
}

/// Returns the machine that the model describes.
popscope::TileMachine machineOfModel(const IPUModel &model, bool accurateHalf) {
  popscope::TileMachine machine = popscope::machineOfArchitecture(popscope::architectureOf(model.IPUVersion));
  visitPlainFields(model, machine, [](const auto &from, auto, auto &to, auto) { to = from; });
  if (model.atomicStoreGranularity == 0 || model.atomicStoreGranularity > 64)
    throw invalid_machine_model(
        fmt::format("IPUModel::atomicStoreGranularity is {}; it must be 1 to 64 bytes", model.atomicStoreGranularity));
  machine.atomicStoreGranularity = static_cast<std::uint32_t>(model.atomicStoreGranularity);
  machine.kind = popscope::DeviceKind::IpuModel;
  machine.accurateHalf = accurateHalf;
  setSync(model, machine.sync);
  setMemory(model, machine);
  checkFlows(model);
  if (!model.globalExchangeConstraints.empty())
    machine.link.constraints.clear(); // the constraints of a machine file
  for (const GlobalExchangeConstraint &constraint : model.globalExchangeConstraints)
    machine.link.constraints.push_back(internal(constraint));
  checkMachine(model, machine);
  return machine;
}

} // namespace

IPUModel::IPUModel() : IPUModel(popscope::defaultModelVersion().c_str()) {}

namespace {
const char *givenVersion(const char *version) {
  if (version == nullptr)
    throw invalid_machine_model("IPUModel: the IPU version is a null pointer; give " +
                                popscope::architectureNames(false, "or") + ".");
  return version;
}
} // namespace

IPUModel::IPUModel(char const *ipuVersion) : IPUVersion(givenVersion(ipuVersion)) {
  popscope::TileMachine machine = popscope::machineOfArchitecture(popscope::architectureOf(IPUVersion));
  visitPlainFields(*this, machine, [](auto &to, auto, const auto &from, auto) { to = from; });
  memoryBytesPerTile = machine.bytesPerTile;
  minIPUSyncDelay = machine.sync.minDelayCycles;
  relativeSyncDelay = machine.sync.relativeDelay ? RelativeSyncDelayType::AUTO : RelativeSyncDelayType::NO_DELAY;
  atomicStoreGranularity = machine.atomicStoreGranularity;
}

bool IPUModel::operator==(const IPUModel &other) const {
  const auto fields = [](const IPUModel &m) {
    return std::tie(
        m.IPUVersion, m.numIPUs, m.tilesPerIPU, m.numWorkerContexts, m.memoryBytesPerTile, m.exchangeBytesPerCycle,
        m.memcpyBytesPerCycle, m.minIPUSyncDelay, m.globalSyncCycles, m.globalExchangeConstraints, m.relativeSyncDelay,
        m.tileClockFrequency, m.numStrideBits, m.dataPathWidth, m.fp8ConvUnitMaxPipelineDepth,
        m.fp16ConvUnitMaxPipelineDepth, m.fp32ConvUnitMaxPipelineDepth, m.fp8ConvUnitInputLoadElemsPerCycle,
        m.fp16ConvUnitInputLoadElemsPerCycle, m.fp32ConvUnitInputLoadElemsPerCycle, m.fp8InFp16OutConvUnitsPerTile,
        m.fp16InFp16OutConvUnitsPerTile, m.fp16InFp32OutConvUnitsPerTile, m.fp32InFp32OutConvUnitsPerTile,
        m.convUnitCoeffLoadBytesPerCycle, m.rptCountMax, m.atomicStoreGranularity, m.supportsExchangeBusSharing,
        m.tilesPerSharedExchangeBus, m.compileIPUCode);
  };
  return fields(*this) == fields(other);
}

Device IPUModel::createDevice(const OptionFlags &opts, bool accurateHalf, unsigned deviceManagerId) const {
  const unsigned id = deviceManagerId == ~0u ? 0 : deviceManagerId;
  return popscope::makeDevice(
      popscope::makeTarget(machineOfModel(*this, accurateHalf), IPUVersion, popscope::withEnvironment(opts)), id);
}

} // namespace poplar
