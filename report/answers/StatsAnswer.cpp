#include "report/answers/StatsAnswer.hpp"

#include "base/EditDistance.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/RecordFilter.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/answers/Statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace popscope {
namespace {

constexpr std::size_t kUsualStatsRows = 20;
constexpr const char *kEverything = "all", *kSingly = "none";

Table reportTable() {
  Table table{"reports",
              "Reports",
              {{"report", "Report"}, {"records", "One record for"}, {"groupBy", "Grouped by"}, {"of", "Describes"}}};
  for (const RecordReport &report : recordReports())
    table.rows.push_back(
        {report.name, report.help, *report.groupBy == '\0' ? kEverything : report.groupBy, report.measure});
  return table;
}

Table columnTable(const RecordReport &report) {
  Table table{"columns",
              std::string("Columns of ") + report.name,
              {{"column", "Column"}, {"title", "Title"}, {"unit", "Unit"}}};
  for (const Column &column : report.columns)
    table.rows.push_back({column.key, column.title, unitName(column.unit)});
  return table;
}

const RecordReport &reportNamed(const std::string &name) {
  std::vector<std::string> names;
  for (const RecordReport &report : recordReports()) {
    if (name == report.name)
      return report;
    names.emplace_back(report.name);
  }
  throw AnswerError("--report: there is no report \"" + name + "\"." + didYouMean(name, names) +
                    " popscope stats --list-reports lists all");
}

void checkSelection(const Selection &s, const RecordReport &report) {
  const auto refuse = [&](bool given, unsigned flag, const char *option) {
    if (given && (report.flags & flag) == 0)
      throw AnswerError(std::string(option) + ": the report " + report.name +
                        " has no column for this option; select records with --where");
  };
  refuse(!s.tiles.empty(), kTiles, "--tiles");
  refuse(!s.steps.empty(), kSteps, "--steps");
  refuse(!s.runs.empty(), kRuns, "--runs");
  refuse(s.ipu.has_value(), kIpu, "--ipu");
}

/// Returns the aggregates in the order of the table.
const std::vector<std::pair<Column, std::uint64_t Statistics::*>> &aggregates() {
  static const std::vector<std::pair<Column, std::uint64_t Statistics::*>> all = {
      {{"sum", "Sum"}, &Statistics::sum},    {{"min", "Min"}, &Statistics::min},
      {{"mean", "Mean"}, &Statistics::mean}, {{"median", "Median"}, &Statistics::median},
      {{"max", "Max"}, &Statistics::max},    {{"p90", "90 %"}, &Statistics::p90},
      {{"p95", "95 %"}, &Statistics::p95},   {{"p97", "97 %"}, &Statistics::p97},
      {{"p99", "99 %"}, &Statistics::p99},   {{"p999", "99.9 %"}, &Statistics::p999}};
  return all;
}

struct Question {
  const RecordReport &report;
  std::vector<std::size_t> groupBy;
  bool singly = false; // shows the records themselves
  std::size_t measure = 0;
  std::string aggregate; // "" = all aggregates
  Unit unit = Unit::None;
  double nanoseconds = 0; // length of a cycle; 0 = cycles are not converted
};

Question questionOf(const Request &request, const RecordReport &report) {
  const auto option = [&](const char *name) { return request.options.at(name); };
  Question q{report, {}, false, 0, option("aggregate"), Unit::None, 0};
  const std::string groupBy = option("aggregate-by").empty() ? report.groupBy : option("aggregate-by");
  q.singly = groupBy == kSingly;
  if (q.singly && !q.aggregate.empty())
    throw AnswerError("--aggregate: needs groups; give --aggregate-by COLUMN, or --aggregate-by all");
  if (!q.singly && groupBy != kEverything)
    for (const auto &key : partsOf(groupBy))
      q.groupBy.push_back(columnOf(report, "--aggregate-by", key));
  if (report.levels && q.aggregate == "sum")
    throw AnswerError(std::string("--aggregate: a sum of ") + report.name +
                      " over time has no meaning; give max or mean");
  q.measure = columnOf(report, "--of", option("of").empty() ? report.measure : option("of"));
  q.unit = report.columns[q.measure].unit;
  if (option("in") == "ns") {
    const double clock = request.report.compilation().target().clockFrequency();
    if (q.unit != Unit::Cycles && q.unit != Unit::TileCycles)
      throw AnswerError("--in: " + report.columns[q.measure].key + " of " + report.name + " is no time");
    if (!(clock > 0))
      throw AnswerError("--in: the profile does not contain the clock rate");
    q.nanoseconds = 1e9 / clock;
    q.unit = Unit::Nanoseconds;
  }
  return q;
}

std::uint64_t measured(const Question &q, std::uint64_t value) {
  return q.nanoseconds == 0 ? value
                            : static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * q.nanoseconds));
}

