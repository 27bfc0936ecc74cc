#include "report/pop/MeasuredCycles.hpp"

#include "base/EditDistance.hpp"
#include "base/MaxRunCycles.hpp"
#include "base/ReadNumber.hpp"
#include "report/pop/ReadSupport.hpp"
#include "report/pop/ReplaceFile.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace popscope {
namespace {

constexpr const char *kColumns[] = {"step", "compute_set", "vertex_type", "tile", "cycles"};
enum : std::size_t { kStepColumn, kSetColumn, kTypeColumn, kTileColumn, kCyclesColumn, kNumColumns };

/// Reads lines of RFC 4180; lines that begin with # are comments. A field in quotes ends on its line: names have no
/// line breaks.
class CsvLines {
public:
  CsvLines(std::istream &in, std::string name) : in_(in), name_(std::move(name)) {}
  [[nodiscard]] std::uint64_t line() const { return line_; }
  [[noreturn]] void fail(const std::string &what) const {
    throw ProfileError(line_ == 0 ? name_ + ": " + what : fmt::format("{}:{}: {}", name_, line_, what));
  }
  bool next(std::vector<std::string> &fields) {
    std::string text;
    while (std::getline(in_, text)) {
      ++line_;
      if (line_ == 1 && text.rfind("\xEF\xBB\xBF", 0) == 0)
        text.erase(0, 3);
      if (!text.empty() && text.back() == '\r')
        text.pop_back();
      if (text.empty() || text[0] == '#')
        continue;
      fields = split(text);
      return true;
    }
    if (in_.bad())
      fail("cannot be read");
    return false;
  }

private:
  [[nodiscard]] std::vector<std::string> split(const std::string &text) const {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"')
        fields.back() += text[++i];
      else if (text[i] == '"' && (quoted || fields.back().empty()))
        quoted = !quoted;
      else if (text[i] == ',' && !quoted)
        fields.emplace_back();
      else
        fields.back() += text[i];
    }
    if (quoted)
      fail("a field in quotes has no end");
    return fields;
  }
  std::istream &in_;
  std::string name_;
  std::uint64_t line_ = 0;
};

/// Ids by name. A name that several objects share has no id.
class Names {
public:
  void add(const std::string &name, std::uint32_t id) {
    ++count_[name];
    ids_[name] = id;
  }
  [[nodiscard]] std::uint32_t idOf(const std::string &name, const char *what, const CsvLines &csv) const {
    const auto found = ids_.find(name);
    if (found == ids_.end())
      csv.fail(fmt::format("the profile has no {} \"{}\".{}", what, name, didYouMean(name, names())));
    if (count_.at(name) > 1)
      csv.fail(fmt::format("{} of the profile's {}s are named \"{}\"; give the step instead, as popscope tree lists it",
                           count_.at(name), what, name));
    return found->second;
  }

private:
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto &entry : ids_)
      all.push_back(entry.first);
    return all;
  }
  std::map<std::string, std::uint32_t> ids_;
  std::map<std::string, std::uint64_t> count_;
};

class MeasuredCsv {
public:
  MeasuredCsv(std::istream &in, const std::string &name, PopFile &file) : csv_(in, name), limits_(readLimits(file)) {
    std::uint32_t id = 0;
    for (const std::string &set : readComputeSetNames(file))
      sets_.add(set, id++);
    id = 0;
    for (const VertexTypeRecord &type : readVertexTypes(file))
      types_.add(type.name, id++);
    readHeader();
  }
  bool next(MeasuredRecord &record) {
    std::vector<std::string> fields;
    if (!csv_.next(fields))
      return false;
    if (fields.size() != order_.size())
      csv_.fail(fmt::format("{} fields; the first line names {} columns", fields.size(), order_.size()));
    std::string values[kNumColumns];
    for (std::size_t i = 0; i < fields.size(); ++i)
      values[order_[i]] = fields[i];
    record.line = csv_.line();
    readPlace(values, record);
    record.tile = values[kTileColumn].empty()
                      ? -1
                      : static_cast<std::int64_t>(number(values[kTileColumn], "tile", limits_.tiles - 1));
    record.cycles = number(values[kCyclesColumn], "cycles", kMaxRunCycles);
    return true;
  }

private:
  void readHeader() {
    std::vector<std::string> fields;
    if (!csv_.next(fields))
      csv_.fail("has no line with the names of columns: step, compute_set or vertex_type, tile, cycles");
    const std::vector<std::string> known(std::begin(kColumns), std::end(kColumns));
    for (const std::string &field : fields) {
      const auto at = std::find(known.begin(), known.end(), field);
      if (at == known.end())
        csv_.fail(fmt::format("there is no column \"{}\".{} Columns are {}", field, didYouMean(field, known),
                              "step, compute_set, vertex_type, tile and cycles"));
      order_.push_back(static_cast<std::size_t>(at - known.begin()));
      if (std::count(fields.begin(), fields.end(), field) > 1)
        csv_.fail(fmt::format("two columns are named \"{}\"", field));
    }
    const auto has = [&](std::size_t column) {
      return std::find(order_.begin(), order_.end(), column) != order_.end();
    };
    if (!has(kCyclesColumn) || !(has(kStepColumn) || has(kSetColumn) || has(kTypeColumn)))
      csv_.fail("columns must have cycles, and one of step, compute_set and vertex_type");
  }
  void readPlace(const std::string (&values)[kNumColumns], MeasuredRecord &record) const {
    int given = 0;
    for (const std::size_t column : {kStepColumn, kSetColumn, kTypeColumn})
      given += values[column].empty() ? 0 : 1;
    if (given != 1)
      csv_.fail(fmt::format("{} of step, compute_set and vertex_type are given; give one of them in each row", given));
    if (!values[kStepColumn].empty()) {
      record.of = MeasuredRecord::Of::Step;
      record.id = static_cast<std::uint32_t>(number(values[kStepColumn], "step", limits_.programs - 1));
    } else if (!values[kSetColumn].empty()) {
      record.of = MeasuredRecord::Of::ComputeSet;
      record.id = sets_.idOf(values[kSetColumn], "compute set", csv_);
    } else {
      record.of = MeasuredRecord::Of::VertexType;
      record.id = types_.idOf(values[kTypeColumn], "vertex type", csv_);
    }
  }
  [[nodiscard]] std::uint64_t number(const std::string &text, const char *column, std::uint64_t most) const {
    const NumberRange range{0, most};
    if (const auto value = readWhole(text, range))
      return *value;
    csv_.fail(fmt::format("{} \"{}\" is not {}", column, text, describeRange(range)));
  }

