#include "graph/api/SortedRegions.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace popscope {
namespace {

using poplar::Interval;

/// One occurrence of elements that occur several times. Groups are in the order of memory and do not touch.
struct Copy {
  std::vector<std::vector<Interval>> groups;
  std::vector<std::size_t> aliases; // one per interval
  std::uint64_t end = 0;            // element after the last one
};
constexpr std::uint64_t kNowhere = ~std::uint64_t(0);

/// Problem: distribute the pieces among copies, each of which contains an element at most once. Idea: a sweep in the
/// order of elements. Each piece joins the copy that ends where the piece begins, or else a copy that ended earlier, or
/// else a new copy. Invariant: the pieces of a copy ascend and do not overlap. Cost: O(n log n) in pieces.
class SortedRegions {
public:
  SortedRegions(bool removeAliases, std::vector<std::size_t> *aliases)
      : removeAliases_(removeAliases), aliases_(aliases) {
    if (aliases_)
      aliases_->clear();
  }

  void add(const ViewPiece &p) {
    if (p.var != var_) {
      leaveVariable();
      var_ = p.var;
    }
    reached_ = std::max(reached_, p.begin);
    const std::uint64_t repeated = std::min(reached_ - p.begin, p.count);
    const ViewPiece rest{p.var, p.begin + repeated, p.count - repeated, p.position + repeated};
    if (removeAliases_ && rest.count == 0)
      return;
    Copy &copy = copyFor(removeAliases_ ? rest : p);
    if (repeated > 0 && !removeAliases_)
      addAliases(copy, {p.var, p.begin, repeated, p.position});
    if (rest.count == 0)
      return;
    emit(copy, rest, rest.position);
    reached_ = rest.begin + rest.count;
    if (aliases_)
      representatives_.push_back(rest);
  }

  /// Returns the groups of the first copy, then the groups of the second copy, and so on.
  std::vector<std::vector<Interval>> take() {
    std::vector<std::vector<Interval>> groups;
    for (Copy &copy : copies_) {
      std::move(copy.groups.begin(), copy.groups.end(), std::back_inserter(groups));
      if (aliases_)
        aliases_->insert(aliases_->end(), copy.aliases.begin(), copy.aliases.end());
    }
    return groups;
  }

private:
  /// Returns the first copy that ends where the piece begins. If there is none, returns the first copy that ended
  /// before the piece begins, or a new copy.
  Copy &copyFor(const ViewPiece &p) {
    for (auto at = byEnd_.begin(); at != byEnd_.end() && at->first < p.begin; at = byEnd_.erase(at))
      ended_.insert(at->second.begin(), at->second.end());
    std::size_t chosen = copies_.size();
    const auto touching = byEnd_.find(p.begin);
    std::set<std::size_t> &from = touching != byEnd_.end() ? touching->second : ended_;
    if (from.empty()) {
      copies_.emplace_back();
    } else {
      chosen = *from.begin();
      from.erase(from.begin());
      if (touching != byEnd_.end() && from.empty())
        byEnd_.erase(touching);
    }
    byEnd_[p.begin + p.count].insert(chosen);
    return copies_[chosen];
  }

  /// Adds elements that earlier pieces reached. Cuts the elements at the ends of these pieces if the caller requests
  /// aliases.
  void addAliases(Copy &copy, ViewPiece p) {
    if (!aliases_)
      return emit(copy, p, p.position);
    auto rep = std::partition_point(representatives_.begin(), representatives_.end(),
                                    [&](const ViewPiece &r) { return r.begin + r.count <= p.begin; });
    while (p.count > 0) {
      const std::uint64_t n = std::min(p.count, rep->begin + rep->count - p.begin);
      emit(copy, {p.var, p.begin, n, p.position}, rep->position + (p.begin - rep->begin));
      p = {p.var, p.begin + n, p.count - n, p.position + n};
      ++rep;
    }
  }

  void emit(Copy &copy, const ViewPiece &p, std::uint64_t representative) {
    if (copy.groups.empty() || p.begin != copy.end)
      copy.groups.emplace_back();
    copy.end = p.begin + p.count;
    std::vector<Interval> &group = copy.groups.back();
    const bool continues = !group.empty() && group.back().end() == p.position &&
                           (!aliases_ || copy.aliases.back() + group.back().size() == representative);
    if (continues) {
      group.back() = Interval(group.back().begin(), p.position + p.count);
      return;
    }
    group.emplace_back(p.position, p.position + p.count);
    copy.aliases.push_back(representative);
  }

  /// Ends all copies at the end of a variable, because no copy continues in the next variable.
  void leaveVariable() {
    for (std::size_t c = 0; c < copies_.size(); ++c) {
      copies_[c].end = kNowhere;
      ended_.insert(c);
    }
    byEnd_.clear();
    representatives_.clear();
    reached_ = 0;
  }

  bool removeAliases_;
  std::vector<std::size_t> *aliases_; // null = not requested
  GraphVarId var_;
  std::uint64_t reached_ = 0;              // elements of var_ from here on have no representative yet
  std::vector<ViewPiece> representatives_; // representatives of var_, disjoint, in order of elements
  std::vector<Copy> copies_;
  std::map<std::uint64_t, std::set<std::size_t>> byEnd_; // copies that a piece may still touch, by their ends
  std::set<std::size_t> ended_;                          // copies that ended before the latest piece
};

} // namespace

std::vector<std::vector<Interval>> sortedRegions(const std::vector<ViewPiece> &pieces, bool removeAliases,
                                                 std::vector<std::size_t> *aliases) {
  SortedRegions sorted(removeAliases, aliases);
  for (const ViewPiece &piece : pieces)
    sorted.add(piece);
  return sorted.take();
}

} // namespace popscope
