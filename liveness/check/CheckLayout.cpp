#include "liveness/check/CheckLayout.hpp"

#include "base/Parallel.hpp"
#include "liveness/check/CheckConsumers.hpp"
#include "liveness/check/CheckTileTotals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace popscope {
namespace {

bool isCode(StorageCategory c) {
  return c == StorageCategory::VertexCode || c == StorageCategory::SharedCodeStorage ||
         c == StorageCategory::ControlCode || c == StorageCategory::InternalExchangeCode ||
         c == StorageCategory::HostExchangeCode || c == StorageCategory::GlobalExchangeCode;
}

// Returns the steps of each class, one bit per step.
std::vector<std::vector<bool>> stepsOfClasses(const LiveRanges &ranges, std::size_t numSteps) {
  std::vector<std::vector<bool>> out(ranges.classes.size(), std::vector<bool>(numSteps, false));
  for (std::size_t c = 0; c < out.size(); ++c)
    for (const StepInterval &i : ranges.intervalsOf(LiveClassId(static_cast<std::uint32_t>(c))))
      for (std::uint32_t s = i.begin.index(); s < i.end.index(); ++s)
        out[c][s] = true;
  return out;
}

class TileChecker {
public:
  TileChecker(const StepProgram &program, const LiveRanges &ranges, const LayoutResult &layout,
              const TileMachine &machine, const std::vector<std::vector<bool>> &stepsOf, std::uint32_t tile)
      : program_(program), ranges_(ranges), layout_(layout), machine_(machine), stepsOf_(stepsOf), tile_(tile),
        allocations_(layout.ofTile(TileId(tile)).begin(), layout.ofTile(TileId(tile)).end()) {}

  std::vector<std::string> check() {
    for (std::size_t i = 0; i < allocations_.size(); ++i)
      checkAllocation(i);
    if (!findings_.empty())
      return findings_; // the other checks need correct ids
    checkPairs();
    checkApart();
    checkTileTotals(program_, ranges_, machine_, TileId(tile_), allocations_, layout_.tiles[tile_], findings_);
    return findings_;
  }

private:
  template <class... Args> void report(fmt::format_string<Args...> text, Args &&...args) {
    findings_.push_back(fmt::format("tile {}: {}", tile_, fmt::format(text, std::forward<Args>(args)...)));
  }
  [[nodiscard]] static std::string describe(const Allocation &a) {
    return fmt::format("{} (owner {} index {}) at [{}, {})", storageCategoryKey(a.category), static_cast<int>(a.owner),
                       a.ownerIndex, a.address, a.end());
  }
  [[nodiscard]] const StepVar *variableOf(const Allocation &a) const {
    return a.owner == OwnerKind::Home && a.ownerIndex < program_.homes.size()
               ? &program_.vars[program_.homes[HomeId(a.ownerIndex)].var]
               : nullptr;
  }

  void checkAllocation(std::size_t i) {
    const Allocation &a = allocations_[i];
    if (i > 0 && allocations_[i - 1].address > a.address)
      report("{} is out of order", describe(a));
    if (a.bytes == Bytes32())
      report("{} is empty", describe(a));
    if (a.occupied.index() >= stepsOf_.size())
      report("{} has class {}, which does not exist", describe(a), a.occupied.index());
    if (a.alignment == 0 || a.address % a.alignment != 0)
      report("A2: {} is not aligned to {}", describe(a), std::uint32_t(a.alignment));
    checkRegion(a);
    checkOwner(a);
  }

  // Returns whether every byte of [begin, end) lies in a region that `accept` allows. The range may span several
  // regions.
  template <class Accept> [[nodiscard]] bool allInside(std::uint64_t begin, std::uint64_t end, Accept accept) const {
    for (bool moved = true; begin < end && moved;) {
      moved = false;
      for (const MemoryRegion &r : machine_.regions)
        if (r.offset <= begin && begin < std::uint64_t(r.offset) + r.size && accept(r)) {
          begin = std::uint64_t(r.offset) + r.size;
          moved = true;
        }
    }
    return begin >= end;
  }

