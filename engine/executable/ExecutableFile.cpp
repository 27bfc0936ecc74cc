#include "engine/executable/ExecutableFile.hpp"

#include "base/Check.hpp"
#include "base/ReadOwnBytes.hpp"
#include "base/Version.hpp"
#include "engine/executable/CheckTables.hpp"
#include "engine/executable/CodeletObjects.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/ir/Archive.hpp"
#include "target-models/model/PublicTarget.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>

namespace popscope {
namespace {

constexpr std::string_view kMagic = "POPSCPEX";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHashDigits = 32;

// A StepProgram has more members than visitFields supports. A new member must be added to transferSteps, too.
constexpr std::size_t kStepProgramMembers =
    61; // contexts and moreContexts are not stored, because their ids have a meaning within one process only. The
        // records keep the ids if the process wrote a debug.cbor, which explains the ids

template <class A> void transferOperandKinds(A &a, std::vector<OperandKind> &kinds) {
  transferEach(a, kinds, [&a](OperandKind &kind) {
    std::uint32_t subIndex = kind.subIndex;
    std::uint8_t field = kind.field;
    bool writes = kind.writes, reads = kind.reads;
    transfer(a, kind.elements);
    transferUpTo(a, subIndex, OperandKind::kMaxSubIndices - 1, "an element of a vector of edges");
    transfer(a, field);
    transfer(a, writes);
    transfer(a, reads);
    if constexpr (A::kReads) {
      kind.subIndex = subIndex;
      kind.field = field;
      kind.writes = writes;
      kind.reads = reads;
    }
  });
}

template <class A> void transferAllocations(A &a, LargeTable<Allocation> &allocations) {
  transferEach(a, allocations, [&a](Allocation &allocation) {
    std::uint32_t alignment = allocation.alignment;
    std::uint8_t category = static_cast<std::uint8_t>(allocation.category),
                 owner = static_cast<std::uint8_t>(allocation.owner),
                 region = static_cast<std::uint8_t>(allocation.region);
    bool overlapped = allocation.overlapped;
    transferUpTo(a, alignment, Allocation::kMaxAlignment, "an alignment");
    transferUpTo(a, category, static_cast<std::uint8_t>(kNumStorageCategories - 1), "a storage category");
    transferUpTo(a, owner, static_cast<std::uint8_t>(kNumOwnerKinds - 1), "an owner");
    transferUpTo(a, region, static_cast<std::uint8_t>(kNumRegions - 1), "a region");
    transfer(a, overlapped);
    transfer(a, allocation.ownerIndex);
    transfer(a, allocation.address);
    transfer(a, allocation.bytes);
    transfer(a, allocation.occupied);
    if constexpr (A::kReads) {
      allocation.alignment = alignment;
      allocation.category = static_cast<StorageCategory>(category);
      allocation.owner = static_cast<OwnerKind>(owner);
      allocation.region = static_cast<AllocationRegion>(region);
      allocation.overlapped = overlapped;
    }
  });
}

template <class A> void transferLayout(A &a, LayoutResult &layout) {
  static_assert(kFieldCount<LayoutResult> == 5, "LayoutResult has changed: change transferLayout with it");
  transferAllocations(a, layout.allocations);
  transfer(a, layout.firstOfTile);
  transfer(a, layout.tiles);
  transfer(a, layout.tilesOutOfMemory);
  transfer(a, layout.distinctProblems);
}

template <class A> void transferSteps(A &a, StepProgram &p) {
  static_assert(kFieldCount<StepProgram> == kStepProgramMembers,
                "StepProgram has changed: change transferSteps with it");
  const auto all = [&](auto &...member) { (transfer(a, member), ...); };
  all(p.names, p.numTiles, p.tilesPerIpu, p.vars, p.pieces, p.homes, p.data, p.steps, p.root, p.functions, p.programs,
      p.accesses, p.ranges, p.sources, p.computeSets, p.syncs, p.exchanges, p.messages, p.exchangeTiles, p.executes,
      p.vertices, p.edges, p.forms);
  transferOperandKinds(a, p.operandKinds);
  all(p.states, p.footprints, p.copies, p.copyRuns, p.streamCopies, p.streamParts, p.transfers, p.hostTiles, p.switches,
      p.repeats, p.tests, p.calls, p.prints, p.messagesText, p.tileRegisters, p.blocks, p.blockProfile, p.tileCode,
      p.storage, p.tableRunnerBytes, p.apart, p.sharedData, p.sharedUses, p.vertexTypes, p.libraryCode, p.typeFlops,
      p.streams, p.hostFunctions, p.replicaMaps, p.passes);
  all(p.replicationFactor, p.numVertices, p.numEdges, p.numVariables, p.numComputeSets);
}

template <class A> void transferMachine(A &a, TileMachine &machine) {
  std::string json = A::kReads ? std::string() : tileMachineToJson(machine);
  transfer(a, json);
  DeviceKind kind = machine.kind;
  bool compileIpuCode = machine.compileIpuCode, accurateHalf = machine.accurateHalf;
  transfer(a, kind);
  transfer(a, compileIpuCode);
  transfer(a, accurateHalf);
  if constexpr (A::kReads) {
    machine = parseTileMachine(json, "executable");
    machine.kind = kind;
    machine.compileIpuCode = compileIpuCode;
    machine.accurateHalf = accurateHalf;
  }
}

template <class A> void transferAll(A &a, CompiledProgram &c, CompilationRecord &record, CodeletObjects &objects) {
  transfer(a, objects);
  transferMachine(a, c.machine);
  transfer(a, c.linkOptions);
  transfer(a, c.printFormats);
  transferSteps(a, c.program);
  transfer(a, c.ranges);
  transferLayout(a, c.layout);
  transfer(a, record);
  transfer(a, c.settings);
  transfer(a, c.debugInfo);
}

/// Transfers the header: the kind of the file, the length of the body and its hash.
template <class A> void transferHeader(A &a, std::uint64_t &length, std::string &hash) {
  transferMagic(a, kMagic, "these bytes are no executable of Popscope");
  transferVersion(a, kVersion);
  transfer(a, length);
  hash.resize(kHashDigits);
  a.bytes(hash.data(), kHashDigits);
}

[[noreturn]] void refuse(const std::string &why) {
  throw poplar::poplar_error(
      fmt::format("The executable cannot be read: {}. Compile the graph again and serialize that.", why));
}

std::string checkedBody(const std::string &bytes) {
  ArchiveReader reader(bytes);
  std::uint64_t length = 0;
  std::string hash;
  transferHeader(reader, length, hash);
  if (length != reader.left())
    reader.fail(fmt::format("{} bytes are expected and {} follow", length, reader.left()));
  std::string body = bytes.substr(reader.at());
  if (ContentHash().add(body).hex() != hash)
    throw ArchiveError("it is damaged");
  return body;
}

std::shared_ptr<CompiledProgram> programOf(const std::string &body, bool checkVersion, CodeletObjects &objects) {
  auto compiled = std::make_shared<CompiledProgram>();
  ArchiveReader reader(body);
  std::string version;
  transfer(reader, version);
  if (checkVersion && version != kVersionText)
    throw ArchiveError(fmt::format("it was compiled by {}, this library is {}", version, kVersionText));
  transferAll(reader, *compiled, compiled->record, objects);
  reader.requireEnd();
  if (compiled->linkOptions.size() != kLinkOptions.size())
    throw ArchiveError("it is damaged");
  checkTables(*compiled, objects.classes.size());
  verifySteps(compiled->program);
  compiled->rows =
      collectRows(collectInput(*compiled, compiled->record.advice.present), compiled->record.variableNames);
  return compiled;
}

} // namespace

std::string executableToBytes(const CompiledProgram &compiled) {
  CompilationRecord record = compiled.record;
  if (compiled.debugInfo.empty()) { // see kStepProgramMembers
    record.debugContexts = false;
    for (ProgramRecord &p : record.programs)
      p.debugContext = 0;
  }
  CodeletObjects objects = collectObjects(compiled.codelets);
  ArchiveWriter body;
  transfer(body, written(std::string(kVersionText)));
  transferAll(body, written(compiled), record, objects);
  ArchiveWriter file;
  std::uint64_t length = body.out.size();
  std::string hash = ContentHash().add(body.out).hex();
  transferHeader(file, length, hash);
  return file.out + body.out;
}

std::string executableHash(const CompiledProgram &compiled) {
  CodeletObjects objects = collectObjects(compiled.codelets);
  ArchiveWriter writer;
  transfer(writer, written(std::string(kVersionText)));
  transfer(writer, objects);
  transferMachine(writer, written(compiled.machine));
  transfer(writer, written(compiled.linkOptions));
  transferSteps(writer, written(compiled.program));
  transferLayout(writer, written(compiled.layout));
  return ContentHash().add(writer.out).hex();
}

std::shared_ptr<const CompiledProgram> executableFromBytes(const std::string &bytes, bool checkVersion) {
  try {
    CodeletObjects objects;
    auto compiled = programOf(checkedBody(bytes), checkVersion, objects);
    compiled->codelets = loadObjects(objects);
    return compiled;
  } catch (const ArchiveError &e) {
    refuse(e.what());
  } catch (const InternalError &e) {
    refuse(e.what());
  } catch (const std::out_of_range &e) { // thrown by verifySteps
    refuse(e.what());
  } catch (const std::bad_alloc &) {
    refuse("it needs more memory than the host has");
  }
}

std::shared_ptr<const CompiledProgram> executableFromStream(std::istream &in, bool checkVersion) {
  constexpr std::size_t lengthAt = kMagic.size() + sizeof kVersion,
                        header = lengthAt + sizeof(std::uint64_t) + kHashDigits; // as in transferHeader
  return executableFromBytes(readOwnBytes(in, header, lengthAt), checkVersion);
}

} // namespace popscope
