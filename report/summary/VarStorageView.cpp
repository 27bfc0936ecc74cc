#include "report/summary/VarStorageView.hpp"

#include "base/ShownText.hpp"
#include "base/Utf8.hpp"
#include "report/summary/Format.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace popscope {
namespace {

using Type = pva::Program::Type;
constexpr std::size_t kVariableColumns = 14; // columns from the end of the longest name

std::vector<LiveRow> byName(const pva::List<pva::Variable> &variables) {
  std::map<std::string, std::uint64_t> sums;
  for (const pva::Variable &v : variables)
    sums[v.name()] += v.size();
  std::vector<LiveRow> rows;
  for (const auto &entry : sums)
    rows.push_back({shownName(entry.first), entry.second});
  return rows;
}

bool isListed(Type type) {
  return type != Type::StreamCopyBegin && type != Type::StreamCopyEnd && type != Type::Sync && type != Type::SyncAns &&
         type != Type::Sans;
}

std::string title(const pva::Program &program, bool isFunction) {
  if (program.type() == Type::StreamCopyMid)
    return "StreamCopy";
  // The user guide prints the switch between an engine's programs as any other Switch.
  const Type type = program.type() == Type::OnEveryTileSwitch ? Type::Switch : program.type();
  const std::string name = shownText(program.name());
  return (isFunction ? "Function: " : "") + pva::programTypeName(type) + (name.empty() ? "" : ": " + name);
}

class TreeWalk {
public:
  TreeWalk(const pva::Report &report, VarStorageRows &rows) : rows_(rows.programs), tile_(rows.tile) {
    for (const auto &step : report.compilation().livenessProgramSteps())
      steps_.emplace(step.program()->_id(), step);
  }
  /// Visits a program tree. User trees may be deep, but no deeper than the recursion that lowered them.
  void visit(const pva::Program &program, std::size_t depth, bool isFunction) {
    if (isListed(program.type()))
      rows_.push_back(row(program, depth, isFunction));
    for (const auto &child : program.children())
      visit(*child, depth + 1, false);
  }

private:
  ProgramRow row(const pva::Program &program, std::size_t depth, bool isFunction) {
    ProgramRow r;
    r.depth = depth;
    r.title = title(program, isFunction);
    const auto step = steps_.find(program._id());
    if (program.type() == Type::Sequence || step == steps_.end())
      return r;
    const pva::LivenessMemory memory =
        tile_ ? step->second.notAlwaysLiveMemoryForTile(*tile_) : step->second.notAlwaysLiveMemory();
    r.hasFigures = true;
    r.liveBytes = memory.bytes();
    r.live = byName(memory.variables());
    return r;
  }

  std::vector<ProgramRow> &rows_;
  std::optional<std::size_t> tile_;
  std::unordered_map<std::size_t, pva::LivenessProgramStep> steps_; // by program
};

void printLive(std::ostream &out, const std::vector<LiveRow> &rows, std::size_t indent) {
  std::size_t longest = 0;
  for (const auto &row : rows)
    longest = std::max(longest, displayColumns(row.name));
  for (const auto &row : rows)
    out << std::string(indent, ' ') << padRight(row.name, longest) << alignRight(commas(row.bytes), kVariableColumns)
        << "\n";
}

void walkPrograms(const pva::Report &report, VarStorageRows &rows) {
  TreeWalk walk(report, rows);
  for (const auto &program : report.compilation().controlPrograms())
    walk.visit(*program, 0, false);
  for (const auto &program : report.compilation().functionPrograms())
    walk.visit(*program, 0, true);
}

} // namespace

VarStorageRows collectVarStorage(const pva::Report &report) {
  VarStorageRows rows;
  rows.alwaysLiveBytes = report.popscope().alwaysLiveBytes();
  rows.maxLiveBytes = report.popscope().maxLiveBytes();
  rows.alwaysLive = byName(report.compilation().alwaysLiveVariables());
  walkPrograms(report, rows);
  return rows;
}

std::vector<VarStorageRows> collectVarStorageOfFullestTiles(const pva::Report &report, std::size_t count) {
  const auto tiles = report.compilation().tiles();
  std::vector<VarStorageRows> all;
  for (std::size_t t = 0; t < std::min(tiles.size(), report.compilation().target().tilesPerReplica()); ++t) {
    const pva::TileMemory memory = tiles.at(t).memory();
    VarStorageRows rows;
    rows.tile = t;
    rows.alwaysLiveBytes = memory.alwaysLiveBytes();
    rows.maxLiveBytes = rows.alwaysLiveBytes + memory.notAlwaysLiveBytes();
    if (rows.maxLiveBytes != 0)
      all.push_back(std::move(rows));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const VarStorageRows &a, const VarStorageRows &b) { return a.maxLiveBytes > b.maxLiveBytes; });
  all.resize(std::min(all.size(), count));
  for (VarStorageRows &rows : all) {
    rows.alwaysLive = byName(report.compilation().alwaysLiveVariablesForTile(*rows.tile));
    walkPrograms(report, rows);
  }
  return all;
}

void printText(std::ostream &out, const VarStorageRows &rows, const Style &style) {
  const std::string where = rows.tile ? "Tile " + commas(*rows.tile) : "All tiles";
  out << "  " << style.part("Variable Storage Liveness: " + where) << "\n\n"
      << "    Always-live bytes: " << commas(rows.alwaysLiveBytes) << "\n    Always-live variables:\n";
  printLive(out, rows.alwaysLive, 6);
  out << "\n    Maximum live bytes (including always-live): " << commas(rows.maxLiveBytes) << "\n\n";
  for (const auto &program : rows.programs) {
    const std::string indent(4 + 2 * program.depth, ' ');
    out << indent << program.title << "\n";
    if (!program.hasFigures)
      continue;
    out << indent << "  Live Bytes (excluding always-live): " << commas(program.liveBytes) << "\n"
        << indent << "  Live Vars (excluding always-live):\n";
    printLive(out, program.live, indent.size() + 4);
  }
}

} // namespace popscope
