// SyncType: the reach of a program::Sync barrier.
#pragma once

namespace poplar {

/// The participants of a sync. EXTERNAL: all tiles and the host. INTERNAL: all tiles of one IPU, for each IPU
/// separately. GLOBAL: all tiles of all IPUs.
enum class SyncType { EXTERNAL, INTERNAL, GLOBAL };

} // namespace poplar
