// LowerEngine: builds the program that the engine loads. Without LoweringOptions::alwaysSwitch, a program of the user
// that is the only entry point is loaded without additions. Otherwise, the loaded program is
//   Sequence
//     StreamCopy of the sync id, except for one entry point with LoweringOptions::oneControlCopy
//     StreamCopy of programId that takes the sync id back
//     broadcast of programId to every tile
//     Switch over user programs, host writes, host reads and, with lightweight profiling, the copy of the block buffers
#include "base/ReadNumber.hpp"
#include "graph/lowering/ProgramLowering.hpp"

#include <algorithm>

namespace popscope {

// Adds the graph's streams under their own ids. Then adds one stream for each host write and each host read, in the
// order in which lowerEngine makes programs of these accesses. lowerHostAccess computes the id from that order.
void ProgramLowering::addStreams() {
  for (const GraphStream &s : c_.graph.streams) {
    const StreamInfo::Kind kind = s.kind == GraphStream::Kind::Remote ? StreamInfo::Kind::Remote
                                  : s.hostFunction >= 0               ? StreamInfo::Kind::HostFunction
                                                                      : StreamInfo::Kind::Fifo;
    StreamInfo info{s.handle, s.kind != GraphStream::Kind::DeviceToHost, s.type, s.elements, s.repeats, kind};
    info.broadcast = s.broadcast;
    if (const auto depth = s.options.find("bufferingDepth"); depth != s.options.end())
      info.bufferingDepth = static_cast<std::uint32_t>(
          readWhole(depth->second, {1, 1000000}).value_or(1)); // the value was checked when the stream was created
    info.hostFunction = s.hostFunction < 0 ? 0 : static_cast<std::uint32_t>(s.hostFunction);
    info.argument = s.argument;
    c_.out.streams.push(std::move(info));
  }
  for (const GraphStream &s : c_.graph.streams)
    for (std::size_t k = 0; k < s.replicas.size(); ++k) {
      c_.out.streams[s.replicas[k]].part = static_cast<std::uint32_t>(k);
      c_.out.streams[s.replicas[k]].parts = static_cast<std::uint32_t>(s.replicas.size());
    }
  for (const GraphHostFunction &f : c_.graph.hostFunctions)
    c_.out.hostFunctions.push_back(
        {f.handle, static_cast<std::uint32_t>(f.inputs.size()), static_cast<std::uint32_t>(f.outputs.size())});
  for (const HostAccess &a : c_.graph.hostWrites)
    c_.out.streams.push({a.handle, true, a.view.type, viewCount(a.view), 1, StreamInfo::Kind::HostAccess});
  for (const HostAccess &a : c_.graph.hostReads)
    c_.out.streams.push({a.handle, false, a.view.type, viewCount(a.view), 1, StreamInfo::Kind::HostAccess});
}

void ProgramLowering::lowerHostAccess(const HostAccess &access, bool toDevice) {
  // Streams of host accesses follow the graph's streams, in the order of the engine programs.
  const StreamId stream(
      static_cast<std::uint32_t>(c_.graph.streams.size() + c_.out.programs.size() - programs_.size()));
  const StepIndex root = open(StepKind::Sequence, "");
  emit(buildStreamCopy({streamData(stream, access.view, access.rearrangeOnHost)}, toDevice, View(), access.handle),
       access.handle);
  close(root);
  c_.out.programs.push_back(
      {toDevice ? EngineProgram::Kind::HostWrite : EngineProgram::Kind::HostRead, access.handle, root, stream});
}

void ProgramLowering::lowerEngineCopies(bool syncIdFirst) {
  const auto word = [this](const char *varName) {
    return c_.onlyHome(
        c_.addVariable(c_.name(varName), StorageCategory::ControlId, ElementType::UnsignedInt, {{TileId(0), 1}}));
  };
  StreamCopyStep copy;
  LoweredSteps steps;
  std::vector<StreamData> withProgram(1); // belongs to no stream
  std::vector<HomePieces> &words = withProgram.front().places;
  if (syncIdFirst) {
    words = {HomePieces{{word("<anon>"), Bytes(), Bytes(kWordBytes)}}};
    copy.engine = StreamCopyStep::Engine::SyncId;
    addStreamSteps(steps, copy, withProgram, "");
    emit(steps, "");
    steps.clear();
  }
  programId_ = word("programId");
  words.insert(words.begin(), HomePieces{{programId_, Bytes(), Bytes(kWordBytes)}});
  copy.engine = StreamCopyStep::Engine::ProgramId;
  addStreamSteps(steps, copy, withProgram, "");
  emit(steps, "");
}

void ProgramLowering::lowerBlockRead() {
  const StepIndex root = open(StepKind::Sequence, "");
  StreamCopyStep copy; // its tiles are known when everything is lowered; see insertBlocks
  copy.engine = StreamCopyStep::Engine::BlockFlush;
  copy.toDevice = false;
  LoweredSteps steps;
  addStreamSteps(steps, copy, {}, "BlockFlush");
  emit(steps, "BlockFlush");
  close(root);
  c_.out.programs.push_back({EngineProgram::Kind::ReadBlocks, "", root, StreamId()});
}

// Lowers the root: a Switch over the user's programs, host writes, host reads and, if blocks are buffered, the read of
// the blocks. The host writes the number of the program to a control word, which is broadcast to all tiles. A single
// program without host accesses needs no Switch and becomes the root itself, unless options.alwaysSwitch is true.
void ProgramLowering::lowerEngine() {
  const bool readsBlocks = c_.options.blocks.on() && c_.options.blocks.buffered;
  const std::size_t total =
      programs_.size() + c_.graph.hostWrites.size() + c_.graph.hostReads.size() + (readsBlocks ? 1 : 0);
  if (total <= 1 && !programs_.empty() && !c_.options.alwaysSwitch) {
    c_.out.root = lowerAsSequence(programs_.front());
    c_.out.programs.push_back({EngineProgram::Kind::User, "", c_.out.root, StreamId()});
    return;
  }
  c_.out.root = open(StepKind::Sequence, "");
  if (total > 0) {
    lowerEngineCopies(total > 1 || !c_.options.oneControlCopy);
    ControlWord word{{programId_, Bytes(), Bytes(kWordBytes)}, VarId()};
    const std::string site = "switchControlBroadcast"; // the same for any number of programs, so that profiles can be
                                                       // compared
    emit(lowerBroadcast(word, "broadcastProgramId", site), site);
    ProgramNode control;
    control.a.type = ElementType::UnsignedInt;
    SwitchStep payload;
    payload.engineSwitch = true;
    for (std::size_t i = 0; i < total; ++i)
      payload.labels.push_back(static_cast<std::int32_t>(i));
    const StepIndex step = openTest(StepKind::Switch, control, std::move(payload), word);
    for (const ProgramPtr &program : programs_) {
      const StepIndex root = lowerAsSequence(program);
      c_.out.programs.push_back({EngineProgram::Kind::User, "", root, StreamId()});
    }
    for (const HostAccess &access : c_.graph.hostWrites)
      lowerHostAccess(access, true);
    for (const HostAccess &access : c_.graph.hostReads)
      lowerHostAccess(access, false);
    if (readsBlocks)
      lowerBlockRead();
    close(step);
  }
  close(c_.out.root);
}

} // namespace popscope
