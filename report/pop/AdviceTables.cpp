#include "report/pop/AdviceTables.hpp"

#include "report/pop/ColumnTypes.hpp"

namespace popscope {

using namespace columnTypes;

std::vector<SchemaTable> adviceTables() {
  return {
      {"liveness_explanations",
       "Why a variable is live at the programs [first_program, end_program) (autoReport.outputLivenessExplanation). An "
       "interval of a variable that is not always live needs no row if the first program of the interval replaces "
       "every element and the last program of the interval reads the variable.",
       {{"id", kId, "", "position of the row; rows are sorted by variable, then by program"},
        {"variable", kInt, "liveness_variables.id", "id of the variable"},
        {"first_program", kInt, "program", "the first program of the interval"},
        {"end_program", kInt, "program", "the program after the last program of the interval"},
        {"born", kIntNull, "program",
         "the program that last replaced every element; NULL = none since the engine started"},
        {"read", kInt, "program", "the nearest later program that reads the variable"},
        {"failed_kill", kIntNull, "program",
         "the nearest program before this read that wrote only a part of the variable; NULL = none"},
        {"missed_elements", kInt, "elements", "elements that failed_kill did not write"},
        {"missed", kText, "",
         "the first 8 ranges of the elements that failed_kill did not write: [begin,end)[begin,end)..."},
        {"carrier", kText, "", "construct that carries the value to the read: loop, call or next run; empty = none"},
        {"carried_by", kIntNull, "program", "the loop or the call that carries the value; NULL = none"}}},
      {"false_live",
       "Bytes that are live at the programs [first_program, end_program) only because the rule of liveness treats a "
       "variable as a whole. No path reads these bytes.",
       {{"id", kId, "", "position of the row; rows are sorted by variable, then by program"},
        {"variable", kInt, "liveness_variables.id", "id of the variable"},
        {"first_program", kInt, "program", "the first program of the interval"},
        {"end_program", kInt, "program", "the program after the last program of the interval"},
        {"size_bytes", kInt, "bytes", "false-live bytes over all tiles"},
        {"worst_tile_bytes", kInt, "bytes", "false-live bytes on the tile of liveness_advice"}}},
      {"undef_placements",
       "Places where a WriteUndef saves memory, alone or together with others. The place that saves the most bytes "
       "alone "
       "is first. Popscope applied each WriteUndef alone and analysed the program again.",
       {{"id", kId, "", "position of the row"},
        {"variable", kInt, "liveness_variables.id", "id of the variable to undefine"},
        {"before", kInt, "program", "the program right before which Popscope placed the WriteUndef"},
        {"saved_on_worst_tile", kInt, "bytes",
         "reduction of the peak of live variable bytes on the tile of liveness_advice"},
        {"saved_on_device", kInt, "bytes", "reduction of the peak of the live variable bytes of all tiles together"},
        {"together", kInt, "",
         "1 = the rows with 1 together reach worst_peak_after_all of liveness_advice or, if one place alone reaches "
         "this peak, the lowest peak of all tiles together; without any one of these rows the peak is higher; 0 = this "
         "place is not needed for that peak, or one place alone reaches both peaks"}}},
      {"liveness_advice",
       "The tile with the highest peak of live variable bytes: one row. The table is empty if the profile has no "
       "explanations.",
       {{"worst_tile", kInt, "tile", "the tile; if several tiles have the same peak, the tile with the lowest number"},
        {"worst_program", kInt, "program", "the first program with the peak"},
        {"worst_peak", kInt, "bytes", "bytes of variables that are live on this tile at this program"},
        {"false_live_at_peak", kInt, "bytes",
         "the false-live part of worst_peak: bytes that are live by the array rule, although no later step reads them"},
        {"worst_peak_after_all", kInt, "bytes", "peak of this tile if all tried placements are applied together"},
        {"candidates", kInt, "", "number of possible placements of a WriteUndef"},
        {"tried", kInt, "", "number of placements that Popscope applied and measured"}}},
  };
}

SchemaTable variableAccessesTable() {
  return {"variable_accesses",
          "Numbers of elements that each program reads, writes and undefines in each variable "
          "(autoReport.outputLivenessExplanation). Each element counts once.",
          {{"id", kId, "", "position of the row; rows are sorted by variable, then by program"},
           {"variable", kInt, "liveness_variables.id", "id of the variable"},
           {"program", kInt, "program", "id of the program"},
           {"elements", kInt, "elements", "number of elements of the variable"},
           {"read", kInt, "elements", "elements that the program reads; 0 = none"},
           {"written", kInt, "elements", "elements that the program writes; 0 = none"},
           {"undefined", kInt, "elements", "elements that a WriteUndef makes undefined; 0 = none"}},
          "",
          "variable"};
}

SchemaTable adviceTrialsTable() {
  return {
      "advice_trials",
      "Compilations of the program with different sets of changes (popscope.tryAdvice), in the order in which the "
      "engine compiled them. The first row is the unchanged program.",
      {{"id", kId, "", "position of the row"},
       {"purpose", kText, "",
        "unchanged, alone (one proposal), together (several WriteUndefs), search (a step towards a set that fits), "
        "smallest (the program fits, and does not fit with any smaller set of the proposals), fit (the program fits, "
        "and each change is necessary) or fits (the program fits, but some of the changes may be unnecessary)"},
       {"changes", kText, "", "JSON array in the format of popscope.applyAdvice"},
       {"description", kText, "", "the changes in words, one line for each change"},
       {"num_changes", kInt, "", "number of changes"},
       {"tiles_out_of_memory", kInt, "tiles", "tiles that do not fit with the changes"},
       {"fullest_tile", kInt, "tile",
        "the tile with the highest used address; if several tiles have this address, the tile with the lowest number"},
       {"fullest_bytes", kInt, "bytes", "bytes up to the highest used address"},
       {"past_end_bytes", kInt, "bytes", "bytes past the end of memory, over all tiles"},
       {"all_tiles_bytes", kInt, "bytes", "number of occupied addresses of all tiles"},
       {"exchange_code_bytes", kInt, "bytes", "code of exchanges within IPUs, over all tiles"},
       {"exchange_cycles", kInt, "cycles", "cycles of exchanges within IPUs; each step counts once"}}};
}

} // namespace popscope
