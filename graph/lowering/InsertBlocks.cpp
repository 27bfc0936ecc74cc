#include "graph/lowering/InsertBlocks.hpp"
#include "base/Check.hpp"
#include "graph/lowering/NameFilter.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace popscope {
namespace {

class BlockInserter {
public:
  BlockInserter(StepProgram &program, const TileMachine &machine, const CostModel &costs, const BlockOptions &options)
      : p_(program), machine_(machine), costs_(costs), options_(options),
        blocks_("profiler.blocks.filter", options_.blocksFilter),
        programs_("profiler.programs.filter", options_.programsFilter), flush_(findFlush(p_)) {}

  void run() {
    checkOptions();
    old_ = std::move(p_.steps);
    p_.steps = {};
    oldContexts_ = std::move(p_.contexts);
    oldContexts_.resize(old_.size());
    p_.contexts.clear();
    p_.blocks.clear();
    moved_.assign(old_.size(), StepIndex());
    markSteps();
    inFunction_ = -1;
    p_.root = copy(p_.root);
    for (std::size_t f = 0; f < p_.functions.size(); ++f) {
      inFunction_ = static_cast<std::int64_t>(f);
      p_.functions[p_.functions.idAt(f)].root = copy(p_.functions[p_.functions.idAt(f)].root);
    }
    for (StepContext &more : p_.moreContexts)
      more.step = moved_[more.step.index()];
    for (EngineProgram &program : p_.programs)
      program.root = moved_[program.root.index()];
    describeProfile();
    if (options_.buffered)
      placeBuffers();
    p_.passes.push_back({"InsertBlocks", "steps", old_.size(), p_.steps.size()});
  }

private:
  static std::int64_t findFlush(const StepProgram &p) {
    for (std::size_t i = 0; i < p.streamCopies.size(); ++i)
      if (p.streamCopies[i].engine == StreamCopyStep::Engine::BlockFlush)
        return static_cast<std::int64_t>(i);
    return -1;
  }
  void checkOptions() const {
    if (options_.bufferBytes == 0 || options_.bufferBytes > machine_.bytesPerTile)
      throw poplar::invalid_option(
          fmt::format("engine option \"profiler.blocks.bufferSize\": value \"{}\" is not allowed; a buffer has 1 to {} "
                      "bytes, the memory of a tile",
                      options_.bufferBytes, machine_.bytesPerTile));
  }

  // ---- which steps are recorded
  [[nodiscard]] bool named(const NameFilter &filter, std::vector<std::int8_t> &known, NameId name) {
    if (!name.valid() || p_.names[name].empty())
      return false;
    known.resize(p_.names.size(), -1);
    std::int8_t &answer = known[name.index()];
    if (answer < 0)
      answer = filter.matches(p_.names[name]) ? 1 : 0;
    return answer == 1;
  }
  /// Returns 0 for a step that is not recorded, 1 for a Block of the user, and 2 for a step that needs a Block around
  /// it.
  [[nodiscard]] std::uint8_t recordedAs(const Step &step) {
    if (step.kind == StepKind::Block)
      return named(blocks_, blockNames_, step.name) ? 1 : 0;
    return stepKindRow(step.kind).takesTime && named(programs_, programNames_, step.name) ? 2 : 0;
  }
  [[nodiscard]] bool isStreamCopy(const Step &step) const {
    return stepKindRow(step.kind).payload == StepPayload::StreamCopy &&
           p_.streamCopies[step.payload].engine == StreamCopyStep::Engine::None;
  }
  void markSteps() {
    mark_.assign(old_.size(), 0);
    for (std::size_t s = 0; s < old_.size(); ++s)
      mark_[s] = recordedAs(old_[old_.idAt(s)]);
    functionRecords_.assign(p_.functions.size(), false);
    openAtCall_.assign(p_.functions.size(), false);
    for (bool changed = true; changed;) { // the flags spread along calls, which form no cycle
      changed = false;
      for (std::size_t f = 0; f < p_.functions.size(); ++f)
        changed |= spread(p_.functions[p_.functions.idAt(f)].root, static_cast<std::int64_t>(f));
      changed |= spread(p_.root, -1);
    }
  }
  /// Sets the flags that a tree of steps determines: whether `function`, the function of the tree, records something,
  /// and which functions the tree calls while a recorded block can be open. Returns whether a flag has changed.
  bool spread(StepIndex root, std::int64_t function) {
    bool changed = false;
    const auto set = [&](std::vector<bool> &flags, std::size_t f) {
      changed |= !flags[f];
      flags[f] = true;
    };
    const bool openBefore = function >= 0 && openAtCall_[static_cast<std::size_t>(function)];
    std::uint32_t openUntil = 0;
    for (std::uint32_t s = root.index(); s < old_[root].end; ++s) {
      const Step &step = old_[StepIndex(s)];
      bool records = mark_[s] != 0 || (options_.streamCopies && isStreamCopy(step));
      if (mark_[s] != 0)
        openUntil = std::max(openUntil, step.end);
      if (step.kind == StepKind::Call) {
        const std::size_t callee = p_.calls[step.payload].function.index();
        if (openBefore || s < openUntil)
          set(openAtCall_, callee);
        records = records || functionRecords_[callee];
      }
      if (records && function >= 0)
        set(functionRecords_, static_cast<std::size_t>(function));
    }
    return changed;
  }

