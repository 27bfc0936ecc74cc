// What one executed step did on one IPU: minima, maxima and sums over its tiles.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

#include <cstdint>

namespace popscope {

/// Over the tiles [firstTile, endTile) of the event; the range must not be empty. A tile is active when it has busy
/// cycles; it works from its begin on.
StepOnIpu summariseTiles(const StepEvent &event, std::size_t firstTile, std::size_t endTile);

} // namespace popscope
