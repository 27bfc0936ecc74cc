// popscope why and advise as JSON, from the rows that print as text. Bytes and steps are integers; what is not there is
// null.
#include "report/summary/WhyView.hpp"

#include <nlohmann/json.hpp>

namespace popscope {
namespace {

using Json = nlohmann::ordered_json;

Json json(const StepName &step) { return {{"step", step.id}, {"program", step.title}}; }
Json json(const std::optional<StepName> &step) { return step ? json(*step) : Json(); }

Json json(const WhyRow &row) {
  Json missed = Json::array();
  for (const auto &range : row.missed)
    missed.push_back({range.first, range.second});
  return {{"first", json(row.first)},
          {"last", json(row.last)},
          {"readNextBy", json(row.read)},
          {"lastFullyWrittenBy", json(row.born)},
          {"notKilledBy", json(row.failedKill)},
          {"missedElements", row.missedElements},
          {"missedRanges", missed},
          {"broughtBy", row.carrier.empty() ? Json() : Json(row.carrier)},
          {"broughtByStep", json(row.carriedBy)},
          {"weighsMostAt", row.fullest ? json(row.fullest->step) : Json()},
          {"liveBytesThere", row.fullest ? Json(row.fullest->bytes) : Json()}};
}

Json json(const WhyVariable &v) {
  Json out = {{"variable", v.name},
              {"category", v.category},
              {"bytes", v.bytes},
              {"tiles", v.numTiles},
              {"largestTile", v.numTiles == 0 ? Json() : Json(v.largestTile)},
              {"bytesOnLargestTile", v.numTiles == 0 ? Json() : Json(v.largestPart)},
              {"alwaysLive", v.alwaysLive}};
  out["live"] = Json::array();
  for (const WhyRow &row : v.rows)
    out["live"].push_back(json(row));
  out["liveForNothing"] = Json::array();
  for (const FalseLiveRow &f : v.falseLive)
    out["liveForNothing"].push_back({{"first", json(f.first)}, {"last", json(f.last)}, {"bytes", f.bytes}});
  return out;
}

void print(std::ostream &out, const Json &json) {
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

} // namespace

void printJson(std::ostream &out, const WhyRows &rows) {
  Json variables = Json::array();
  for (const WhyVariable &v : rows.variables)
    variables.push_back(json(v));
  print(out, {{"step", json(rows.step)}, {"variables", variables}});
}

} // namespace popscope
