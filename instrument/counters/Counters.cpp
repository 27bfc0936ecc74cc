#include "instrument/counters/Counters.hpp"

#include "base/Check.hpp"
#include "base/Extent.hpp"
#include "base/WideLoops.hpp"
#include "instrument/counters/FirstStart.hpp"
#include "instrument/counters/LimitDetail.hpp"
#include "instrument/counters/StepOnIpu.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace popscope {
namespace {

Cycles &totalOf(RunTotals &totals, TimeKind kind) {
  switch (kind) {
  case TimeKind::Compute: return totals.compute;
  case TimeKind::Exchange: return totals.exchange;
  case TimeKind::GlobalExchange: return totals.globalExchange;
  case TimeKind::HostExchange: return totals.hostExchange;
  case TimeKind::Sync: return totals.sync;
  case TimeKind::ControlFlow: break; // control flow has no work
  }
  return totals.unattributed;
}

// Returns the rows sorted by descending cycles, then by name. Rows with unknown cycles come last.
std::vector<VertexTypeCycles> sortedTypes(const StepProgram &program, std::span<const StepEvent::TypeCycles> types) {
  std::vector<VertexTypeCycles> rows;
  for (const auto &type : types)
    rows.push_back({type.type.index(), type.instances, type.cycles});
  std::sort(rows.begin(), rows.end(), [&](const VertexTypeCycles &a, const VertexTypeCycles &b) {
    if (a.cycles != b.cycles)
      return a.cycles > b.cycles; // an optional without value is less than any value
    const auto &nameA = program.vertexTypes[VertexTypeId(a.vertexType)].name;
    const auto &nameB = program.vertexTypes[VertexTypeId(b.vertexType)].name;
    return std::tie(nameA, a.vertexType) < std::tie(nameB, b.vertexType);
  });
  return rows;
}

// Returns the busy cycles per tile, or an empty list (unknown) if a number exceeds the 32 bits of the record.
std::vector<std::uint32_t> cyclesByTile(const StepEvent &event) {
  if (event.kind == TimeKind::Sync)
    return {};
  if (mostOf(event.busy).count() > std::numeric_limits<std::uint32_t>::max())
    return {};
  const std::span<const std::uint64_t> busy = numbersOf(event.busy);
  return {busy.begin(), busy.end()};
}

} // namespace

Counters::Counters(const StepProgram &program, std::uint32_t tilesPerIpu, ProfileSink &sink, RecordedDetail detail,
                   std::function<double()> hostMicroseconds)
    : program_(program), tilesPerIpu_(tilesPerIpu), sink_(sink), detail_(detail),
      hostMicroseconds_(std::move(hostMicroseconds)) {
  POPSCOPE_CHECK(tilesPerIpu > 0 && program.numTiles % tilesPerIpu == 0, "{} tiles are not whole IPUs of {}",
                 program.numTiles, tilesPerIpu);
}

std::optional<double> Counters::now() const {
  return hostMicroseconds_ ? std::optional(hostMicroseconds_()) : std::nullopt;
}

void Counters::identifyRun(std::uint64_t number, std::string label) {
  runNumber_ = number;
  runLabel_ = std::move(label);
}

void Counters::beginRun(std::uint32_t program, const std::string &name) {
  totals_ = RunTotals();
  totals_.threadCycles = Cycles();
  attributedOrigin_ = {};
  attributed_ = std::make_shared<TileTimes>(program_.numTiles);
  controlFlow_.clear();
  RunRecord record;
  record.name = name;
  record.program = program;
  record.number = runNumber_;
  record.label = runLabel_;
  record.kinds = detail_.kinds;
  record.startMicroseconds = now();
  sink_.beginRun(record);
}

namespace {

struct AllTiles {
  std::uint64_t work = 0, reading = 0, waiting = 0;
  bool plain = true; // false: some tile breaks a rule; checkTiles names the tile
};

/// Sums up work, reading of counters and waiting over all tiles. `waits`: tiles may wait in the step; `idleWait`: tiles
/// without work may wait, too. `attributed` counts from `origin`. The loop has no branches, so that compilers vectorise
/// it.
POPSCOPE_WIDE_LOOPS AllTiles attributeAll(const StepEvent &event, std::span<const Cycles> attributed, Cycles origin,
                                          bool waits, bool idleWait) {
  const std::uint64_t *begin = numbersOf(event.begin).data(), *start = numbersOf(event.start).data(),
                      *busy = numbersOf(event.busy).data(), *end = numbersOf(event.end).data(),
                      *until = numbersOf(attributed).data(),
                      *counters = event.counters.empty() ? nullptr : numbersOf(event.counters).data();
  const std::uint64_t mayWait = maskOf(waits), idleMayWait = maskOf(idleWait), apart = (event.origin - origin).count();
  std::uint64_t work = 0, reads = 0, waiting = 0, odd = 0;
  const auto add = [&](std::size_t t, std::uint64_t reading) {
    const std::uint64_t wait = end[t] - begin[t] - busy[t] - reading;
    work += busy[t];
    reads += reading;
    waiting += wait;
    odd |= ((begin[t] + apart) ^ until[t]) | maskOf(begin[t] > start[t]) |
           maskOf(start[t] + busy[t] + reading > end[t]) | (wait & ~(idleMayWait | (mayWait & maskOf(busy[t] != 0))));
  };
  const std::size_t tiles = attributed.size();
  if (counters == nullptr)
    for (std::size_t t = 0; t < tiles; ++t)
      add(t, 0);
  else
    for (std::size_t t = 0; t < tiles; ++t)
      add(t, counters[t]);
  return {work, reads, waiting, odd == 0};
}

/// Checks that, after a pattern, the clock of each tile is the time at which the next step begins.
void checkPattern(const StepPattern &pattern) {
  for (std::size_t t = 0; t < pattern.end->size(); ++t)
    POPSCOPE_CHECK((*pattern.end)[t] == pattern.advance + (*pattern.after)[t],
                   "a pattern ends at {} on tile {}, and what follows begins at {}", (*pattern.end)[t].count(), t,
                   (pattern.advance + (*pattern.after)[t]).count());
}

} // namespace

