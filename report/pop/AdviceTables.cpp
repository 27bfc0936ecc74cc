#include "report/pop/AdviceTables.hpp"

#include "report/pop/ColumnTypes.hpp"

namespace popscope {

using namespace columnTypes;

std::vector<SchemaTable> adviceTables() {
  return {
      {"liveness_explanations",
       "Why a variable is live at the programs [first_program, end_program) (autoReport.outputLivenessExplanation). An "
       "interval of a variable that is not always live needs no row if its first program replaces every element and "
       "its last program reads the variable.",
       {{"id", kId, "", "position of the row; rows are sorted by variable, then by program"},
        {"variable", kInt, "liveness_variables.id", "the variable"},
        {"first_program", kInt, "program", "the first program of the interval"},
        {"end_program", kInt, "program", "one past the last program"},
        {"born", kIntNull, "program",
         "the program that last replaced every element; NULL = none since the engine started"},
        {"read", kInt, "program", "the nearest program that reads it afterwards"},
        {"failed_kill", kIntNull, "program",
         "the nearest program before this read that wrote only a part of it; NULL = none"},
        {"missed_elements", kInt, "elements", "elements that failed_kill did not write"},
        {"missed", kText, "", "the first 8 ranges of these elements: [begin,end)[begin,end)..."},
        {"carrier", kText, "", "what carries the value to the read: loop, call, next run, or empty"},
        {"carried_by", kIntNull, "program", "the loop or the call"}},
       ""},
      {"false_live",
       "Bytes that are live at the programs [first_program, end_program) only because the rule of liveness treats a "
       "variable as a whole. No path reads them.",
       {{"id", kId, "", "position of the row; rows are sorted by variable, then by program"},
        {"variable", kInt, "liveness_variables.id", "the variable"},
        {"first_program", kInt, "program", "the first program"},
        {"end_program", kInt, "program", "one past the last program"},
        {"size_bytes", kInt, "bytes", "over all tiles"},
        {"worst_tile_bytes", kInt, "bytes", "on the tile of liveness_advice"}},
       ""},
      {"undef_placements",
       "Places where a WriteUndef saves memory, best first. Popscope applied each WriteUndef and analysed the program "
       "again.",
       {{"id", kId, "", "position"},
        {"variable", kInt, "liveness_variables.id", "the variable to undefine"},
        {"before", kInt, "program", "the program right before which it is undefined"},
        {"saved_on_worst_tile", kInt, "bytes",
         "bytes by which the peak of live variable bytes falls on the tile of liveness_advice"},
        {"saved_on_device", kInt, "bytes",
         "bytes by which the peak of live variable bytes of all tiles together falls"}},
       ""},
      {"liveness_advice",
       "The tile with the highest peak of live variable bytes: one row, or none when nothing was explained.",
       {{"worst_tile", kInt, "tile", "the tile; the lowest of several with equal peaks"},
        {"worst_program", kInt, "program", "the first program with the peak"},
        {"worst_peak", kInt, "bytes", "bytes of variables that are live there"},
        {"false_live_at_peak", kInt, "bytes",
         "the part of these bytes that is live only by the rule for whole variables"},
        {"worst_peak_after_all", kInt, "bytes", "with all tried placements applied together"},
        {"candidates", kInt, "", "possible placements"},
        {"tried", kInt, "", "placements applied and measured"}},
       ""},
  };
}

SchemaTable variableAccessesTable() {
  return {"variable_accesses",
          "What each program does to each variable (autoReport.outputLivenessExplanation), in numbers of elements. "
          "Each element counts once.",
          {{"id", kId, "", "position of the row; rows are sorted by variable, then by program"},
           {"variable", kInt, "liveness_variables.id", "the variable"},
           {"program", kInt, "program", "the program"},
           {"elements", kInt, "elements", "number of elements of the variable"},
           {"read", kInt, "elements", "elements that the program reads; 0 = none"},
           {"written", kInt, "elements", "elements that the program writes; 0 = none"},
           {"undefined", kInt, "elements", "elements that a WriteUndef makes undefined; 0 = none"}},
          "",
          "variable"};
}

SchemaTable adviceTrialsTable() {
  return {"advice_trials",
          "Compilations of the program with some changes (popscope.tryAdvice), in the order of their trials. The first "
          "row is the program without a change.",
          {{"id", kId, "", "position"},
           {"purpose", kText, "",
            "unchanged, alone (one proposal), together (several WriteUndefs), search (a step towards a set that fits), "
            "smallest (it fits, and no smaller set of the proposals fits), fit (it fits, and each of its changes is "
            "necessary) or fits (it fits, but not all of its parts were tried)"},
           {"changes", kText, "", "JSON array, as popscope.applyAdvice takes it"},
           {"description", kText, "", "the changes in words, one line each"},
           {"num_changes", kInt, "", "number of changes"},
           {"tiles_out_of_memory", kInt, "tiles", "tiles that do not fit with the changes"},
           {"fullest_tile", kInt, "tile", "the tile with the highest address in use; the lowest of several"},
           {"fullest_bytes", kInt, "bytes", "bytes up to that address"},
           {"past_end_bytes", kInt, "bytes", "past the end of memory, over all tiles"},
           {"all_tiles_bytes", kInt, "bytes", "occupied addresses of all tiles"},
           {"exchange_code_bytes", kInt, "bytes", "code of exchanges within IPUs, over all tiles"},
           {"exchange_cycles", kInt, "cycles", "cycles of these exchanges, each step once"}},
          ""};
}

} // namespace popscope
