#include "report/summary/ControlFlowView.hpp"

#include "base/ShownText.hpp"
#include "base/Utf8.hpp"
#include "report/summary/Format.hpp"

#include <algorithm>

namespace popscope {
namespace {

using Type = pva::Program::Type;

std::string takenText(const pva::ControlFlow &row) {
  if (!row.takenKnown)
    return "no case";
  const Type type = row.program->type();
  if (type == Type::If)
    return row.taken == 0 ? "true" : "false";
  if (type == Type::Switch)
    return "case " + commas(row.taken);
  return commas(row.taken) + (row.taken == 1 ? " iteration" : " iterations");
}

// Returns whether values decide the path. Loops of a fixed count always take the same path; the host decides the
// engine's own Switch.
bool decidedByValues(Type type) { return type == Type::If || type == Type::Switch || type == Type::RepeatWhile; }

} // namespace

ControlFlowRows collectControlFlow(const pva::Report &report) {
  ControlFlowRows rows;
  if (report.compilation().target().type() != pva::Target::Type::Ipu)
    return rows;
  if (!report.instrumentationSettings().controlFlow()) {
    for (const auto &program : report.compilation().programs())
      rows.missing = rows.missing || decidedByValues(program->type());
    return rows;
  }
  for (const pva::Option &option : report.compilation().engineOptions())
    if (option.key == "debug.branchRecordTile")
      rows.tile = option.value;
  if (rows.tile.empty())
    rows.tile = commas(report.compilation().target().tilesPerReplica() - 1);
  for (const auto &run : report.execution().runs())
    for (const pva::ControlFlow &row : run.controlFlow())
      rows.rows.push_back({pva::programTypeName(row.program->type()) +
                               (row.program->name().empty() ? "" : ": " + shownName(row.program->name())),
                           takenText(row), row.cycles});
  return rows;
}

void printText(std::ostream &out, const ControlFlowRows &rows, const Style &style) {
  if (rows.missing)
    out << "\n  " << style.part("Control flow:")
        << " Must enable debug.instrumentControlFlow; branches and iterations are shown as simulated.\n";
  if (rows.rows.empty())
    return;
  out << "\n  " << style.part("Control flow (last execution):") << "\n";
  std::size_t longest = 0;
  for (const ControlFlowRow &row : rows.rows)
    longest = std::max(longest, displayColumns(row.title));
  for (const ControlFlowRow &row : rows.rows)
    out << "    " << padRight(row.title, longest) << alignRight(row.taken, 24) << alignRight(commas(row.cycles), 14)
        << " cycles\n";
  out << "    Cycles are those of tile " << rows.tile
      << ", which waits for other tiles only at a sync or an exchange.\n";
}

} // namespace popscope
