#include "graph/steps/DumpTables.hpp"

#include <fmt/format.h>
#include <iterator>

namespace popscope {

std::string dumpTables(const StepProgram &p) {
  Bytes exchangeCode, controlCode, fieldData;
  for (const ExchangeTile &tile : p.exchangeTiles)
    exchangeCode += tile.codeBytes;
  for (const TileCode &code : p.tileCode)
    controlCode += code.bytes;
  for (const SharedData &data : p.sharedData)
    fieldData += data.bytes;
  Bytes tables, results;
  for (const StepStorage &row : p.storage)
    (row.category == StorageCategory::ControlTable ? tables : results) += row.bytes;
  std::string out = "tables\n";
  const auto line = [&out](const char *name, std::uint64_t rows, const std::string &more = "") {
    fmt::format_to(std::back_inserter(out), "  {} {}{}\n", name, rows, more);
  };
  line("variables", p.vars.size());
  line("homes", p.homes.size());
  line("vertices", p.vertices.size());
  line("copies", p.copies.size());
  line("messages", p.messages.size());
  line("transfers", p.transfers.size());
  line("exchange tiles", p.exchangeTiles.size(), fmt::format(", {} B of code", exchangeCode.count()));
  line("homes apart", p.apart.size());
  line("shared field data", p.sharedData.size(), fmt::format(", {} B", fieldData.count()));
  line("storage of steps", p.storage.size(),
       fmt::format(", {} B of control tables, {} B of counters", tables.count(), results.count()));
  line("control code rows", p.tileCode.size(), fmt::format(", {} B", controlCode.count()));
  return out;
}

} // namespace popscope
