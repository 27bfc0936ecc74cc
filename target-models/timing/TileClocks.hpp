// The passage of time on the tiles of a machine. The simulated machine, the replay of a recorded run and popscope
// whatif share these rules (docs/CYCLES.md, "Clocks").
//
//   work      the clock of a tile advances by its busy cycles
//   exchange  the tiles with busy cycles start when the last of these tiles is ready, and end when the tile with the
//             most busy cycles ends
//   barrier   the last signal that reaches the controller releases all tiles
//
// Each tile has a clock, which is a number of cycles. A group consists of the tiles of one IPU, or of all tiles. In an
// exchange or a barrier, the tiles of a group wait for each other. Each function on clocks takes time linear in the
// number of tiles that it reads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace popscope {

/// The tiles [begin, end).
struct TileRange {
  std::size_t begin = 0, end = 0;
};

/// The beginning of a group's exchange, and the duration of the exchange: the maximum of the tiles' busy cycles (0 if
/// no tile takes part).
struct ExchangeTimes {
  std::uint64_t begin = 0, longest = 0;
};

/// Advances the clock of each tile by the tile's busy cycles, and returns the latest clock.
std::uint64_t passWork(std::span<std::uint64_t> clock, std::span<const std::uint64_t> busy);

/// Returns the times of an exchange of `group`. The exchange begins when all tiles of the group that have busy cycles
/// are ready.
ExchangeTimes timesOfExchange(std::span<const std::uint64_t> clock, std::span<const std::uint64_t> busy,
                              TileRange group);
/// Sets the clocks of the tiles of `group` that take part in the exchange to the end of the exchange.
void passExchange(std::span<std::uint64_t> clock, std::span<const std::uint64_t> busy, TileRange group,
                  ExchangeTimes times);

/// Returns the time at which the last signal of `group` reaches the controller. `toController` contains cycles per
/// tile.
std::uint64_t lastSignal(std::span<const std::uint64_t> clock, std::span<const std::uint64_t> toController,
                         TileRange group);
/// Sets the clock of each tile of `group` to the tile's release: `signal`, the time of the last signal, plus the tile's
/// entry of `fromController`.
void releaseTiles(std::span<std::uint64_t> clock, std::span<const std::uint64_t> fromController, TileRange group,
                  std::uint64_t signal);

/// The worker slots of one tile while vertices are assigned to the slots. Each vertex goes to the least loaded slot; if
/// several slots are equally loaded, the vertex goes to the slot with the lowest number.
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
  /// Returns the thread cycles of each slot.
  [[nodiscard]] const std::vector<std::uint64_t> &load() const { return load_; }
  /// Returns the tile cycles until the slot with the most work has ended: the thread cycles of this slot times the
  /// number of slots.
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
