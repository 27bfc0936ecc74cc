// What lies on a tile so far. First fit in zones, among blocks that never share and items that do.
#pragma once
#include "liveness/layout/FirstFit.hpp"
#include "liveness/layout/PackHeap.hpp"

#include <optional>

namespace popscope {

/// Times of the items of a heap: steps, and one moment of its own for each item that is never occupied, so that it
/// shares with all others but with nothing that never shares. Items of class 1 exist all the time.
PackProblem timesOf(const HeapProblem &problem);

/// Items first, first + 1, ...: one, or several of one kind that are plain: they never share, begin at words, are whole
/// words and have neither a limit nor a partner.
struct HeapStretch {
  std::uint32_t first = 0, count = 1;
  friend bool operator==(const HeapStretch &, const HeapStretch &) = default;
};
/// All items, as few stretches; `bound` by item: it has a limit or a partner.
std::vector<HeapStretch> stretchesOf(const HeapProblem &problem, const std::vector<bool> &bound);

class TileHeap {
public:
  /// `times` = timesOf(problem); both must outlive it. Padding between blocks is left to others only where tiles are
  /// tight.
  TileHeap(const HeapProblem &problem, const PackProblem &times, Spread spread = Spread::Apart);

  /// Gives item i its place: in the first zone of its kind that has room, below its limit, apart from placed partners.
  /// What cannot keep its limit or must lie apart never lies across the end of memory, but past it.
  void place(std::uint32_t i);
  /// The same for each of them, one after the other. Costs little where they find room in a few pieces.
  void place(HeapStretch stretch);
  /// Gives it this one.
  void placeAt(std::uint32_t i, std::uint64_t address);
  [[nodiscard]] const std::vector<std::uint64_t> &addresses() const { return addresses_; }
  /// End of the highest block that never shares in [begin, end); `begin` without one.
  [[nodiscard]] std::uint64_t endOfBlocks(std::uint64_t begin, std::uint64_t end) const;

private:
  struct Block {
    std::uint64_t begin, end;
  };
  [[nodiscard]] std::uint64_t lowest(std::uint32_t i, std::uint64_t from);
  [[nodiscard]] std::uint64_t lowest(std::span<const PackSpan> spans, std::uint64_t bytes, std::uint64_t alignment,
                                     std::uint64_t from);
  [[nodiscard]] std::uint64_t clearOfPartners(std::uint32_t i, std::uint64_t at) const;
  void addBlock(std::uint64_t begin, std::uint64_t end, std::uint64_t alignment);

  const HeapProblem &problem_;
  const PackProblem &times_;
  Spread spread_;
  FirstFitHeap sharing_;
  bool anyShared_ = false;    // what never shares mostly comes first, and then need not look for what does
  std::vector<Block> blocks_; // ascending; tens of thousands of vertices stay a handful of blocks
  std::vector<std::uint64_t> addresses_;
  std::vector<bool> placed_;
  std::vector<std::vector<std::uint32_t>> partners_;
};

} // namespace popscope
