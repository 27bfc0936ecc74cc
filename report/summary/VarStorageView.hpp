// The section about the liveness of variables:
//
//   Variable Storage Liveness: All tiles
//
//     Always-live bytes: 5,976,425
//     Always-live variables:
//       <anon>                          48
//     Maximum live bytes (including always-live): 6,556,737
//
//     Sequence
//       DoExchange: a/ExchangePre
//         Live Bytes (excluding always-live): 105,168
//         Live Vars (excluding always-live):
//           <anon>              8
//
// The summary repeats the section for the three tiles with the highest maximum of live bytes, highest first ("Variable
// Storage Liveness: Tile 5"). The section adds up the bytes of variables with equal names. A host copy is one line,
// StreamCopy. The section does not list syncs.
#pragma once
#include "report/summary/Style.hpp"

#include <optional>
#include <ostream>
#include <pva/pva.hpp>
#include <vector>

namespace popscope {

struct LiveRow {
  std::string name;
  std::uint64_t bytes = 0;
};
struct ProgramRow {
  std::size_t depth = 0;
  std::string title; // "DoExchange: a/ExchangePre"
  bool hasFigures = false;
  std::uint64_t liveBytes = 0;
  std::vector<LiveRow> live; // sorted by name
};
struct VarStorageRows {
  std::optional<std::size_t> tile; // no value stands for all tiles
  std::uint64_t alwaysLiveBytes = 0, maxLiveBytes = 0;
  std::vector<LiveRow> alwaysLive;  // sorted by name
  std::vector<ProgramRow> programs; // depth first: control programs, then functions
};

[[nodiscard]] VarStorageRows collectVarStorage(const pva::Report &report);
/// Collects at most `count` tiles with the highest maximum of live bytes (including always-live bytes), highest first.
/// If maxima are equal, the lower tile comes first. Leaves out tiles without live bytes.
[[nodiscard]] std::vector<VarStorageRows> collectVarStorageOfFullestTiles(const pva::Report &report, std::size_t count);
void printText(std::ostream &out, const VarStorageRows &rows, const Style &style);

} // namespace popscope
