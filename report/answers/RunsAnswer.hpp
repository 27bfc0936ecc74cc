// popscope runs: the recorded runs, and the runs that were not recorded.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectRuns(const Request &request);
/// Returns the note that sums of cycles leave out `cut` runs, which were cut short.
[[nodiscard]] std::string noteOfCutRuns(std::uint64_t cut);
/// Returns the number of selected runs that were cut short.
[[nodiscard]] std::uint64_t cutRuns(const pva::Report &report, const Selection &selection);
/// Adds a note if selected runs were cut short. Sums of cycles leave these runs out. If no selected run ended, sums of
/// cycles consist of the steps of the runs that were cut short.
void noteCutRuns(const pva::Report &report, const Selection &selection, Rows &rows);
/// Throws AnswerError. The message contains the result of whyNoRun() and `instead`, a hint such as "ask for another
/// report, such as --report tiles".
[[noreturn]] void refuseWithoutRun(const pva::Report &report, const std::string &instead = "");
/// Returns whether any run has steps whose time was not recorded (popscope.profileCategories,
/// popscope::profile::Scope).
[[nodiscard]] bool someCategories(const pva::Report &report);
/// Adds a note to an answer with cycles of steps if someCategories() is true.
void noteCategories(const pva::Report &report, Rows &rows);

} // namespace popscope