  // ---- the new tree
  StepIndex push(Step step) {
    const StepIndex at = p_.steps.push(step);
    p_.contexts.push_back(context_);
    close(at);
    return at;
  }
  void close(StepIndex step) { p_.steps[step].end = static_cast<std::uint32_t>(p_.steps.size()); }
  StepIndex openBlock(const Step &around, bool implicit, bool recorded) {
    Step block;
    block.kind = StepKind::Block;
    block.name = around.name;
    block.firstAccess = around.firstAccess;
    block.payload = static_cast<std::uint32_t>(p_.blocks.size());
    p_.blocks.push_back({recorded, implicit});
    return push(block);
  }
  StepIndex copy(StepIndex from) {
    const Step &step = old_[from];
    context_ = oldContexts_[from.index()];
    const bool recorded = mark_[from.index()] != 0;
    const bool around = mark_[from.index()] == 2 && step.kind != StepKind::Sequence,
               inside = recorded && step.kind == StepKind::Sequence;
    StepIndex outer;
    if (around)
      outer = openBlock(step, true, true);
    openBlocks_ += recorded ? 1 : 0;
    const StepIndex to = step.kind == StepKind::Block ? openBlock(step, false, recorded) : push(step);
    moved_[from.index()] = to;
    const StepIndex inner = inside ? openBlock(step, true, true) : StepIndex();
    recordsHere_ = recordsHere_ || recorded || (options_.streamCopies && isStreamCopy(step)) ||
                   (step.kind == StepKind::Call && functionRecords_[p_.calls[step.payload].function.index()]);
    copyChildren(from);
    if (inside)
      close(inner);
    openBlocks_ -= recorded ? 1 : 0;
    close(to);
    if (around)
      close(outer);
    return around ? outer : to;
  }
  void copyChildren(StepIndex from) {
    const Step &step = old_[from];
    const bool loop = step.kind == StepKind::Repeat || step.kind == StepKind::RepeatWhile;
    const bool before = recordsHere_;
    if (loop)
      recordsHere_ = false;
    StepIndex last;
    for (StepIndex child(from.index() + 1); child.index() < step.end; child = StepIndex(old_[child].end))
      last = copy(child);
    if (!loop)
      return;
    const bool open = openBlocks_ > 0 || (inFunction_ >= 0 && openAtCall_[static_cast<std::size_t>(inFunction_)]);
    if (recordsHere_ && !open && options_.implicitFlush && flush_ >= 0 && last.valid())
      appendFlush(last);
    recordsHere_ = before;
  }
  /// Appends the flush to the body, whose steps must be the last steps of the table.
  void appendFlush(StepIndex body) {
    context_ = 0;
    for (const StepKind kind : {StepKind::StreamCopyBegin, StepKind::StreamCopyMid, StepKind::StreamCopyEnd}) {
      Step step;
      step.kind = kind;
      step.name = p_.names.intern("BlockFlush");
      step.source = flushSource();
      step.firstAccess = static_cast<std::uint32_t>(p_.accesses.size());
      step.payload = static_cast<std::uint32_t>(flush_);
      push(step);
    }
    flushSource_ = SourceId();
    close(body);
  }
  SourceId flushSource() {
    if (!flushSource_.valid())
      flushSource_ = p_.sources.push({p_.names.intern("BlockFlush"), ComputeSetId()});
    return flushSource_;
  }

