#include "graph/lowering/InsertInstrumentation.hpp"
#include "graph/lowering/BuildControlTables.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace popscope {
namespace {

class CounterInserter {
public:
  CounterInserter(StepProgram &program, const TileMachine &machine, const LoweringOptions &options)
      : p_(program), machine_(machine), level_(options.computeCounters), external_(options.externalExchangeCounters),
        control_(options.controlFlowCounters),
        recordTile_(options.recordTile.valid() ? options.recordTile : TileId(p_.numTiles - 1)) {}

  void run() {
    for (std::size_t s = 0; s < p_.steps.size(); ++s) {
      const StepIndex step = p_.steps.idAt(s);
      const Step &info = p_.steps[step];
      if (isCounted(info))
        instructions_ += codeOf(step, info);
      // At the levels ipu and device, a step ends only when its longest tile has finished, so the tiles need a sync.
      // SizeControlCode gives this sync to all tiles.
      if (info.kind == StepKind::OnTileExecute && countersNeedSync(level_))
        instructions_ += std::uint64_t(p_.numTiles) * machine_.code.syncInstr;
    }
    if (level_ != CounterLevel::Off || external_ || control_)
      p_.passes.push_back(
          {"InsertInstrumentation", "bytes of counter code", 0, instructions_ * machine_.code.instructionBytes});
    std::sort(p_.storage.begin(), p_.storage.end(), [](const StepStorage &a, const StepStorage &b) {
      return std::tie(a.step, a.category, a.tile) < std::tie(b.step, b.category, b.tile);
    });
  }

private:
  [[nodiscard]] bool isCounted(const Step &step) const {
    switch (stepKindRow(step.kind).counters) {
    case StepCounters::None: break;
    case StepCounters::Compute: return level_ != CounterLevel::Off;
    case StepCounters::External: return external_;
    case StepCounters::Control: return control_ && !isEngineSwitch(p_, step);
    }
    return false;
  }
  /// Returns the number of instructions of the step's counters. Adds the counters if no earlier step of this kind has
  /// the payload.
  std::uint64_t codeOf(StepIndex step, const Step &info) {
    const auto [known, isNew] = codeOf_.try_emplace({info.kind, info.payload}, 0);
    if (isNew) {
      const std::size_t first = p_.storage.size();
      count(step, info);
      for (std::size_t row = first; row < p_.storage.size(); ++row)
        known->second += p_.storage[row].instructions;
    }
    return known->second;
  }
  void add(StepIndex step, TileId tile, std::uint32_t counters) {
    add(step, tile, counters, counters * machine_.instrument.countInstr);
  }
  void add(StepIndex step, TileId tile, std::uint32_t results, std::uint32_t instructions) {
    p_.storage.push_back({step, tile, StorageCategory::InstrumentationResults,
                          Bytes32(results * machine_.instrument.counterBytes), instructions});
  }
  void countControl(StepIndex step, StepKind kind) {
    const InstrumentModel &m = machine_.instrument;
    if (kind == StepKind::Repeat)
      return add(step, recordTile_, 1, m.countInstr);
    if (kind == StepKind::RepeatWhile)
      return add(step, recordTile_, 2, m.countInstr + m.pathInstr + m.countIterationsInstr());
    add(step, recordTile_, 2, m.countInstr + m.pathInstr);
  }
  void count(StepIndex step, const Step &info) {
    if (info.kind == StepKind::OnTileExecute) {
      countExecute(step, p_.executes[info.payload]);
    } else if (info.kind == StepKind::GlobalExchange) {
      const ExchangeStep &exchange = p_.exchanges[info.payload];
      for (std::uint32_t t = exchange.firstTile; t < exchange.firstTile + exchange.numTiles; ++t)
        add(step, p_.exchangeTiles[t].tile, 1);
    } else if (stepKindRow(info.kind).payload == StepPayload::StreamCopy) {
      const StreamCopyStep &copy = p_.streamCopies[info.payload];
      for (std::uint32_t t = copy.firstTile; t < copy.firstTile + copy.numTiles; ++t)
        add(step, p_.hostTiles[t].tile, 1);
    } else {
      countControl(step, info.kind);
    }
  }
  void countExecute(StepIndex step, const ExecuteStep &execute) {
    IpuId lastIpu;
    bool any = false;
    forEachLaunchingTile(p_, execute, [&](TileId tile, std::uint32_t launches) {
      const IpuId ipu = machine_.ipuOf(tile);
      switch (level_) {
      case CounterLevel::Off: break;
      case CounterLevel::Tile: add(step, tile, 1); break;
      case CounterLevel::Vertex: add(step, tile, launches); break;
      case CounterLevel::Ipu:
        if (ipu != lastIpu)
          add(step, TileId(ipu.index() * machine_.tilesPerIpu), 1);
        break;
      case CounterLevel::Device:
        if (!any)
          add(step, TileId(0), 1);
        break;
      }
      lastIpu = ipu;
      any = true;
    });
  }

  StepProgram &p_;
  const TileMachine &machine_;
  CounterLevel level_;
  bool external_, control_;
  TileId recordTile_;
  std::uint64_t instructions_ = 0;
  std::map<std::pair<StepKind, std::uint32_t>, std::uint64_t> codeOf_; // instructions
};

} // namespace

void insertInstrumentation(StepProgram &program, const TileMachine &machine, const LoweringOptions &options) {
  CounterInserter(program, machine, options).run();
}

} // namespace popscope
