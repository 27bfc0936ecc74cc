// Summarises an executed step on one IPU: minima, maxima and sums over the tiles of the IPU.
#pragma once
#include "instrument/machine/Events.hpp"
#include "instrument/profile/Records.hpp"

#include <cstdint>

namespace popscope {

/// Summarises the tiles [firstTile, endTile) of the event. The range must not be empty. A tile is active if it has busy
/// cycles. allFromMin and allFromMax come from StepEvent::begin, and activeFromMin and activeFromMax come from
/// StepEvent::start.
StepOnIpu summariseTiles(const StepEvent &event, std::size_t firstTile, std::size_t endTile);

} // namespace popscope
