#include "report/pop/AdviceTables.hpp"

namespace popscope {

std::vector<SchemaTable> adviceTables() {
  constexpr const char *kId = "INTEGER PRIMARY KEY";
  constexpr const char *kInt = "INTEGER NOT NULL";
  constexpr const char *kIntNull = "INTEGER";
  constexpr const char *kText = "TEXT NOT NULL";
  return {
      {"liveness_explanations",
       "Why a variable is live at the programs [first_program, end_program) (autoReport.outputLivenessExplanation). An "
       "interval of a "
       "life that has no row, of a variable that is not always live, is plain: born at its first program, read by its "
       "last.",
       {{"id", kId, "", "position; by variable, then program"},
        {"variable", kInt, "liveness_variables.id", "the variable"},
        {"first_program", kInt, "program", "the first for which this holds"},
        {"end_program", kInt, "program", "one past the last program"},
        {"born", kIntNull, "program", "that last replaced every element; NULL = none since the engine started"},
        {"read", kInt, "program", "the nearest that reads it"},
        {"failed_kill", kIntNull, "program", "the nearest before that read that wrote in part; NULL = none"},
        {"missed_elements", kInt, "elements", "that failed_kill left out"},
        {"missed", kText, "", "the first 8 ranges of them: [begin,end)[begin,end)..."},
        {"carrier", kText, "", "loop, call, next run, or empty: what brings the value to the read"},
        {"carried_by", kIntNull, "program", "the loop or the call"}},
       ""},
      {"false_live",
       "Bytes that are live by the array rule and that no path reads, at the programs [first_program, end_program).",
       {{"id", kId, "", "position; by variable, then program"},
        {"variable", kInt, "liveness_variables.id", "the variable"},
        {"first_program", kInt, "program", "the first"},
        {"end_program", kInt, "program", "one past the last program"},
        {"size_bytes", kInt, "bytes", "over all tiles"},
        {"worst_tile_bytes", kInt, "bytes", "on the tile of liveness_advice"}},
       ""},
      {"undef_placements",
       "Places where a WriteUndef saves memory, best first; each was applied and the program analysed again.",
       {{"id", kId, "", "position"},
        {"variable", kInt, "liveness_variables.id", "to be undefined"},
        {"before", kInt, "program", "right before which"},
        {"saved_on_worst_tile", kInt, "bytes",
         "bytes saved of the peak of live variable bytes on the tile of liveness_advice"},
        {"saved_on_device", kInt, "bytes", "bytes saved of the peak of all tiles together"}},
       ""},
      {"liveness_advice",
       "The tile with the highest peak of live variable bytes: one row, or none when nothing was explained.",
       {{"worst_tile", kInt, "tile", "the lowest of equals"},
        {"worst_program", kInt, "program", "the first with the peak"},
        {"worst_peak", kInt, "bytes", "bytes of variables that are live there"},
        {"false_live_at_peak", kInt, "bytes", "bytes of these that are live only by the rule for whole variables"},
        {"worst_peak_after_all", kInt, "bytes", "with all tried placements applied together"},
        {"candidates", kInt, "", "possible placements"},
        {"tried", kInt, "", "placements applied and measured"}},
       ""},
  };
}

SchemaTable variableAccessesTable() {
  constexpr const char *kInt = "INTEGER NOT NULL";
  return {
      "variable_accesses",
      "What each program does to each variable (autoReport.outputLivenessExplanation), in elements that are counted "
      "once; 0 = nothing of the kind.",
      {{"id", "INTEGER PRIMARY KEY", "", "position; by variable, then program"},
       {"variable", kInt, "liveness_variables.id", "the variable"},
       {"program", kInt, "program", "the program"},
       {"elements", kInt, "elements", "number of elements of the variable"},
       {"read", kInt, "elements", "that it reads"},
       {"written", kInt, "elements", "that it writes"},
       {"undefined", kInt, "elements", "that a WriteUndef gives up"}},
      "",
      "variable"};
}

SchemaTable adviceTrialsTable() {
  constexpr const char *kId = "INTEGER PRIMARY KEY";
  constexpr const char *kInt = "INTEGER NOT NULL";
  constexpr const char *kText = "TEXT NOT NULL";
  return {
      "advice_trials",
      "The program compiled again with some changes (popscope.tryAdvice), in the order in which they were tried; the "
      "first row is the program without a change.",
      {{"id", kId, "", "position"},
       {"purpose", kText, "",
        "unchanged, alone (one proposal), together (several WriteUndefs), search (on the way to a set that fits), "
        "smallest (no smaller set of what was proposed fits), fit (none of its changes can be left out) or fits (that "
        "was not tried to the end)"},
       {"changes", kText, "", "JSON array, as popscope.applyAdvice takes it"},
       {"description", kText, "", "the changes in words, a line each"},
       {"num_changes", kInt, "", "number of calls"},
       {"tiles_out_of_memory", kInt, "tiles", "that do not fit with them"},
       {"fullest_tile", kInt, "tile", "with the highest address in use; the lowest of equals"},
       {"fullest_bytes", kInt, "bytes", "up to that address"},
       {"past_end_bytes", kInt, "bytes", "past the end of memory, over all tiles"},
       {"all_tiles_bytes", kInt, "bytes", "occupied addresses of all tiles"},
       {"exchange_code_bytes", kInt, "bytes", "code of exchanges within IPUs, over all tiles"},
       {"exchange_cycles", kInt, "cycles", "cycles of these exchanges, each step once"}},
      ""};
}

} // namespace popscope
