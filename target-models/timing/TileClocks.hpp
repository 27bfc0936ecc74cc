// The passage of time on the tiles of a machine: the rules that the machine, the replay of a recorded run and what-if
// share (docs/CYCLES.md, "Clocks").
//
//   work      a tile's clock advances by its busy cycles
//   exchange  the tiles with busy cycles start when the last of them is ready, and all go on when the longest is done
//   barrier   the last signal that reaches the controller releases all tiles
//
// A clock is a number of cycles per tile. An exchange and a barrier join the tiles of a group: those of one IPU, or
// all. All functions are linear in the tiles of the group.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace popscope {

/// Tiles [begin, end).
struct TileRange {
  std::size_t begin = 0, end = 0;
};

/// The begin of a group's exchange, and the duration of its longest schedule; 0 if no tile takes part.
struct ExchangeTimes {
  std::uint64_t begin = 0, longest = 0;
};

/// Advances each clock by its busy cycles and returns the latest.
std::uint64_t passWork(std::span<std::uint64_t> clock, std::span<const std::uint64_t> busy);

/// Returns the times of the exchange of `group`. It begins when the last of its tiles with busy cycles is ready.
ExchangeTimes timesOfExchange(std::span<const std::uint64_t> clock, std::span<const std::uint64_t> busy,
                              TileRange group);
/// Sets the clocks of the tiles of `group` that take part to the end of the exchange.
void passExchange(std::span<std::uint64_t> clock, std::span<const std::uint64_t> busy, TileRange group,
                  ExchangeTimes times);

/// Returns the time at which the last signal of `group` reaches the controller. `toController`: cycles per tile.
std::uint64_t lastSignal(std::span<const std::uint64_t> clock, std::span<const std::uint64_t> toController,
                         TileRange group);
/// Releases the tiles of `group` at `signal`. `fromController`: cycles per tile.
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
  /// Returns the thread cycles per slot.
  [[nodiscard]] const std::vector<std::uint64_t> &load() const { return load_; }
  /// Returns the cycles of the tile: its slots issue alternately until the fullest is done.
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