  [[nodiscard]] std::uint64_t highest() const {
    std::uint64_t end = 0;
    for (const Allocation &a : allocations_)
      end = std::max(end, a.end());
    return end;
  }

  // Returns whether an address limit or an element rule binds some home of the tile.
  [[nodiscard]] bool anyDemand() const {
    return std::any_of(allocations_.begin(), allocations_.end(), [&](const Allocation &a) {
      const StepVar *var = variableOf(a);
      return var != nullptr && (var->addressLimit != 0 ||
                                std::any_of(program_.apart.begin(), program_.apart.end(), [&](const ApartHomes &pair) {
                                  return pair.a.index() == a.ownerIndex || pair.b.index() == a.ownerIndex;
                                }));
    });
  }

  void checkRegion(const Allocation &a) {
    const std::uint64_t begin = a.address, end = a.end();
    if (a.region != regionOfAddress(machine_, begin))
      report("A3: {} says that it is in region {}", describe(a), static_cast<int>(a.region));
    if (machine_.regions.empty() || begin >= machine_.bytesPerTile)
      return;
    if (isCode(a.category) && !allInside(begin, end, [](const MemoryRegion &r) { return r.executable; }))
      report("A3: {} is code outside of executable memory", describe(a));
    const StepVar *var = variableOf(a);
    if (var != nullptr && var->interleaved &&
        !allInside(begin, end, [](const MemoryRegion &r) { return r.kind == RegionKind::Interleaved; }))
      report("A3: {} must be interleaved", describe(a));
    if (var != nullptr && var->addressLimit != 0 &&
        std::min<std::uint64_t>(end, machine_.bytesPerTile) > var->addressLimit)
      report("A7: {} ends above {}, which its pointers do not reach", describe(a), var->addressLimit);
    if (!isCode(a.category) && begin < machine_.dataStartOffset && !anyDemand() &&
        highest() + machine_.dataStartOffset <= machine_.bytesPerTile)
      report("A3: {} is data below {} on a tile with room above", describe(a), machine_.dataStartOffset);
  }

  void checkOwner(const Allocation &a) {
    if (a.owner != OwnerKind::Home) {
      if (a.occupied != LiveClassId(1))
        report("{} is no variable and not always occupied", describe(a));
      return;
    }
    const StepVar *var = variableOf(a);
    if (var == nullptr) {
      report("{} is the home of no variable", describe(a));
      return;
    }
    const HomeId home(a.ownerIndex);
    const VarId id = program_.homes[home].var;
    if (program_.homes[home].tile.index() != tile_ || program_.homeBytes(home) != a.bytes)
      report("{} is not home {}, of {} bytes", describe(a), a.ownerIndex, program_.homeBytes(home).count());
    if (a.occupied != ranges_.occupiedOf(id, home) || a.category != var->category || a.alignment % var->alignment != 0)
      report("{} differs from its variable '{}'", describe(a), program_.names[var->name]);
  }

  // Returns the first addresses of the memory elements that the allocation touches.
  [[nodiscard]] std::set<std::uint64_t> elementsOf(const Allocation &a) const {
    std::set<std::uint64_t> out;
    const std::uint64_t begin = a.address, end = a.end();
    for (const MemoryRegion &r : machine_.regions)
      for (std::uint64_t at = r.offset; r.elementSize != 0 && at < std::uint64_t(r.offset) + r.size;
           at += r.elementSize)
        if (begin < at + r.elementSize && at < end)
          out.insert(at);
    return out;
  }
  void checkApart() {
    std::map<std::uint32_t, const Allocation *> homes;
    for (const Allocation &a : allocations_)
      if (a.owner == OwnerKind::Home && a.address < machine_.bytesPerTile)
        homes[a.ownerIndex] = &a;
    for (const ApartHomes &pair : program_.apart) {
      const auto a = homes.find(pair.a.index()), b = homes.find(pair.b.index());
      if (a == homes.end() || b == homes.end())
        continue;
      const std::set<std::uint64_t> mine = elementsOf(*a->second);
      for (const std::uint64_t element : elementsOf(*b->second))
        if (mine.count(element) != 0)
          report("A8: {} and {} must lie in different memory elements, but both touch the element at {}",
                 describe(*a->second), describe(*b->second), element);
    }
  }

