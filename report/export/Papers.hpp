// Writes the most common answers as tables for documents, in Markdown and in LaTeX.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

TimelineResult writeMarkdownTables(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Writes a file for \input. The document must load the packages booktabs and graphicx.
TimelineResult writeLatexTables(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

} // namespace popscope
