#include "engine/advice/TryAdvice.hpp"

#include "engine/advice/ApplyAdvice.hpp"
#include "engine/advice/SmallestSet.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace popscope {
namespace {

// Measures a compiled program: bytes past the end of memory, the fullest tile, occupied bytes of all tiles, and code
// and cycles of exchanges.
AdviceTrialRecord measure(const Variant &v, std::string purpose, const AdviceChanges &changes) {
  AdviceTrialRecord r;
  r.purpose = std::move(purpose);
  r.changes = toJson(changes);
  r.numChanges = changes.size();
  for (const AdviceChange &change : changes)
    r.text += (r.text.empty() ? "" : "\n") + describe(change);
  r.tilesOutOfMemory = v.layout.tilesOutOfMemory.size();
  r.pastEndBytes = bytesPastEnd(v);
  for (std::size_t t = 0; t < v.layout.tiles.size(); ++t) {
    const TileMemory &tile = v.layout.tiles[t];
    r.allTilesBytes += tile.totalExcludingGaps;
    if (tile.totalIncludingGaps > r.fullestBytes) {
      r.fullestBytes = tile.totalIncludingGaps;
      r.fullestTile = t;
    }
  }
  std::vector<bool> seen(v.program.exchanges.size(), false); // steps may share an exchange, and thus its code
  for (const Step &step : v.program.steps.raw()) {
    if (step.kind != StepKind::DoExchange)
      continue;
    const ExchangeStep &exchange = v.program.exchanges[step.payload];
    Cycles cycles;
    Bytes code;
    for (std::uint32_t t = exchange.firstTile; t < exchange.firstTile + exchange.numTiles; ++t) {
      cycles = std::max<Cycles>(cycles, v.program.exchangeTiles[t].cycles);
      code += v.program.exchangeTiles[t].codeBytes;
    }
    r.exchangeCycles += cycles;
    r.exchangeCodeBytes += seen[step.payload] ? Bytes() : code;
    seen[step.payload] = true;
  }
  return r;
}

/// Returns a sort key; better results have lower keys.
auto rankOf(const AdviceTrialRecord &r) {
  return std::make_tuple(r.pastEndBytes, r.fullestBytes, r.allTilesBytes, r.exchangeCycles, r.numChanges);
}
bool fits(const AdviceTrialRecord &r) { return r.tilesOutOfMemory == 0; }

/// Returns a key that is the same for the same changes in any order.
std::string keyOf(const AdviceChanges &changes) {
  std::vector<std::string> each;
  for (const AdviceChange &change : changes)
    each.push_back(toJson({change}));
  std::sort(each.begin(), each.end());
  std::string key;
  for (const std::string &one : each)
    key += one;
  return key;
}

// Runs all trials within a budget of compilations (`left_`).
//
// Problem: find few changes with which a program fits, and use few compilations. Idea: try each proposal alone, and add
// up the best proposals greedily. Propose again for the remaining overflow. Then leave out unnecessary changes. Last,
// compile each smaller set that could fit (TooFew excludes most smaller sets). Invariant: `rows_[best_]` is the best
// result of the search so far. The first trials of single proposals leave a third of the budget for the search. In each
// round of the search, trials of single proposals use at most three quarters of the remaining budget; the last quarter
// is for adding changes up.
class Trials {
public:
  explicit Trials(const TryInput &input) : in_(input), left_(input.settings.advice.trials) {
    rows_.push_back(measure(input.unchanged, "unchanged", {}));
  }

  std::vector<AdviceTrialRecord> run() {
    std::vector<Proposal> proposals = proposeUndefs(in_.graph, in_.unchanged.program, in_.liveness);
    append(proposals, proposeOptions(in_.settings, in_.unchanged.machine.rules, in_.machineStack));
    append(proposals, proposeMoves(in_.graph, in_.unchanged));
    if (fits(rows_[0]))
      append(proposals, proposeNearReaders(in_.graph, in_.unchanged));
    const bool search = !fits(rows_[0]);
    std::vector<Tried> useful = tryEach(proposals, {}, search ? left_ - left_ / 3 : left_);
    if (search)
      findFit(std::move(useful));
    return std::move(rows_);
  }

private:
  struct Tried {
    AdviceChanges changes;
    AdviceTrialRecord result;
  };

  static void append(std::vector<Proposal> &all, std::vector<Proposal> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }

  /// Compiles with the changes. Returns the row, or no value if the changes cannot be applied or no compilation is
  /// left.
  std::optional<AdviceTrialRecord> compile(const std::string &purpose, const AdviceChanges &changes) {
    if (left_ == 0)
      return std::nullopt;
    --left_;
    tried_.insert(keyOf(changes));
    const std::optional<Variant> made = in_.compile(changes);
    in_.tick();
    if (!made)
      return std::nullopt;
    rows_.push_back(measure(*made, purpose, changes));
    return rows_.back();
  }

  /// Returns the changes of both lists. A second move of an object continues its first move: "0 to 2" and "2 to 1"
  /// become "0 to 1".
  static AdviceChanges joined(const AdviceChanges &a, const AdviceChanges &b) {
    AdviceChanges all = a;
    for (const AdviceChange &change : b) {
      const bool move = hasMoves({change});
      const auto first =
          std::find_if(all.begin(), all.end(), [&](const AdviceChange &c) { return move && sameObject(c, change); });
      if (first == all.end())
        all.push_back(change);
      else if (!change.mapping.empty())
        *first = change;
      else if (first->mapping.empty() && first->to == change.from)
        first->to = change.to;
      else
        all.push_back(change);
    }
    return all;
  }