  [[nodiscard]] bool meetInTime(LiveClassId a, LiveClassId b) const {
    for (std::size_t s = 0; s < program_.steps.size(); ++s)
      if (stepsOf_[a.index()][s] && stepsOf_[b.index()][s])
        return true;
    return false;
  }
  void checkPairs() {
    std::vector<bool> shares(allocations_.size(), false);
    for (std::size_t i = 0; i < allocations_.size(); ++i)
      for (std::size_t j = i + 1; j < allocations_.size(); ++j) {
        const Allocation &a = allocations_[i], &b = allocations_[j];
        if (a.address >= b.end() || b.address >= a.end())
          continue;
        shares[i] = shares[j] = true;
        if (meetInTime(a.occupied, b.occupied))
          report("A1: {} and {} share addresses and are occupied together", describe(a), describe(b));
      }
    for (std::size_t i = 0; i < shares.size(); ++i)
      if (shares[i] != allocations_[i].overlapped)
        report("{} is said {}to be overlapped", describe(allocations_[i]), allocations_[i].overlapped ? "" : "not ");
  }

  const StepProgram &program_;
  const LiveRanges &ranges_;
  const LayoutResult &layout_;
  const TileMachine &machine_;
  const std::vector<std::vector<bool>> &stepsOf_;
  std::uint32_t tile_;
  std::vector<Allocation> allocations_;
  std::vector<std::string> findings_;
};

void checkOutOfMemory(const LayoutResult &layout, const TileMachine &machine, std::vector<std::string> &findings) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> full; // (unused bytes, tile); ascending order has the fullest
                                                             // first
  for (std::uint32_t t = 0; t < layout.tiles.size(); ++t)
    if (!machine.regions.empty() && layout.tiles[t].totalIncludingGaps > Bytes(machine.bytesPerTile))
      full.emplace_back(~layout.tiles[t].totalIncludingGaps.count(), t);
  std::sort(full.begin(), full.end());
  bool same = full.size() == layout.tilesOutOfMemory.size();
  for (std::size_t i = 0; same && i < full.size(); ++i)
    same = full[i].second == layout.tilesOutOfMemory[i].index();
  if (!same)
    findings.push_back(fmt::format("the list of tiles out of memory has {} tiles and should have {}, fullest first",
                                   layout.tilesOutOfMemory.size(), full.size()));
}

} // namespace

std::vector<std::string> checkLayout(const StepProgram &program, const LiveRanges &ranges, const LayoutResult &layout,
                                     const TileMachine &machine, std::optional<bool> codeIncluded, Threads threads) {
  const std::size_t numTiles = program.numTiles;
  if (layout.tiles.size() != numTiles || layout.firstOfTile.size() != numTiles + 1 || layout.firstOfTile.front() != 0 ||
      layout.firstOfTile.back() != layout.allocations.size() ||
      !std::is_sorted(layout.firstOfTile.begin(), layout.firstOfTile.end()))
    return {"the layout's tables do not fit the program's tiles"};
  const auto stepsOf = stepsOfClasses(ranges, program.steps.size());
  std::vector<std::vector<std::string>> ofTile(numTiles);
  parallelFor(threads, numTiles, [&](std::size_t t) {
    ofTile[t] = TileChecker(program, ranges, layout, machine, stepsOf, static_cast<std::uint32_t>(t)).check();
  });
  std::vector<std::string> findings;
  for (const auto &list : ofTile)
    findings.insert(findings.end(), list.begin(), list.end());
  const bool code = codeIncluded.value_or(std::any_of(layout.allocations.begin(), layout.allocations.end(),
                                                      [](const Allocation &a) { return isCode(a.category); }));
  const ConsumerFindings consumers = checkConsumers(program, layout, machine, code);
  findings.insert(findings.end(), consumers.unplaced.begin(), consumers.unplaced.end());
  checkOutOfMemory(layout, machine, findings);
  return findings;
}

} // namespace popscope
