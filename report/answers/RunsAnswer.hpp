// popscope runs: the recorded runs, and the runs that were not recorded.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectRuns(const Request &request);
/// Returns the note that sums of cycles leave out `cut` runs, which were cut short.
[[nodiscard]] std::string noteOfCutRuns(std::uint64_t cut);
/// Returns the number of selected runs that were cut short.
[[nodiscard]] std::uint64_t cutRuns(const pva::Report &report, const Selection &selection);
/// If selected runs were cut short, adds a note. The note states that sums of cycles leave these runs out or, if no
/// selected run ended, that the sums add up the steps of these runs.
void noteCutRuns(const pva::Report &report, const Selection &selection, Rows &rows);
/// Throws AnswerError. The message contains the result of whyNoRun() and `instead`, a hint such as "ask for another
/// report, such as --report tiles".
[[noreturn]] void refuseWithoutRun(const pva::Report &report, const std::string &instead = "");
/// Returns whether any run has steps whose time was not recorded (see popscope.profileCategories and
/// popscope::profile::Scope).
[[nodiscard]] bool someCategories(const pva::Report &report);
/// If someCategories() is true, adds the note that the cycles of a step are the most that the step can add to the
/// length of its run.
void noteCategories(const pva::Report &report, Rows &rows);

} // namespace popscope
