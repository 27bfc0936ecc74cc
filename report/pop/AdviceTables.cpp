#include "report/pop/AdviceTables.hpp"

#include "report/pop/ColumnTypes.hpp"

namespace popscope {

using namespace columnTypes;

std::vector<SchemaTable> adviceTables() {
  return {
      {"liveness_explanations",
       "Why a variable is live at the programs [first_program, end_program) (autoReport.outputLivenessExplanation). An "
       "interval has no row if its first program replaces every element, only its last program reads the variable, and "
       "neither failed_kill nor carrier would have a value. This exception does not apply to always-live variables.",
       {{"id", kId, "", "number of the row, from 0; the rows are sorted by variable, then by program"},
        {"variable", kInt, "liveness_variables.id", "id of the variable"},
        {"first_program", kInt, "program", "the first program of the interval"},
        {"end_program", kInt, "program", "the program after the last program of the interval"},
        {"born", kIntNull, "program",
         "the program that last replaced every element; NULL if no program has done so since the engine started"},
        {"read", kInt, "program", "the nearest later program that reads the variable"},
        {"failed_kill", kIntNull, "program",
         "the first program, from first_program to this read, that wrote only a part of the variable; NULL if none"},
        {"missed_elements", kInt, "elements", "number of elements that failed_kill did not write"},
        {"missed", kText, "",
         "the first 8 ranges of the elements that failed_kill did not write: [begin,end)[begin,end)..."},
        {"carrier", kText, "",
         "first construct through which the value reaches the read: loop, call or next run; empty if none"},
        {"carried_by", kIntNull, "program", "the loop or the call of the column carrier; NULL if none"}}},
      {"false_live",
       "Bytes that are live at the programs [first_program, end_program) only because the rule of liveness treats a "
       "variable as a whole. No later step reads these bytes.",
       {{"id", kId, "", "number of the row, from 0; the rows are sorted by variable, then by program"},
        {"variable", kInt, "liveness_variables.id", "id of the variable"},
        {"first_program", kInt, "program", "the first program of the interval"},
        {"end_program", kInt, "program", "the program after the last program of the interval"},
        {"size_bytes", kInt, "bytes", "false-live bytes over all tiles"},
        {"worst_tile_bytes", kInt, "bytes", "false-live bytes on the tile of liveness_advice"}}},
      {"undef_placements",
       "Places where a WriteUndef saves memory, alone or together with the WriteUndefs of other rows. Popscope "
       "measured each WriteUndef alone: it added the WriteUndef and analysed the program again. The rows are sorted by "
       "saved_on_worst_tile, then by saved_on_device, largest first.",
       {{"id", kId, "", "number of the row, from 0"},
        {"variable", kInt, "liveness_variables.id", "id of the variable to undefine"},
        {"before", kInt, "program", "the program directly before which Popscope placed the WriteUndef"},
        {"saved_on_worst_tile", kInt, "bytes",
         "reduction of the peak of live variable bytes on the tile of liveness_advice"},
        {"saved_on_device", kInt, "bytes", "reduction of the peak of the live variable bytes of all tiles together"},
        {"together", kInt, "",
         "1 if the place belongs to a set of places that together lower a peak as far as all tried places. Without one "
         "of these places, the peak is higher. The peak is that of the tile of liveness_advice. If one place alone "
         "lowers this peak as far, the peak is that of all tiles together. If one place alone lowers both peaks as "
         "far, the column is 0 in all rows"}}},
      {"liveness_advice",
       "The tile with the highest peak of live variable bytes. The table has one row, or no row if the profile has no "
       "explanations.",
       {{"worst_tile", kInt, "tile",
         "number of this tile; if several tiles have the same peak, the lowest of their numbers"},
        {"worst_program", kInt, "program", "the first program at which this tile has its peak"},
        {"worst_peak", kInt, "bytes", "bytes of variables that are live on worst_tile at worst_program"},
        {"false_live_at_peak", kInt, "bytes",
         "the false-live part of worst_peak: bytes that are live by the array rule, although no later step reads these "
         "bytes"},
        {"worst_peak_after_all", kInt, "bytes", "peak of worst_tile with all tried placements together"},
        {"candidates", kInt, "", "number of possible placements of a WriteUndef"},
        {"tried", kInt, "", "number of placements that Popscope applied and measured"}}},
  };
}

SchemaTable variableAccessesTable() {
  return {"variable_accesses",
          "Numbers of elements that each program reads, writes and undefines in each variable "
          "(autoReport.outputLivenessExplanation). Each element counts once.",
          {{"id", kId, "", "number of the row, from 0; the rows are sorted by variable, then by program"},
           {"variable", kInt, "liveness_variables.id", "id of the variable"},
           {"program", kInt, "program", "id of the program"},
           {"elements", kInt, "elements", "number of elements of the variable"},
           {"read", kInt, "elements", "number of elements that the program reads"},
           {"written", kInt, "elements", "number of elements that the program writes"},
           {"undefined", kInt, "elements", "number of elements that the program, a WriteUndef, makes undefined"}},
          "",
          "variable"};
}

SchemaTable adviceTrialsTable() {
  return {
      "advice_trials",
      "Compilations of the program with different sets of changes (popscope.tryAdvice), in the order in which the "
      "engine compiled them. The first row is the unchanged program.",
      {{"id", kId, "", "number of the row, from 0"},
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
       {"fullest_bytes", kInt, "bytes", "bytes from the start of memory to the highest used address"},
       {"past_end_bytes", kInt, "bytes", "bytes past the end of memory, over all tiles"},
       {"all_tiles_bytes", kInt, "bytes", "number of addresses that are occupied at some step, summed over tiles"},
       {"exchange_code_bytes", kInt, "bytes",
        "code of exchanges within IPUs, over all tiles; code that several steps share counts once"},
       {"exchange_cycles", kInt, "cycles",
        "cycles of the slowest tile in an exchange within an IPU, summed over all steps with such an exchange; each "
        "step counts once, not once for each execution"}}};
}

} // namespace popscope
