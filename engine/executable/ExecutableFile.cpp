#include "engine/executable/ExecutableFile.hpp"

#include "base/Check.hpp"
#include "base/Version.hpp"
#include "engine/executable/Archive.hpp"
#include "engine/executable/CheckTables.hpp"
#include "engine/executable/CodeletObjects.hpp"
#include "graph/codelets/ContentHash.hpp"

#include <poplar/exceptions.hpp>

#include <fmt/format.h>

namespace popscope {
namespace {

constexpr char kMagic[] = "POPSCPEX";
constexpr std::uint32_t kVersion = 6;
constexpr std::size_t kHashDigits = 32, kHeaderBytes = 8 + 4 + 8 + kHashDigits;

// More members than visitFields takes: a new one must be added to transferSteps too.
constexpr std::size_t kStepProgramMembers =
    59; // contexts and moreContexts stay behind: their ids have a meaning within one process only

template <class A> void transferSteps(A &a, StepProgram &p) {
  static_assert(kFieldCount<StepProgram> == kStepProgramMembers,
                "StepProgram has changed: change transferSteps with it");
  const auto all = [&](auto &...member) { (transfer(a, member), ...); };
  all(p.names, p.numTiles, p.tilesPerIpu, p.vars, p.pieces, p.homes, p.data, p.steps, p.root, p.functions, p.programs,
      p.accesses, p.ranges, p.sources, p.computeSets, p.syncs, p.exchanges, p.messages, p.exchangeTiles, p.executes,
      p.vertices, p.edges, p.states, p.footprints, p.copies, p.copyRuns, p.streamCopies, p.streamParts, p.transfers,
      p.hostTiles, p.switches, p.repeats, p.tests, p.calls, p.prints, p.messagesText, p.tileRegisters, p.blocks,
      p.blockProfile, p.tileCode, p.storage, p.tableRunnerBytes, p.apart, p.sharedData, p.sharedUses, p.vertexTypes,
      p.libraryCode, p.typeFlops, p.streams, p.hostFunctions, p.replicaMaps, p.passes);
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

template <class A> void transferAll(A &a, CompiledProgram &c, CodeletObjects &objects) {
  transfer(a, objects);
  transferMachine(a, c.machine);
  transfer(a, c.printFormats);
  transferSteps(a, c.program);
  transfer(a, c.ranges);
  transfer(a, c.layout);
  transfer(a, c.record);
  transfer(a, c.settings);
}

template <class T> void putNumber(std::string &out, T value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof value);
}
template <class T> T getNumber(const std::string &in, std::size_t at) {
  T value;
  std::memcpy(&value, in.data() + at, sizeof value);
  return value;
}

[[noreturn]] void refuse(const std::string &why) {
  throw poplar::poplar_error(
      fmt::format("The executable cannot be read: {}. Compile the graph again and serialize that.", why));
}

std::string checkedBody(const std::string &bytes) {
  if (bytes.size() < kHeaderBytes || bytes.compare(0, 8, kMagic) != 0)
    refuse("these bytes are no executable of Popscope");
  const auto version = getNumber<std::uint32_t>(bytes, 8);
  if (version != kVersion)
    refuse(fmt::format("its format has version {}, this library reads {}", version, kVersion));
  const auto length = getNumber<std::uint64_t>(bytes, 12);
  if (length != bytes.size() - kHeaderBytes)
    refuse(fmt::format("it should have {} bytes and has {}", length, bytes.size() - kHeaderBytes));
  std::string body = bytes.substr(kHeaderBytes);
  if (ContentHash().add(body).hex() != bytes.substr(kHeaderBytes - kHashDigits, kHashDigits))
    refuse("it is damaged");
  return body;
}

} // namespace

std::string executableToBytes(const CompiledProgram &compiled) {
  CompiledProgram copy = compiled;   // the one walk of both directions takes what it may change
  copy.record.debugContexts = false; // see kStepProgramMembers
  for (ProgramRecord &p : copy.record.programs)
    p.debugContext = 0;
  CodeletObjects objects = collectObjects(compiled.codelets);
  ArchiveWriter writer;
  std::string version = kVersionText;
  transfer(writer, version);
  transferAll(writer, copy, objects);
  std::string out(kMagic, 8);
  putNumber(out, kVersion);
  putNumber<std::uint64_t>(out, writer.out.size());
  return out + ContentHash().add(writer.out).hex() + writer.out;
}

std::string executableHash(const CompiledProgram &compiled) {
  CompiledProgram copy = compiled;
  CodeletObjects objects = collectObjects(compiled.codelets);
  ArchiveWriter writer;
  std::string version = kVersionText;
  transfer(writer, version);
  transfer(writer, objects);
  transferMachine(writer, copy.machine);
  transferSteps(writer, copy.program);
  transfer(writer, copy.layout);
  return ContentHash().add(writer.out).hex();
}

std::shared_ptr<const CompiledProgram> executableFromBytes(const std::string &bytes) {
  const std::string body = checkedBody(bytes);
  auto compiled = std::make_shared<CompiledProgram>();
  CodeletObjects objects;
  try {
    ArchiveReader reader(body);
    std::string version;
    transfer(reader, version);
    if (version != kVersionText)
      refuse(fmt::format("it was compiled by {}, this library is {}", version, kVersionText));
    transferAll(reader, *compiled, objects);
    if (reader.left() != 0)
      refuse(fmt::format("{} bytes follow its end", reader.left()));
    checkTables(*compiled, objects.classes.size());
    verifySteps(compiled->program);
  } catch (const ArchiveError &e) {
    refuse(e.what());
  } catch (const InternalError &e) {
    refuse(e.what());
  } catch (const std::out_of_range &e) { // of verifySteps
    refuse(e.what());
  } catch (const std::bad_alloc &) {
    refuse("it asks for more memory than there is");
  }
  compiled->codelets = loadObjects(objects);
  return compiled;
}

} // namespace popscope
