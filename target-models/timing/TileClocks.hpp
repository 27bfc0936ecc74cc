// How time passes on the tiles of a machine: the rules that the machine, the replay of a recorded run and what-if share
// (docs/CYCLES.md, "Clocks").
//
//   work      a tile goes on by its busy cycles
//   exchange  the tiles with busy cycles start with the last of them and go on together when the longest is done
//   barrier   the last signal that reaches the controller releases all
//
// A clock is a number of cycles by tile. An exchange and a barrier join the tiles of a group: those of one IPU, or all.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace popscope {

/// Tiles [first, end).
struct TileRange {
  std::size_t first = 0, end = 0;
};

/// When an exchange of a group begins, and how long its longest schedule takes. No tile takes part where that is 0.
struct ExchangeTimes {
  std::uint64_t begin = 0, longest = 0;
};

/// Advances each clock by its busy cycles and returns the latest.
std::uint64_t passWork(std::span<std::uint64_t> clock, std::span<const std::uint64_t> busy);

/// Finds when the exchange of `group` begins: with the last of its tiles that have busy cycles.
ExchangeTimes timesOfExchange(std::span<const std::uint64_t> clock, std::span<const std::uint64_t> busy,
                              TileRange group);
/// Sets the clocks of the tiles of `group` that take part to the end of the exchange.
void passExchange(std::span<std::uint64_t> clock, std::span<const std::uint64_t> busy, TileRange group,
                  ExchangeTimes times);

/// Finds when the last signal of `group` is at the controller. `toController`: cycles by tile.
std::uint64_t lastSignal(std::span<const std::uint64_t> clock, std::span<const std::uint64_t> toController,
                         TileRange group);
/// Releases the tiles of `group` at `signal`. `fromController`: cycles by tile.
void releaseTiles(std::span<std::uint64_t> clock, std::span<const std::uint64_t> fromController, TileRange group,
                  std::uint64_t signal);

/// The worker slots of one tile while vertices are dealt to them: each vertex goes to the least loaded slot, the lowest
/// on ties.
class SlotLoads {
public:
  explicit SlotLoads(std::size_t slots) : load_(slots) {}
  void clear() { load_.assign(load_.size(), 0); }
  void deal(std::uint64_t threadCycles) {
    std::uint64_t *least = load_.data();
    for (std::uint64_t &slot : load_)
      least = slot < *least ? &slot : least;
    *least += threadCycles;
  }
  /// Thread cycles by slot.
  [[nodiscard]] const std::vector<std::uint64_t> &load() const { return load_; }
  /// Cycles of the tile: its slots take turns until the fullest is done.
  [[nodiscard]] std::uint64_t tileCycles() const {
    std::uint64_t most = 0;
    for (const std::uint64_t slot : load_)
      most = slot > most ? slot : most;
    return load_.size() * most;
  }

private:
  std::vector<std::uint64_t> load_;
};

} // namespace popscope