  /// Tries each proposal in addition to the base. Returns the proposals that improve on the base, best first.
  std::vector<Tried> tryEach(const std::vector<Proposal> &proposals, const AdviceChanges &base, std::uint32_t most) {
    const std::uint32_t keep = left_ - std::min(left_, most);
    std::vector<Tried> useful;
    const AdviceTrialRecord before = rows_[best_];
    for (const Proposal &proposal : proposals) // a proposal that is not tried also counts as proposed
      for (const AdviceChange &change : proposal.changes)
        if (seen_.insert(toJson({change})).second)
          proposed_.push_back(change);
    for (const Proposal &proposal : proposals) {
      if (left_ <= keep)
        break;
      const auto row = compile(base.empty() ? proposal.purpose : "search", joined(base, proposal.changes));
      if (row && rankOf(*row) < rankOf(before))
        useful.push_back({proposal.changes, *row});
    }
    std::stable_sort(useful.begin(), useful.end(),
                     [](const Tried &a, const Tried &b) { return rankOf(a.result) < rankOf(b.result); });
    return useful;
  }

  static bool sameThing(const AdviceChanges &a, const AdviceChanges &b) {
    return std::any_of(a.begin(), a.end(), [&](const AdviceChange &x) {
      return std::any_of(b.begin(), b.end(), [&](const AdviceChange &y) { return sameObject(x, y); });
    });
  }

  /// Adds the best proposal to the set, then each further proposal that reduces the bytes past the end. A trial of
  /// tryEach with `set` as its base has measured the set with the first proposal, so this addition needs no
  /// compilation.
  void addUp(const std::vector<Tried> &useful, AdviceChanges &set) {
    AdviceChanges added;
    for (const Tried &t : useful) {
      const bool known = added.empty();
      if (fits(rows_[best_]) || (left_ == 0 && !known))
        return;
      if (sameThing(added, t.changes))
        continue;
      const AdviceChanges larger = joined(set, t.changes);
      const auto row = known ? std::optional(t.result) : compile("search", larger);
      if (!row || row->pastEndBytes >= rows_[best_].pastEndBytes)
        continue;
      if (known)
        best_ = indexOf(t.result);
      else
        best_ = rows_.size() - 1;
      set = larger;
      added = joined(added, t.changes);
    }
  }
  [[nodiscard]] std::size_t indexOf(const AdviceTrialRecord &row) const {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].changes == row.changes)
        return i;
    return 0;
  }

  void findFit(std::vector<Tried> useful) {
    AdviceChanges set;
    addUp(useful, set);
    while (!fits(rows_[best_]) && left_ > 0) {
      const Bytes before = rows_[best_].pastEndBytes;
      --left_;
      const std::optional<Variant> now = in_.compile(set); // an earlier trial has measured this set
      in_.tick();
      if (!now)
        return;
      GraphIr graph = in_.graph;
      applyMoves(set, graph);
      addUp(tryEach(proposeMoves(graph, *now), set, left_ - left_ / 4), set);
      if (rows_[best_].pastEndBytes == before)
        return;
    }
    if (fits(rows_[best_]))
      leaveOut(set);
  }

  /// Leaves out unnecessary changes, beginning with the last, and adds the row of the result.
  void leaveOut(AdviceChanges set) {
    std::size_t fit = best_;
    bool all = true; // true: each change was left out once
    for (std::size_t i = set.size(); i-- > 0;) {
      if (set.size() == 1)
        break;
      AdviceChanges fewer = set;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (left_ == 0)
        all = false;
      const auto row = compile("search", fewer);
      if (row && fits(*row)) {
        set = std::move(fewer);
        fit = rows_.size() - 1;
      }
    }
    const bool smallest = all && noSmaller(set.size(), fit);
    AdviceTrialRecord found = rows_[fit];
    found.purpose = smallest ? "smallest" : all ? "fit" : "fits";
    rows_.push_back(std::move(found));
  }

  /// Compiles the sets of fewer than `size` proposed changes that could fit, the smallest first, until a set fits. If a
  /// set fits, sets `fit` to the index of its row. Returns true if a set fits or none of these sets fits, and false if
  /// compilations ran out or there are too many sets.
  bool noSmaller(std::size_t size, std::size_t &fit) {
    const TooFew tooFew(in_.graph, in_.unchanged);
    bool enough = true;
    const bool all = forEachSmaller(proposed_, size, [&](const AdviceChanges &changes) {
      if (tried_.count(keyOf(changes)) != 0 || tooFew.excludes(changes))
        return true;
      if (left_ == 0) {
        enough = false;
        return false;
      }
      const auto row = compile("search", changes);
      if (!row || !fits(*row))
        return true;
      fit = rows_.size() - 1;
      return false;
    });
    return all && enough;
  }

  const TryInput &in_;
  std::uint32_t left_;
  std::vector<AdviceTrialRecord> rows_;
  std::size_t best_ = 0;        // index in rows_
  AdviceChanges proposed_;      // without duplicates
  std::set<std::string> seen_;  // the proposed changes as JSON
  std::set<std::string> tried_; // the compiled sets, by keyOf
};

} // namespace

std::vector<AdviceTrialRecord> tryAdvice(const TryInput &input) { return Trials(input).run(); }

} // namespace popscope