  // ---- where records are kept
  void describeProfile() {
    BlockProfile &profile = p_.blockProfile;
    profile.on = true;
    profile.streamCopies = options_.streamCopies;
    for (std::uint32_t first = 0; first < p_.numTiles; first += machine_.tilesPerIpu)
      profile.tiles.push_back(TileId(first + options_.tile));
    profile.bufferTiles = profile.tiles;
    if (profile.streamCopies)
      for (const HostTile &row : p_.hostTiles)
        profile.bufferTiles.push_back(row.tile);
    std::sort(profile.bufferTiles.begin(), profile.bufferTiles.end());
    profile.bufferTiles.erase(std::unique(profile.bufferTiles.begin(), profile.bufferTiles.end()),
                              profile.bufferTiles.end());
  }
  void placeBuffers() {
    const InstrumentModel &model = machine_.instrument;
    BlockProfile &profile = p_.blockProfile;
    profile.recordsPerTile = (options_.bufferBytes + model.blockRecordBytes - 1) / model.blockRecordBytes;
    const Bytes32 bytes(model.blockHeaderBytes + profile.recordsPerTile * model.blockRecordBytes);
    const std::uint32_t payload = std::max<std::uint32_t>(1, machine_.host.maxPacketBytes),
                        packets = (bytes.count() + payload - 1) / payload;
    const CodeModel &code = machine_.code;
    const std::uint32_t instructions = packets * code.hostSendInstr + code.hostPointerInstr + code.hostFrameInstr;
    POPSCOPE_CHECK(flush_ >= 0, "buffers of blocks are read by no program");
    StreamCopyStep &flush = p_.streamCopies[static_cast<std::size_t>(flush_)];
    flush.firstTile = static_cast<std::uint32_t>(p_.hostTiles.size());
    flush.numTiles = static_cast<std::uint32_t>(profile.bufferTiles.size());
    for (const TileId tile : profile.bufferTiles) {
      p_.storage.push_back({p_.root, tile, StorageCategory::InstrumentationResults, bytes, 0});
      p_.hostTiles.push_back({tile, bytes, Bytes32(instructions * code.instructionBytes),
                              Bytes32(packets * machine_.host.packetHeaderBytes)});
    }
    flush.bytes = bytes * profile.bufferTiles.size();
    flush.cycles = costs_.hostCopy(flush.bytes);
  }

  StepProgram &p_;
  const TileMachine &machine_;
  const CostModel &costs_;
  const BlockOptions &options_;
  NameFilter blocks_, programs_;
  std::int64_t flush_; // the payload that reads the buffers; -1 = none
  IdVector<StepIndex, Step> old_;
  LargeTable<std::uint64_t> oldContexts_;              // by old step
  std::uint64_t context_ = 0;                          // context of the steps that are pushed
  std::vector<StepIndex> moved_;                       // by old step
  std::vector<std::uint8_t> mark_;                     // by old step
  std::vector<std::int8_t> blockNames_, programNames_; // by name: -1 = not evaluated yet
  std::vector<bool> functionRecords_,
      openAtCall_; // per function: whether the function records something; whether a recorded block can be open at a
                   // call of the function
  std::int64_t inFunction_ = -1;
  std::uint32_t openBlocks_ = 0;
  bool recordsHere_ = false; // true: the part of the innermost loop's body that is built so far records something
  SourceId flushSource_;
};

} // namespace

void insertBlocks(StepProgram &program, const TileMachine &machine, const CostModel &costs,
                  const BlockOptions &options) {
  if (options.on())
    BlockInserter(program, machine, costs, options).run();
}

} // namespace popscope