// Adds the event to the totals. Every tile's time in the step is its busy cycles, the reading of its counters, or
// waiting. A sync makes every tile wait. In an exchange, tiles also wait for the common start and end, and this waiting
// counts as sync. All other steps consist only of work and reading of counters.
void Counters::attribute(const StepEvent &event, Kept *kept) {
  Attributed all;
  if (kept != nullptr && kept->pattern == event.pattern && event.pattern->before == attributed_ &&
      event.origin == attributedOrigin_)
    all = kept->attributed; // the rules were checked when this was computed
  else
    all = attributeTiles(event);
  if (kept != nullptr && kept->pattern != event.pattern) {
    checkPattern(*event.pattern);
    *kept = {event.pattern, all, nullptr};
  }
  totalOf(totals_, event.kind) += all.work;
  (event.kind == TimeKind::ControlFlow ? totals_.controlFlowReads : totals_.counterReads) += all.reading;
  totals_.sync += all.waiting;
  if (event.pattern) {
    attributedOrigin_ = event.origin + event.pattern->advance;
    attributed_ = event.pattern->after;
  } else {
    attributedOrigin_ = event.origin;
    attributed_ = keepTimes(event.end);
  }
}

Counters::Attributed Counters::attributeTiles(const StepEvent &event) const {
  const bool sync = event.kind == TimeKind::Sync;
  const bool mayWait = event.kind != TimeKind::Compute && event.kind != TimeKind::ControlFlow;
  const AllTiles all = attributeAll(event, *attributed_, attributedOrigin_, mayWait, sync);
  if (!all.plain)
    checkTiles(event, mayWait, sync);
  return {Cycles(all.work), Cycles(all.reading), Cycles(all.waiting)};
}

/// Copies the times to memory that no other object holds. Reuses this memory, so that most steps allocate nothing.
SharedTimes Counters::keepTimes(std::span<const Cycles> times) {
  if (!own_ || own_.use_count() > (own_ == attributed_ ? 2 : 1))
    own_ = std::make_shared<TileTimes>(times.size());
  std::copy(times.begin(), times.end(), own_->begin());
  return own_;
}

void Counters::checkTiles(const StepEvent &event, bool mayWait, bool idleMayWait) const {
  for (std::size_t t = 0; t < attributed_->size(); ++t) {
    const Cycles begin = event.origin + event.begin[t], start = event.origin + event.start[t],
                 end = event.origin + event.end[t], busy = event.busy[t];
    POPSCOPE_CHECK(begin == attributedUpTo(t), "step {} begins at {} on tile {}, which is attributed up to {}",
                   event.step.index(), begin.count(), t, attributedUpTo(t).count());
    POPSCOPE_CHECK(begin <= start, "step {}: tile {} starts to work at {}, before it enters at {}", event.step.index(),
                   t, start.count(), begin.count());
    const Cycles reading = event.counters.empty() ? Cycles() : event.counters[t];
    POPSCOPE_CHECK(start + busy + reading <= end,
                   "step {} lasts from {} to {} on tile {}, with {} of work and {} of reading counters",
                   event.step.index(), begin.count(), end.count(), t, busy.count(), reading.count());
    const Cycles waiting = end - begin - busy - reading;
    POPSCOPE_CHECK(waiting == Cycles() || idleMayWait || (mayWait && busy != Cycles()),
                   "tile {} waits {} cycles inside step {}", t, waiting.count(), event.step.index());
  }
}

