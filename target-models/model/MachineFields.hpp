// The list of the fields of a TileMachine. The JSON reader and the JSON writer both use this list: visitFields(visitor,
// object) calls visitor("key", field) for each field. Files contain neither derived fields (elementOffsets,
// interleavedElementIndex) nor fields that only the device decides (kind, compileIpuCode), so the list does not contain
// these fields, either.
#pragma once
#include "target-models/model/TileMachine.hpp"

#include <concepts>
#include <type_traits>

namespace popscope {

// M is T or const T.
template <class T, class M>
concept FieldsOf = std::same_as<std::remove_const_t<M>, T>;

template <class V, class M>
requires FieldsOf<MemoryRegion, M>
void visitFields(V &v, M &m) {
  v("kind", m.kind);
  v("offset", m.offset);
  v("size", m.size);
  v("elementSize", m.elementSize);
  v("executable", m.executable);
}

template <class V, class M>
requires FieldsOf<SyncModel, M>
void visitFields(V &v, M &m) {
  v("relativeDelay", m.relativeDelay);
  v("minDelayCycles", m.minDelayCycles);
  v("maxDelayCycles", m.maxDelayCycles);
  v("globalCycles", m.globalCycles);
}

template <class V, class M>
requires FieldsOf<ExchangeModel, M>
void visitFields(V &v, M &m) {
  v("bytesPerCycle", m.bytesPerCycle);
  v("tilesPerSharedBus", m.tilesPerSharedBus);
  v("busSharing", m.busSharing);
  v("minLatencyCycles", m.minLatencyCycles);
  v("maxLatencyCycles", m.maxLatencyCycles);
  v("latencyExponent", m.latencyExponent);
  v("perMessageCycles", m.perMessageCycles);
  v("maxSendWords", m.maxSendWords);
}

template <class V, class M>
requires FieldsOf<HostModel, M>
void visitFields(V &v, M &m) {
  v("bytesPerCycle", m.bytesPerCycle);
  v("singlePacketBytesPerCycle", m.singlePacketBytesPerCycle);
  v("setupCycles", m.setupCycles);
  v("beginCycles", m.beginCycles);
  v("endCycles", m.endCycles);
  v("packetHeaderBytes", m.packetHeaderBytes);
  v("maxPacketBytes", m.maxPacketBytes);
  v("readRequestBytes", m.readRequestBytes);
}

template <class V, class M>
requires FieldsOf<LinkFlow, M>
void visitFields(V &v, M &m) {
  v("source", m.source);
  v("destination", m.destination);
}

template <class V, class M>
requires FieldsOf<LinkConstraint, M>
void visitFields(V &v, M &m) {
  v("bitsPerSecond", m.bitsPerSecond);
  v("flows", m.flows);
}

template <class V, class M>
requires FieldsOf<LinkModel, M>
void visitFields(V &v, M &m) {
  v("bytesPerCycle", m.bytesPerCycle);
  v("setupCycles", m.setupCycles);
  v("latencyCycles", m.latencyCycles);
  v("packetHeaderBytes", m.packetHeaderBytes);
  v("maxPacketBytes", m.maxPacketBytes);
  v("constraints", m.constraints);
}

template <class V, class M>
requires FieldsOf<DeviceModel, M>
void visitFields(V &v, M &m) {
  v("hostBytesPerCycle", m.hostBytesPerCycle);
  v("hostSetupCycles", m.hostSetupCycles);
  v("hostBeginCycles", m.hostBeginCycles);
  v("hostEndCycles", m.hostEndCycles);
  v("minExchangeLatencyCycles", m.minExchangeLatencyCycles);
  v("maxExchangeLatencyCycles", m.maxExchangeLatencyCycles);
}

template <class V, class M>
requires FieldsOf<StackModel, M>
void visitFields(V &v, M &m) {
  v("workerBytes", m.workerBytes);
  v("supervisorBytes", m.supervisorBytes);
}

template <class V, class M>
requires FieldsOf<ReleaseStacks, M>
void visitFields(V &v, M &m) {
  v("fixed", m.fixed);
  v("linked", m.linked);
}

template <class V, class M>
requires FieldsOf<ReleaseRules, M>
void visitFields(V &v, M &m) {
  v("stack", m.stack);
  v("opening", m.opening);
  v("streamOrder", m.streamOrder);
  v("oneWordMessages", m.oneWordMessages);
  v("sharedBus", m.sharedBus);
  v("renamingCopies", m.renamingCopies);
  v("receivedPieces", m.receivedPieces);
}

template <class V, class M>
requires FieldsOf<CodeModel, M>
void visitFields(V &v, M &m) {
  v("instructionBytes", m.instructionBytes);
  v("runtimeBytes", m.runtimeBytes);
  v("syncInstr", m.syncInstr);
  v("exchangeCallInstr", m.exchangeCallInstr);
  v("exchangeIdleInstr", m.exchangeIdleInstr);
  v("exchangeFrameInstr", m.exchangeFrameInstr);
  v("exchangeDelayInstr", m.exchangeDelayInstr);
  v("exchangeSendInstr", m.exchangeSendInstr);
  v("exchangePointerInstr", m.exchangePointerInstr);
  v("exchangeSenderInstr", m.exchangeSenderInstr);
  v("exchangeEndInstr", m.exchangeEndInstr);
  v("executeCallInstr", m.executeCallInstr);
  v("executePerVertexInstr", m.executePerVertexInstr);
  v("branchInstr", m.branchInstr);
  v("loopInstr", m.loopInstr);
  v("callInstr", m.callInstr);
  v("hostCallInstr", m.hostCallInstr);
  v("hostFrameInstr", m.hostFrameInstr);
  v("hostSendInstr", m.hostSendInstr);
  v("hostPointerInstr", m.hostPointerInstr);
  v("tableCallInstr", m.tableCallInstr);
  v("tableHeaderBytes", m.tableHeaderBytes);
  v("tableEntryBytes", m.tableEntryBytes);
  v("tableRunnerInstr", m.tableRunnerInstr);
}

template <class V, class M>
requires FieldsOf<InstrumentModel, M>
void visitFields(V &v, M &m) {
  v("counterBytes", m.counterBytes);
  v("countInstr", m.countInstr);
  v("blockRecordBytes", m.blockRecordBytes);
  v("blockHeaderBytes", m.blockHeaderBytes);
  v("blockEdgeInstr", m.blockEdgeInstr);
  v("pathInstr", m.pathInstr);
  v("iterationInstr", m.iterationInstr);
}

template <class V, class M>
requires FieldsOf<VertexClassCode, M>
void visitFields(V &v, M &m) {
  v("name", m.name);
  v("codeBytes", m.codeBytes);
}

template <class V, class M>
requires FieldsOf<CopyVertexModel, M>
void visitFields(V &v, M &m) {
  v("name", m.name);
  v("supervisor", m.supervisor);
  v("baseCycles", m.baseCycles);
  v("cyclesPerRun", m.cyclesPerRun);
  v("bytesPerStep", m.bytesPerStep);
  v("cyclesPerStep", m.cyclesPerStep);
  v("pointerBytes", m.pointerBytes);
  v("scaledPointers", m.scaledPointers);
  v("otherStateBytes", m.otherStateBytes);
  v("descriptorBytes", m.descriptorBytes);
  v("codeBytes", m.codeBytes);
}

template <class V, class M>
requires FieldsOf<CopyChoice, M>
void visitFields(V &v, M &m) {
  v("wideCopyMinBytes", m.wideCopyMinBytes);
  v("shortCopyMaxBytes", m.shortCopyMaxBytes);
  v("shareMinCycles", m.shareMinCycles);
  v("scatterMaxBytes", m.scatterMaxBytes);
}

template <class V, class M>
requires FieldsOf<StandInModel, M>
void visitFields(V &v, M &m) {
  v("compareThenBranch", m.compareThenBranch);
  v("registerMoves", m.registerMoves);
  v("divisionCalls", m.divisionCalls);
  v("halves", m.halves);
  v("subWordStores", m.subWordStores);
  v("floatDivideSlots", m.floatDivideSlots);
  v("supervisorWaits", m.supervisorWaits);
  v("postIncrement", m.postIncrement);
  v("indexedAddresses", m.indexedAddresses);
  v("countAndBranch", m.countAndBranch);
  v("repeatLoops", m.repeatLoops);
  v("vectors", m.vectors);
  v("bundles", m.bundles);
}

template <class V, class M>
requires FieldsOf<LibraryFunction, M>
void visitFields(V &v, M &m) {
  v("name", m.name);
  v("issueSlots", m.issueSlots);
  v("codeBytes", m.codeBytes);
}

template <class V, class M>
requires FieldsOf<TileMachine, M>
void visitFields(V &v, M &m) {
  v("name", m.name);
  v("architecture", m.architecture);
  v("accurateHalf", m.accurateHalf);
  v("numIpus", m.numIpus);
  v("tilesPerIpu", m.tilesPerIpu);
  v("workerContexts", m.workerContexts);
  v("bytesPerTile", m.bytesPerTile);
  v("clockHz", m.clockHz);
  v("regions", m.regions);
  v("memoryBase", m.memoryBase);
  v("dataStartOffset", m.dataStartOffset);
  v("memcpyBytesPerCycle", m.memcpyBytesPerCycle);
  v("dataPathBits", m.dataPathBits);
  v("numStrideBits", m.numStrideBits);
  v("rptCountMax", m.rptCountMax);
  v("atomicStoreGranularity", m.atomicStoreGranularity);
  v("fp8ConvUnitMaxPipelineDepth", m.fp8ConvUnitMaxPipelineDepth);
  v("fp16ConvUnitMaxPipelineDepth", m.fp16ConvUnitMaxPipelineDepth);
  v("fp32ConvUnitMaxPipelineDepth", m.fp32ConvUnitMaxPipelineDepth);
  v("fp8ConvUnitInputLoadElemsPerCycle", m.fp8ConvUnitInputLoadElemsPerCycle);
  v("fp16ConvUnitInputLoadElemsPerCycle", m.fp16ConvUnitInputLoadElemsPerCycle);
  v("fp32ConvUnitInputLoadElemsPerCycle", m.fp32ConvUnitInputLoadElemsPerCycle);
  v("fp8InFp16OutConvUnitsPerTile", m.fp8InFp16OutConvUnitsPerTile);
  v("fp16InFp16OutConvUnitsPerTile", m.fp16InFp16OutConvUnitsPerTile);
  v("fp16InFp32OutConvUnitsPerTile", m.fp16InFp32OutConvUnitsPerTile);
  v("fp32InFp32OutConvUnitsPerTile", m.fp32InFp32OutConvUnitsPerTile);
  v("convUnitCoeffLoadBytesPerCycle", m.convUnitCoeffLoadBytesPerCycle);
  v("exchangePacketBytes", m.exchangePacketBytes);
  v("fpIctlRegIndex", m.fpIctlRegIndex);
  v("dbgDataRegIndex", m.dbgDataRegIndex);
  v("sync", m.sync);
  v("exchange", m.exchange);
  v("host", m.host);
  v("link", m.link);
  v("device", m.device);
  v("stack", m.stack);
  v("releaseStacks", m.releaseStacks);
  v("rules", m.rules);
  v("scaledPointerBytes", m.scaledPointerBytes);
  v("code", m.code);
  v("instrument", m.instrument);
  v("copyVertices", m.copyVertices);
  v("copyChoice", m.copyChoice);
  v("standIn", m.standIn);
  v("library", m.library);
  v("vertexCode", m.vertexCode);
}

} // namespace popscope