struct Group {
  Record first; // its cells fill the columns by which it is grouped
  std::vector<std::uint64_t> values;
  std::uint64_t unknown = 0;
};

std::vector<Group> groupsOf(const Question &q, const std::vector<Record> &records) {
  std::vector<Group> groups;
  std::unordered_map<std::string, std::size_t> byKey;
  for (const Record &record : records) {
    std::string key;
    for (const std::size_t column : q.groupBy)
      key += cellText(record[column]) + '\x1f';
    const auto found = byKey.emplace(std::move(key), groups.size());
    if (found.second)
      groups.push_back({record, {}, 0});
    Group &group = groups[found.first->second];
    if (const auto *value = std::get_if<std::uint64_t>(&record[q.measure]))
      group.values.push_back(measured(q, *value));
    else
      ++group.unknown;
  }
  return groups;
}

bool isShown(const Question &q, const Column &aggregate) {
  return q.aggregate.empty() ? !q.report.levels || aggregate.key != "sum" : q.aggregate == aggregate.key;
}

// Makes a table with one row per group: its columns, then the aggregates of the measure.
Table groupTable(const Question &q, const std::vector<Group> &groups, std::uint64_t whole) {
  Table table{"groups", "", {}};
  for (const std::size_t column : q.groupBy)
    table.columns.push_back(q.report.columns[column]);
  if (q.groupBy.empty())
    table.columns.push_back({"records", "Records"});
  const bool unknown = std::any_of(groups.begin(), groups.end(), [](const Group &g) { return g.unknown != 0; });
  table.columns.push_back({"count", "Count"});
  if (unknown)
    table.columns.push_back({"unknown", "Unknown"});
  for (const auto &[column, value] : aggregates())
    if (isShown(q, column)) {
      table.columns.push_back({column.key, column.title, q.unit});
      if (value == &Statistics::sum)
        table.columns.push_back({"share", "Of all", Unit::Percent});
    }
  for (const Group &group : groups) {
    std::vector<Cell> row;
    for (const std::size_t column : q.groupBy)
      row.push_back(group.first[column]);
    if (q.groupBy.empty())
      row.emplace_back(kEverything);
    row.emplace_back(std::uint64_t(group.values.size()));
    if (unknown)
      row.emplace_back(group.unknown);
    const Statistics s = group.values.empty() ? Statistics() : statisticsOf(group.values);
    for (const auto &[column, value] : aggregates())
      if (isShown(q, column)) {
        row.push_back(knownOr(s.count != 0, s.*value));
        if (value == &Statistics::sum)
          row.push_back(shareOr(s.count != 0, s.sum, whole));
      }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table recordTable(const Question &q, std::vector<Record> records) {
  Table table{"records", "", q.report.columns, std::move(records)};
  table.columns[q.measure].unit = q.unit;
  for (auto &row : table.rows)
    if (auto *value = std::get_if<std::uint64_t>(&row[q.measure]))
      *value = measured(q, *value);
  return table;
}

std::vector<Record> recordsOf(const Request &request, const RecordReport &report) {
  checkSelection(request.selection, report);
  if ((report.flags & kRuns) != 0 && request.report.execution().runs().empty())
    refuseWithoutRun(request.report, "ask for another report, such as --report tiles");
  const RecordFilter filter(request, report);
  std::vector<Record> records;
  report.read(request, [&](Record record) {
    if (filter.wants(record))
      records.push_back(std::move(record));
  });
  return records;
}

void addFacts(Rows &rows, const Question &q, const std::vector<Group> &groups, std::uint64_t sum) {
  std::uint64_t unknown = 0, count = 0, peak = 0;
  for (const Group &group : groups) {
    unknown += group.unknown;
    count += group.values.size();
    for (const std::uint64_t value : group.values)
      peak = std::max(peak, value);
  }
  rows.fact("report", q.report.name);
  rows.fact("of", q.report.columns[q.measure].key);
  rows.fact("records", count + unknown);
  rows.fact("unknown", unknown);
  rows.fact("groups", q.singly ? Cell(Unknown()) : Cell(std::uint64_t(groups.size())));
  rows.fact("sum", q.report.levels ? Cell(Unknown{false}) : knownOr(count != 0 || unknown == 0, sum), q.unit);
  if (q.report.levels)
    rows.fact("peak", knownOr(count != 0, peak), q.unit);
  const bool ofMeasured = q.report.columns[q.measure].key == kMeasuredColumn;
  rows.lines.push_back(std::string("{records:record} of {report}; ") +
                       (q.report.levels ? "the most {of} at one time: {peak}."
                        : ofMeasured    ? "their measured cycles together: {sum}."
                                        : "their {of} together: {sum}."));
  if (unknown != 0)
    rows.notes.emplace_back(cellText(unknown) + (unknown == 1 ? " record" : " records") + " without known " +
                            q.report.columns[q.measure].key + (unknown == 1 ? " is" : " are") +
                            " left out of the statistics");
  if (*q.report.time == '\0' || (ofMeasured && !q.singly)) // then no column has an estimated time
    return;
  const bool hasSpans = std::any_of(q.report.columns.begin(), q.report.columns.end(),
                                    [](const Column &column) { return column.key == kSpanColumn; });
  rows.notes.emplace_back(ofMeasured ? "times other than the measured cycles are estimates" : "times are estimates");
  if (hasSpans)
    rows.notes.emplace_back("the cycles of an execution are the part that it adds to the length of its run; --of "
                            "span counts all cycles from the start of an execution's work to its end");
}

/// Throws AnswerError if an option that selects or describes records is given together with --list-reports.
void refuseWithList(const Request &request) {
  const Selection &s = request.selection;
  std::string given = s.flags() + (s.name.empty() ? "" : " --name") + (s.count ? " -n" : "");
  for (const auto &[key, value] : request.options)
    if (key != "list-reports" && key != "report" && !value.empty() && !(key == "in" && value == "cycles"))
      given += " --" + key;
  if (!given.empty())
    throw AnswerError("--list-reports: takes only --report; leave out" + std::string(given[0] == ' ' ? "" : " ") +
                      given);
}

} // namespace

// Reads the records of the named report, groups them and describes the measure; or lists the reports. The sum of all
// values is checked against overflow first.
Rows collectStats(const Request &request) {
  Rows rows("stats");
  if (!request.options.at("list-reports").empty()) {
    refuseWithList(request);
    rows.counted = false;
    const RecordReport &asked = reportNamed(request.options.at("report"));
    rows.tables = {reportTable(), columnTable(asked)};
    rows.next = {std::string("popscope stats --list-reports --report ") +
                 (recordReports().front().name == std::string(asked.name) ? "tiles" : "executions")};
    return rows;
  }
  const RecordReport &report = reportNamed(request.options.at("report"));
  Question q = questionOf(request, report);
  std::vector<Record> records = recordsOf(request, report);
  for (const Record &record : records)
    if (!std::holds_alternative<std::uint64_t>(record[q.measure]) &&
        !std::holds_alternative<Unknown>(record[q.measure]))
      throw AnswerError("--of: " + report.columns[q.measure].key + " of " + report.name + " is no number");
  const std::vector<Group> groups = groupsOf(q, records);
  std::uint64_t sum = 0;
  for (const Group &group : groups)
    for (const std::uint64_t value : group.values)
      sum = value > std::numeric_limits<std::uint64_t>::max() - sum
                ? throw AnswerError("numbers of the profile are too large to add up: the file is corrupt")
                : sum + value;
  addFacts(rows, q, groups, sum);
  Table table = q.singly ? recordTable(q, std::move(records)) : groupTable(q, groups, sum);
  const Column &of = report.columns[q.measure];
  const std::string measure = of.key == kMeasuredColumn ? "Measured cycles" : of.title;
  table.title = q.singly ? std::string("Records of ") + report.name : measure + " of " + report.name;
  sortRows(table, request.options.at("order-by"),
           q.singly              ? report.columns[q.measure].key
           : q.aggregate.empty() ? (report.levels ? "max" : "sum")
                                 : q.aggregate);
  cutRows(table, request.selection.countOr(kUsualStatsRows));
  rows.tables.push_back(std::move(table));
  if (!q.singly)
    suggest(rows, request, "stats", "--report " + std::string(report.name) + " --aggregate-by none");
  rows.next.emplace_back("popscope stats --list-reports");
  return rows;
}

} // namespace popscope
