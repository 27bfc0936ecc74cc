#include "graph/lowering/SizeControlCode.hpp"

#include "base/HashIndex.hpp"
#include "graph/lowering/BuildControlTables.hpp"
#include "graph/lowering/InsertInstrumentation.hpp"
#include "graph/steps/BlockTiles.hpp"
#include "graph/steps/StepPayloads.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace popscope {
namespace {

class ControlCode {
public:
  ControlCode(StepProgram &program, const TileMachine &machine, const LoweringOptions &options)
      : p_(program), code_(machine.code), blockEdgeInstr_(machine.instrument.blockEdgeInstr),
        blockTiles_(blockTiles(p_)), options_(options), exchanges_(p_.exchanges.size()), executes_(p_.executes.size()),
        hostCopies_(p_.streamCopies.size()), hostBegins_(p_.streamCopies.size()), hostEnds_(p_.streamCopies.size()) {}

  void run() {
    for (std::size_t s = 0; s < p_.steps.size(); ++s) {
      Step &step = p_.steps[p_.steps.idAt(s)];
      step.controlCode = rowsOf(step, StepIndex(static_cast<std::uint32_t>(s)));
      step.controlCode.everyTile = Bytes32(everyTile(step, static_cast<std::uint32_t>(s)) * code_.instructionBytes);
    }
  }

private:
  [[nodiscard]] std::uint32_t children(const Step &step, std::uint32_t s) const {
    std::uint32_t n = 0;
    for (std::uint32_t c = s + 1; c < step.end; c = p_.steps[StepIndex(c)].end)
      ++n;
    return n;
  }
  /// Returns the number of instructions that every tile has for the step.
  [[nodiscard]] std::uint32_t everyTile(const Step &step, std::uint32_t s) const {
    switch (stepKindRow(step.kind).everyTile) {
    case ControlCost::None: return 0;
    case ControlCost::Sync: return code_.syncInstr;
    case ControlCost::TwoSyncs: return 2 * code_.syncInstr;
    case ControlCost::CounterSync: return countersNeedSync(options_.computeCounters) ? code_.syncInstr : 0;
    case ControlCost::ExchangeIdle: return code_.exchangeIdleInstr;
    case ControlCost::Branch: return code_.branchInstr;
    case ControlCost::BranchEachChild: return code_.branchInstr * children(step, s);
    case ControlCost::Loop: return code_.loopInstr;
    case ControlCost::Call: return code_.callInstr;
    }
    return 0;
  }
  /// Returns the rows of active tiles. Computes the rows once for each payload.
  CodeBytes rowsOf(const Step &step, StepIndex s) {
    return visitPayload(
        p_, step,
        Overloaded{[&](const ExchangeStep &e) { return once(exchanges_[step.payload], s, [&] { exchangeRows(e); }); },
                   [&](const ExecuteStep &e) { return once(executes_[step.payload], s, [&] { executeRows(e); }); },
                   [&](const StreamCopyStep &copy) { return hostCopyRows(step, s, copy); },
                   [&](const BlockStep &) { return added([&] { blockRows(blockTiles_[step.payload]); }); },
                   [&](const TileRegisterStep &r) { return added([&] { registerRows(r); }); },
                   [&](const auto &) {
                     return stepKindRow(step.kind).counters == StepCounters::Control ? added([&] { counterRows(s); })
                                                                                     : CodeBytes();
                   }});
  }
  CodeBytes hostCopyRows(const Step &step, StepIndex s, const StreamCopyStep &copy) {
    if (step.kind == StepKind::StreamCopyMid)
      return once(hostCopies_[step.payload], s, [&] { hostRows(copy); });
    return once((step.kind == StepKind::StreamCopyBegin ? hostBegins_ : hostEnds_)[step.payload], s,
                [&] { recordRows(copy); });
  }
  template <class Make> CodeBytes once(std::optional<CodeBytes> &known, StepIndex step, const Make &make) {
    if (!known)
      known = shared(added([&] {
        make();
        counterRows(step);
      }));
    return *known;
  }
  /// Returns the rows that `make` adds.
  template <class Make> CodeBytes added(const Make &make) {
    CodeBytes rows;
    rows.firstRow = static_cast<std::uint32_t>(p_.tileCode.size());
    make();
    rows.numRows = static_cast<std::uint32_t>(p_.tileCode.size()) - rows.firstRow;
    return rows;
  }
  /// If an earlier payload has rows equal to `rows`, removes `rows` and returns the earlier rows. Otherwise returns
  /// `rows`. `rows` must be the last rows of the table. Most compute sets have the same number of vertices on each
  /// tile, so the rows of many payloads are equal.
  CodeBytes shared(const CodeBytes &rows) {
    const auto from = p_.tileCode.begin() + rows.firstRow;
    std::uint64_t hash = rows.numRows;
    for (auto row = from; row != p_.tileCode.end(); ++row)
      hash = mixHash(hash, std::uint64_t(row->tile.index()) << 32 | row->bytes.count());
    const auto [known, isNew] = rowsByHash_.try_emplace(hash, rows);
    const CodeBytes &other = known->second;
    if (isNew || other.numRows != rows.numRows ||
        !std::equal(from, p_.tileCode.end(), p_.tileCode.begin() + other.firstRow))
      return rows;
    p_.tileCode.erase(from, p_.tileCode.end());
    return other;
  }
  /// Adds the instructions of the counters that belong to this step.
  void counterRows(StepIndex step) {
    auto row = std::lower_bound(p_.storage.begin(), p_.storage.end(), step,
                                [](const StepStorage &r, StepIndex s) { return r.step < s; });
    for (; row != p_.storage.end() && row->step == step; ++row)
      addRow(row->tile, row->instructions);
  }
  void addRow(TileId tile, std::uint32_t instructions) {
    if (instructions > 0)
      p_.tileCode.push_back({tile, Bytes32(instructions * code_.instructionBytes)});
  }
  void exchangeRows(const ExchangeStep &e) {
    const std::uint32_t more =
        code_.exchangeCallInstr > code_.exchangeIdleInstr ? code_.exchangeCallInstr - code_.exchangeIdleInstr : 0;
    for (std::uint32_t t = e.firstTile; t < e.firstTile + e.numTiles; ++t)
      addRow(p_.exchangeTiles[t].tile, more);
  }
  void executeRows(const ExecuteStep &e) {
    forEachLaunchingTile(p_, e, [&](TileId tile, std::uint32_t launches) {
      addRow(tile, options_.tableScheduler ? code_.tableCallInstr
                                           : code_.executeCallInstr + code_.executePerVertexInstr * launches);
    });
  }
  /// Adds the call of a run-time routine on each tile whose register the step reads or writes.
  void registerRows(const TileRegisterStep &step) {
    std::vector<TileId> tiles = step.tiles;
    for (const HomeBytes &piece : step.pieces)
      tiles.push_back(p_.homes[piece.home].tile);
    if (tiles.empty() && step.write)
      for (std::uint32_t t = 0; t < p_.numTiles; ++t)
        tiles.push_back(TileId(t));
    std::sort(tiles.begin(), tiles.end());
    tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
    for (const TileId tile : tiles)
      addRow(tile, code_.callInstr);
  }
  void hostRows(const StreamCopyStep &copy) {
    for (std::uint32_t t = copy.firstTile; t < copy.firstTile + copy.numTiles; ++t)
      addRow(p_.hostTiles[t].tile, code_.hostCallInstr);
    recordRows(copy);
  }
  /// Adds the code of lightweight profiling: each tile of a host copy records the begin and the end of its step.
  void recordRows(const StreamCopyStep &copy) {
    if (!p_.blockProfile.streamCopies || p_.blockProfile.recordsPerTile == 0)
      return;
    for (std::uint32_t t = copy.firstTile; t < copy.firstTile + copy.numTiles; ++t)
      addRow(p_.hostTiles[t].tile, 2 * blockEdgeInstr_);
  }
  void blockRows(const std::vector<TileId> &tiles) {
    if (p_.blockProfile.recordsPerTile != 0)
      for (const TileId tile : tiles)
        addRow(tile, 2 * blockEdgeInstr_);
  }

  StepProgram &p_;
  const CodeModel &code_;
  std::uint32_t blockEdgeInstr_;
  std::vector<std::vector<TileId>> blockTiles_; // by payload
  const LoweringOptions &options_;
  std::vector<std::optional<CodeBytes>> exchanges_, executes_, hostCopies_, hostBegins_, hostEnds_;
  std::unordered_map<std::uint64_t, CodeBytes> rowsByHash_; // lookup only
};

} // namespace

void sizeControlCode(StepProgram &program, const TileMachine &machine, const LoweringOptions &options) {
  ControlCode(program, machine, options).run();
}

} // namespace popscope
