// The list of the fields of a TileMachine. The JSON reader and the JSON writer both use this list: visitFields(visitor,
// object) calls visitor("key", field) for each field. The key is the name of the field. The list leaves out derived
// fields (elementOffsets, interleavedElementIndex) and fields that only the device decides (kind, compileIpuCode),
// because files do not contain these fields.
#pragma once
#include "target-models/model/TileMachine.hpp"

#include <algorithm>
#include <concepts>
#include <string>
#include <type_traits>

namespace popscope {

// M is T or const T.
template <class T, class M>
concept FieldsOf = std::same_as<std::remove_const_t<M>, T>;

/// Calls visitor("a", m.a), visitor("b", m.b), ... `names` is the text "m.a, m.b, ...".
template <class V, class... F> void visitNamed(V &visitor, std::string names, F &...fields) {
  const auto next = [&names] {
    const std::string name = names.substr(2, names.find(',') - 2); // without "m."
    names.erase(0, std::min(names.find(' '), names.size() - 1) + 1);
    return name;
  };
  (visitor(next().c_str(), fields), ...);
}

// Defines visitFields for a type. The fields are members of `m`.
#define POPSCOPE_FIELDS(TYPE, ...)                                                                                     \
  template <class V, class M>                                                                                          \
  requires FieldsOf<TYPE, M>                                                                                           \
  void visitFields(V &v, M &m) { visitNamed(v, #__VA_ARGS__, __VA_ARGS__); }

POPSCOPE_FIELDS(MemoryRegion, m.kind, m.offset, m.size, m.elementSize, m.executable)
POPSCOPE_FIELDS(SyncModel, m.relativeDelay, m.minDelayCycles, m.maxDelayCycles, m.globalCycles)
POPSCOPE_FIELDS(ExchangeModel, m.bytesPerCycle, m.tilesPerSharedBus, m.busSharing, m.minLatencyCycles,
                m.maxLatencyCycles, m.latencyExponent, m.perMessageCycles, m.maxSendWords)
POPSCOPE_FIELDS(HostModel, m.bytesPerCycle, m.singlePacketBytesPerCycle, m.setupCycles, m.beginCycles, m.endCycles,
                m.packetHeaderBytes, m.maxPacketBytes, m.readRequestBytes)
POPSCOPE_FIELDS(LinkFlow, m.source, m.destination)
POPSCOPE_FIELDS(LinkConstraint, m.bitsPerSecond, m.flows)
POPSCOPE_FIELDS(LinkModel, m.bytesPerCycle, m.setupCycles, m.latencyCycles, m.packetHeaderBytes, m.maxPacketBytes,
                m.constraints)
POPSCOPE_FIELDS(DeviceModel, m.hostBytesPerCycle, m.hostSetupCycles, m.hostBeginCycles, m.hostEndCycles,
                m.minExchangeLatencyCycles, m.maxExchangeLatencyCycles)
POPSCOPE_FIELDS(StackModel, m.workerBytes, m.supervisorBytes)
POPSCOPE_FIELDS(ReleaseStacks, m.fixed, m.linked)
POPSCOPE_FIELDS(ReleaseRules, m.stack, m.opening, m.streamOrder, m.oneWordMessages, m.sharedBus, m.renamingCopies,
                m.receivedPieces)
POPSCOPE_FIELDS(CodeModel, m.instructionBytes, m.runtimeBytes, m.syncInstr, m.exchangeCallInstr, m.exchangeIdleInstr,
                m.exchangeFrameInstr, m.exchangeDelayInstr, m.exchangeSendInstr, m.exchangePointerInstr,
                m.exchangeSenderInstr, m.exchangeEndInstr, m.executeCallInstr, m.executePerVertexInstr, m.branchInstr,
                m.loopInstr, m.callInstr, m.hostCallInstr, m.hostFrameInstr, m.hostSendInstr, m.hostPointerInstr,
                m.tableCallInstr, m.tableHeaderBytes, m.tableEntryBytes, m.tableRunnerInstr)
POPSCOPE_FIELDS(InstrumentModel, m.counterBytes, m.countInstr, m.blockRecordBytes, m.blockHeaderBytes, m.blockEdgeInstr,
                m.pathInstr, m.iterationInstr)
POPSCOPE_FIELDS(VertexClassCode, m.name, m.codeBytes)
POPSCOPE_FIELDS(CopyVertexModel, m.name, m.supervisor, m.baseCycles, m.cyclesPerRun, m.bytesPerStep, m.cyclesPerStep,
                m.pointerBytes, m.scaledPointers, m.otherStateBytes, m.descriptorBytes, m.codeBytes)
POPSCOPE_FIELDS(CopyChoice, m.wideCopyMinBytes, m.shortCopyMaxBytes, m.shareMinCycles, m.scatterMaxBytes)
POPSCOPE_FIELDS(StandInModel, m.compareThenBranch, m.registerMoves, m.divisionCalls, m.halves, m.subWordStores,
                m.floatDivideSlots, m.supervisorWaits, m.postIncrement, m.indexedAddresses, m.countAndBranch,
                m.repeatLoops, m.vectors, m.bundles)
POPSCOPE_FIELDS(LibraryFunction, m.name, m.issueSlots, m.codeBytes)
POPSCOPE_FIELDS(TileMachine, m.name, m.architecture, m.accurateHalf, m.numIpus, m.tilesPerIpu, m.workerContexts,
                m.bytesPerTile, m.clockHz, m.regions, m.memoryBase, m.dataStartOffset, m.memcpyBytesPerCycle,
                m.dataPathBits, m.numStrideBits, m.rptCountMax, m.atomicStoreGranularity, m.fp8ConvUnitMaxPipelineDepth,
                m.fp16ConvUnitMaxPipelineDepth, m.fp32ConvUnitMaxPipelineDepth, m.fp8ConvUnitInputLoadElemsPerCycle,
                m.fp16ConvUnitInputLoadElemsPerCycle, m.fp32ConvUnitInputLoadElemsPerCycle,
                m.fp8InFp16OutConvUnitsPerTile, m.fp16InFp16OutConvUnitsPerTile, m.fp16InFp32OutConvUnitsPerTile,
                m.fp32InFp32OutConvUnitsPerTile, m.convUnitCoeffLoadBytesPerCycle, m.exchangePacketBytes,
                m.fpIctlRegIndex, m.dbgDataRegIndex, m.sync, m.exchange, m.host, m.link, m.device, m.stack,
                m.releaseStacks, m.rules, m.scaledPointerBytes, m.code, m.instrument, m.copyVertices, m.copyChoice,
                m.standIn, m.library, m.vertexCode)

#undef POPSCOPE_FIELDS

} // namespace popscope