namespace {

/// Counts the tiles with vertices as active, even if the cycles of their vertices are unknown.
void countTilesOfVertices(const StepProgram &program, StepIndex index, std::uint32_t tilesPerIpu, StepRecord &record) {
  const Step &step = program.steps[index];
  if (step.kind != StepKind::OnTileExecute)
    return;
  const ExecuteStep &execute = program.executes[step.payload];
  std::vector<bool> works(program.numTiles, false);
  for (std::uint32_t v = execute.firstVertex; v < execute.firstVertex + execute.numVertices; ++v)
    works[program.vertices[v].tile.index()] = true;
  for (std::uint32_t c = execute.firstCopy; c < execute.firstCopy + execute.numCopies; ++c)
    works[program.copies[c].tile.index()] = true;
  auto first = works.begin();
  for (StepOnIpu &ipu : record.ipus) {
    ipu.activeTiles = static_cast<std::uint64_t>(std::count(first, first + tilesPerIpu, true));
    first += tilesPerIpu;
  }
}

} // namespace

StepRecord Counters::record(const StepEvent &event) const {
  StepRecord record;
  record.program = event.step.index();
  if (event.kind == TimeKind::Compute) {
    record.threadCycles = event.threadCycles;
    record.slots = event.slots;
    record.vertexTypes = sortedTypes(program_, event.types);
  }
  for (std::size_t first = 0; first < program_.numTiles; first += tilesPerIpu_)
    record.ipus.push_back(summariseTiles(event, first, first + tilesPerIpu_));
  record.cyclesByTile = cyclesByTile(event);
  if (!cyclesKnown(event))
    countTilesOfVertices(program_, event.step, tilesPerIpu_, record);
  return record;
}

// Turns one event into a record. If the step has the pattern of its previous execution, passes on the same record with
// another origin. This costs a few additions for any number of tiles.
void Counters::step(const StepEvent &event) {
  POPSCOPE_CHECK(event.begin.size() == program_.numTiles && event.end.size() == program_.numTiles &&
                     event.start.size() == program_.numTiles && event.busy.size() == program_.numTiles,
                 "an event of step {} is not about all {} tiles", event.step.index(), program_.numTiles);
  Kept *kept = event.pattern ? &kept_[event.step.index()] : nullptr;
  attribute(event, kept);
  const StepKind stepKind = program_.steps[event.step].kind;
  if (stepKind == StepKind::Block)
    return; // the time of a Block is the cost of recording, and belongs to no step of the user's program
  if (event.kind == TimeKind::ControlFlow) {
    const std::uint64_t taken = event.controlFlow->taken;
    controlFlow_[event.step.index()] = {event.step.index(), event.controlFlow->cycles,
                                        taken == kNoChild ? std::nullopt : std::optional(taken)};
    return;
  }
  if (event.kind == TimeKind::Compute) {
    totals_.threadCycles = totals_.threadCycles && event.threadCycles
                               ? std::optional(*totals_.threadCycles + *event.threadCycles)
                               : std::nullopt;
    totals_.totalKnown = totals_.totalKnown && cyclesKnown(event);
  }
  if (kept != nullptr && kept->record)
    return sink_.stepAgain(kept->record, event.origin);
  StepRecord made = record(event);
  const StepCounters counters = stepKindRow(stepKind).counters;
  // At detail Device, the first IPU's record holds the device's time. If that IPU does not work, laterBy() would not
  // shift this time.
  const bool moves = detail_.compute != ComputeDetail::Device || made.ipus.front().activeTiles != 0;
  if (kept != nullptr && moves) {
    limitDetail(detail_, event.kind, counters, made);
    kept->record = std::make_shared<StepRecord>(std::move(made));
    return sink_.stepAgain(kept->record, event.origin);
  }
  made = laterBy(std::move(made), event.origin);
  limitDetail(detail_, event.kind, counters, made);
  sink_.step(made);
}

void Counters::endRun(std::span<const Cycles> clocks) {
  POPSCOPE_CHECK(clocks.size() == attributed_->size(), "{} clocks for {} tiles", clocks.size(), attributed_->size());
  totals_.totalCycles = clocks.empty() ? Cycles() : *std::max_element(clocks.begin(), clocks.end());
  for (std::size_t t = 0; t < clocks.size(); ++t) {
    POPSCOPE_CHECK(clocks[t] == attributedUpTo(t), "tile {} ends at {}, {} cycles are attributed", t, clocks[t].count(),
                   attributedUpTo(t).count());
    totals_.sync += totals_.totalCycles - clocks[t]; // the tile waits for the end of the run
  }
  totals_.unattributed = totals_.counterReads + totals_.controlFlowReads; // the parts with a known cause
  const Cycles sum = totals_.compute + totals_.exchange + totals_.globalExchange + totals_.hostExchange +
                     totals_.sharedStructureCopy + totals_.sync + totals_.unattributed;
  POPSCOPE_CHECK(sum == totals_.totalCycles * clocks.size(), "{} cycles are attributed, {} tiles took {} each",
                 sum.count(), clocks.size(), totals_.totalCycles.count());
  limitDetail(detail_, totals_);
  if (detail_.controlFlow && records(detail_, TimeKind::ControlFlow)) {
    std::vector<ControlFlowRecord> rows;
    for (const auto &row : controlFlow_)
      rows.push_back(row.second);
    sink_.controlFlow(rows);
  }
  sink_.endRun(totals_, now());
}

} // namespace popscope
