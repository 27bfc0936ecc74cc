#include "graph/lowering/MergeCopies.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace popscope {
namespace {

using Range = HomeRanges::Range;

constexpr std::size_t kMaxMembers = 65535;    // Access::member
constexpr std::size_t kMaxNameLength = 500;   // of joined names: all of them stand in the table of sources

bool before(const Range &a, const Range &b) { return std::tie(a.home, a.begin) < std::tie(b.home, b.begin); }

void unite(std::vector<Range> &sorted) {
  std::size_t kept = 0;
  for (const Range &r : sorted)
    if (kept > 0 && sorted[kept - 1].home == r.home && r.begin <= sorted[kept - 1].end)
      sorted[kept - 1].end = std::max(sorted[kept - 1].end, r.end);
    else
      sorted[kept++] = r;
  sorted.resize(kept);
}

std::uint64_t bytesOf(const WaitingCopy &copy) {
  std::uint64_t bytes = 0;
  for (const Moves *moves : {&copy.remote, &copy.local})
    for (const Move &m : *moves)
      bytes += m.bytes;
  return bytes;
}

} // namespace

void HomeRanges::add(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(), before);
  unite(ranges);
  while (!levels_.empty() && levels_.back().size() <= 2 * ranges.size()) {
    std::vector<Range> both(levels_.back().size() + ranges.size());
    std::merge(levels_.back().begin(), levels_.back().end(), ranges.begin(), ranges.end(), both.begin(), before);
    unite(both);
    ranges = std::move(both);
    levels_.pop_back();
  }
  if (!ranges.empty())
    levels_.push_back(std::move(ranges));
}

bool HomeRanges::meet(const std::vector<Range> &ranges) const {
  for (const std::vector<Range> &level : levels_)
    for (const Range &r : ranges) {
      // The first that ends after r begins: in a level ends ascend, too.
      const auto it = std::upper_bound(level.begin(), level.end(), r, [](const Range &a, const Range &b) { return std::tie(a.home, a.begin) < std::tie(b.home, b.end); });
      if (it != level.end() && it->home == r.home && it->begin < r.end)
        return true;
    }
  return false;
}

CopyMerger::Uses CopyMerger::usesOf(const WaitingCopy &copy) {
  Uses uses;
  for (const Moves *moves : {&copy.remote, &copy.local})
    for (const Move &m : *moves) {
      if (m.src.valid())
        uses.reads.push_back({m.src, m.srcOffset, m.srcOffset + m.bytes});
      uses.writes.push_back({m.dst, m.dstOffset, m.dstOffset + m.bytes});
    }
  return uses;
}

std::vector<IpuId> CopyMerger::ipusOf(const WaitingCopy &copy) const {
  std::vector<IpuId> ipus;
  const auto add = [&](HomeId home) {
    if (!home.valid())
      return;
    const IpuId ipu = c_.ipuOf(c_.tileOf(home));
    if (std::find(ipus.begin(), ipus.end(), ipu) == ipus.end())
      ipus.push_back(ipu);
  };
  for (const Moves *moves : {&copy.remote, &copy.local})
    for (const Move &m : *moves) {
      add(m.src);
      add(m.dst);
    }
  std::sort(ipus.begin(), ipus.end());
  return ipus;
}

void CopyMerger::noteUses() {
  for (; noted_ < copies_.size(); ++noted_) {
    Uses uses = usesOf(copies_[noted_]);
    reads_.add(std::move(uses.reads));
    writes_.add(std::move(uses.writes));
  }
}

bool CopyMerger::joins(const WaitingCopy &copy) {
  if (copies_.empty())
    return true;
  if (copies_.size() == kMaxMembers || bytesOf(copy) > maxBytes_ - std::min(maxBytes_, bytes_) || ipusOf(copy) != ipusOf(copies_.front()))
    return false;
  noteUses();
  const Uses uses = usesOf(copy);
  return !writes_.meet(uses.reads) && !writes_.meet(uses.writes) && !reads_.meet(uses.writes);
}

void CopyMerger::add(WaitingCopy copy) {
  bytes_ += bytesOf(copy);
  copies_.push_back(std::move(copy));
}

std::vector<WaitingCopy> CopyMerger::take() {
  std::vector<WaitingCopy> copies;
  copies.swap(copies_);
  noted_ = 0;
  bytes_ = 0;
  reads_ = {};
  writes_ = {};
  return copies;
}

std::string joinedNames(const std::vector<WaitingCopy> &copies) {
  std::unordered_set<std::string> seen; // asked only
  std::string names;
  for (const WaitingCopy &copy : copies) {
    const std::string &name = copy.program->name;
    if (name.empty() || seen.count(name) != 0)
      continue;
    if (names.size() + name.size() > kMaxNameLength && !seen.empty()) {
      names += ",...";
      return "{" + names + "}";
    }
    names += (names.empty() ? "" : ",") + name;
    seen.insert(name);
  }
  return seen.size() > 1 ? "{" + names + "}" : names;
}

} // namespace popscope