  CsvLines csv_;
  ProfileLimits limits_;
  Names sets_, types_;
  std::vector<std::size_t> order_; // the column of each field
};

} // namespace

std::vector<MeasuredRecord> readMeasuredCsv(std::istream &in, const std::string &name, const std::string &source,
                                            PopFile &file) {
  if (!readMeta(file).hasCompilation)
    file.fail("has no compiled graph, so measurements cannot be assigned; use the profile of a compiled program");
  std::vector<MeasuredRecord> rows;
  MeasuredCsv csv(in, name, file);
  MeasuredRecord record;
  record.source = source;
  while (csv.next(record))
    rows.push_back(record);
  if (rows.empty())
    throw ProfileError(name + ": has only the line of column names; add at least one measurement");
  return rows;
}

void importMeasured(const std::string &from, const std::string &to, const std::vector<MeasuredRecord> &rows) {
  const auto file = openPop(from);
  const auto quoted = [](const std::string &text) {
    std::string all = "'";
    for (const char c : text)
      all += c == '\'' ? std::string("''") : std::string(1, c);
    return all + "'";
  };
  std::string ddl = tableDdl("measured_cycles");
  ddl.replace(0, std::string("CREATE TABLE").size(), "CREATE TABLE IF NOT EXISTS");
  std::string sql = "BEGIN; " + ddl;
  if (!rows.empty())
    sql += "DELETE FROM measured_cycles WHERE source = " + quoted(rows.front().source) + ";";
  using Of = MeasuredRecord::Of;
  for (const MeasuredRecord &row : rows) {
    const auto idOf = [&](Of of) { return row.of == of ? std::to_string(row.id) : std::string("NULL"); };
    sql += fmt::format("INSERT INTO measured_cycles (source, line, program, compute_set, vertex_type, tile, cycles) "
                       "VALUES ({}, {}, {}, {}, {}, {}, {});\n",
                       quoted(row.source), row.line, idOf(Of::Step), idOf(Of::ComputeSet), idOf(Of::VertexType),
                       row.tile < 0 ? "NULL" : std::to_string(row.tile), row.cycles);
  }
  copyToFile(*file, to, sql + "COMMIT;");
}

std::vector<MeasuredRecord> readMeasured(PopFile &file, const ProfileLimits &limits) {
  std::vector<MeasuredRecord> rows;
  if (!hasTable(file, "measured_cycles"))
    return rows;
  Query q(file, selectStatement("measured_cycles", "ORDER BY id"));
  while (q.next()) {
    MeasuredRecord r;
    (void)q.u64();
    r.source = q.text();
    r.line = q.u64();
    const std::int64_t program = q.optionalId(limits.programs), set = q.optionalId(limits.computeSets),
                       type = q.optionalId(limits.vertexTypes);
    if ((program >= 0) + (set >= 0) + (type >= 0) != 1)
      file.fail("the profile is corrupt: a measurement names more than one of step, compute set and vertex type");
    r.of = program >= 0 ? MeasuredRecord::Of::Step
           : set >= 0   ? MeasuredRecord::Of::ComputeSet
                        : MeasuredRecord::Of::VertexType;
    r.id = static_cast<std::uint32_t>(std::max({program, set, type}));
    r.tile = q.optionalId(limits.tiles);
    r.cycles = q.u64();
    if (r.cycles > kMaxRunCycles)
      file.fail("the profile is corrupt: a measurement has more than 2^48 cycles");
    rows.push_back(std::move(r));
  }
  return rows;
}

} // namespace popscope
