#include "instrument/counters/BlockRecorder.hpp"

#include "base/Check.hpp"

#include <algorithm>
#include <utility>

namespace popscope {
namespace {

constexpr std::size_t kManyRecords = 1u << 16; // number of records from which a tile without a limited buffer passes
                                               // its records on as soon as no block is open

bool isStreamCopy(StepKind kind) {
  return kind == StepKind::StreamCopyBegin || kind == StepKind::StreamCopyMid || kind == StepKind::StreamCopyEnd;
}

} // namespace

BlockRecorder::BlockRecorder(const StepProgram &program, std::vector<std::vector<TileId>> tilesOfBlocks)
    : program_(program), tilesOfBlocks_(std::move(tilesOfBlocks)) {
  for (const TileId tile : program.blockProfile.bufferTiles) {
    buffers_.emplace_back();
    buffers_.back().tile = tile;
  }
}

void BlockRecorder::attach(std::uint64_t run, EventSink *next, ProfileSink &records) {
  run_ = run;
  next_ = next;
  records_ = &records;
}

BlockRecorder::Buffer &BlockRecorder::bufferOf(TileId tile) {
  const auto found =
      std::lower_bound(buffers_.begin(), buffers_.end(), tile, [](const Buffer &b, TileId t) { return b.tile < t; });
  POPSCOPE_CHECK(found != buffers_.end() && found->tile == tile, "tile {} records blocks and has no buffer",
                 tile.index());
  return *found;
}

void BlockRecorder::beginRun(std::uint32_t program, const std::string &name) {
  for (Buffer &buffer : buffers_)
    buffer.latest = {};
  if (next_ != nullptr)
    next_->beginRun(program, name);
}

void BlockRecorder::begin(Buffer &buffer, StepIndex step, BlockRecord::Kind kind, Cycles from) {
  const Cycles at = buffer.earlier + from;
  const BlockRecord record{buffer.tile.index(), step.index(), kind, at, std::nullopt, run_};
  const std::size_t room = program_.blockProfile.recordsPerTile;
  if (room != 0 && buffer.kept.size() >= room) {
    if (!buffer.lost) {
      buffer.lost = record;
      buffer.lost->kind = BlockRecord::Kind::Overflow;
    }
    buffer.lost->to = at;
    buffer.open.push_back(kLost);
    return;
  }
  buffer.open.push_back(buffer.kept.size());
  buffer.kept.push_back(record);
}

void BlockRecorder::end(Buffer &buffer, Cycles to) {
  POPSCOPE_CHECK(!buffer.open.empty(), "a block ends on tile {} that did not begin", buffer.tile.index());
  const std::size_t place = buffer.open.back();
  buffer.open.pop_back();
  if (place == kLost)
    buffer.lost->to = buffer.earlier + to;
  else
    buffer.kept[place].to = buffer.earlier + to;
}

void BlockRecorder::edge(const StepEvent &event) {
  for (const TileId tile : tilesOfBlocks_.at(program_.steps[event.step].payload)) {
    Buffer &buffer = bufferOf(tile);
    if (event.edge == BlockEdge::Begin)
      begin(buffer, event.step, BlockRecord::Kind::Common, event.origin + event.end[tile.index()]);
    else
      end(buffer, event.origin + event.begin[tile.index()]);
  }
  if (program_.blockProfile.recordsPerTile != 0)
    return;
  const bool anyOpen = std::any_of(buffers_.begin(), buffers_.end(), [](const Buffer &b) { return !b.open.empty(); });
  const bool many =
      std::any_of(buffers_.begin(), buffers_.end(), [](const Buffer &b) { return b.kept.size() >= kManyRecords; });
  if (many && !anyOpen)
    flush();
}

void BlockRecorder::streamCopy(const StepEvent &event, const StreamCopyStep &copy) {
  const bool isFlush = copy.engine == StreamCopyStep::Engine::BlockFlush;
  if (isFlush && program_.steps[event.step].kind == StepKind::StreamCopyMid) {
    for (const Buffer &buffer : buffers_)
      POPSCOPE_CHECK(buffer.open.empty(), "a buffer of blocks is flushed on tile {} while a block is open",
                     buffer.tile.index());
    flush();
  }
  if (!program_.blockProfile.streamCopies)
    return;
  for (std::uint32_t t = copy.firstTile; t < copy.firstTile + copy.numTiles; ++t) {
    const TileId tile = program_.hostTiles[t].tile;
    Buffer &buffer = bufferOf(tile);
    begin(buffer, event.step, isFlush ? BlockRecord::Kind::BlockFlush : BlockRecord::Kind::StreamCopy,
          event.origin + event.begin[tile.index()]);
    end(buffer,
        event.origin + event.end[tile.index()] - (event.counters.empty() ? Cycles() : event.counters[tile.index()]));
  }
}

void BlockRecorder::step(const StepEvent &event) {
  const Step &step = program_.steps[event.step];
  if (event.edge != BlockEdge::None)
    edge(event);
  else if (isStreamCopy(step.kind))
    streamCopy(event, program_.streamCopies[step.payload]);
  for (Buffer &buffer : buffers_)
    buffer.latest = event.origin + event.end[buffer.tile.index()];
  if (next_ != nullptr)
    next_->step(event);
}

void BlockRecorder::flush() {
  for (Buffer &buffer : buffers_) {
    if (buffer.lost)
      buffer.kept.push_back(*std::exchange(buffer.lost, std::nullopt));
    if (!buffer.kept.empty())
      records_->blocks(std::exchange(buffer.kept, {}));
  }
}

void BlockRecorder::cutRun() {
  flush();
  for (Buffer &buffer : buffers_) {
    buffer.open.clear();
    buffer.earlier += std::exchange(buffer.latest, Cycles());
  }
}

void BlockRecorder::endRun(std::span<const Cycles> clocks) {
  for (Buffer &buffer : buffers_) {
    POPSCOPE_CHECK(buffer.open.empty(), "a block is open on tile {} at the end of a run", buffer.tile.index());
    buffer.latest = clocks[buffer.tile.index()];
  }
  cutRun();
  runCycles_ = clocks.empty() ? Cycles() : *std::max_element(clocks.begin(), clocks.end());
  if (next_ != nullptr)
    next_->endRun(clocks);
}

} // namespace popscope
