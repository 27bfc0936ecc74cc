// Adds up the machine's events of every tile, by kind, without code of instrument/counters. On each tile, work, waiting
// and the cost of instrumentation must cover the time from the start of the run to its end without a gap.
#pragma once
#include "instrument/machine/Events.hpp"
#include "tests/check/profile/Findings.hpp"

#include <array>
#include <vector>

namespace identities {

struct TileSum {
  std::array<std::uint64_t, 8> work{}; // by TimeKind
  std::uint64_t waiting = 0, counters = 0;
  std::uint64_t clock = 0; // the tile's clock after the last step
};

class TileSums : public popscope::EventSink {
public:
  explicit TileSums(std::size_t tiles) : tiles_(tiles) {}
  void beginRun(std::uint32_t, const std::string &) override;
  void step(const popscope::StepEvent &event) override;
  void endRun(std::span<const popscope::Cycles> clocks) override;
  [[nodiscard]] const profile_check::Findings &findings() const { return findings_; }
  /// Returns the work of one kind over all tiles and runs.
  [[nodiscard]] std::uint64_t work(popscope::TimeKind kind) const {
    return total_.work[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] std::uint64_t waiting() const { return total_.waiting; }
  [[nodiscard]] std::uint64_t counters() const { return total_.counters; }
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }

private:
  std::vector<TileSum> tiles_;
  TileSum total_;
  std::uint64_t cycles_ = 0;
  profile_check::Findings findings_;
};

} // namespace identities
