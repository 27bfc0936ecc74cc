// Tables for documents: the most common answers, as Markdown and as LaTeX.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

TimelineResult writeMarkdownTables(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Writes a file for \input; it needs the packages booktabs and graphicx.
TimelineResult writeLatexTables(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
