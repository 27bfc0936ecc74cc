#include "report/pop/AdviceRows.hpp"

#include "base/ReadNumber.hpp"
#include "report/pop/PackedRows.hpp"
#include "report/pop/ReadSupport.hpp"

#include <algorithm>
#include <span>

namespace popscope {
namespace {

std::string rangesText(const LiveExplanationRecord &e) {
  std::string text;
  for (const auto &[begin, end] : e.missed)
    text += "[" + std::to_string(begin) + "," + std::to_string(end) + ")";
  return text;
}

// Parses ranges such as "[0,2)[4,6)". Returns false for any other text.
bool parseRanges(const std::string &text, std::vector<std::pair<std::uint64_t, std::uint64_t>> &out) {
  std::string_view rest = text;
  const auto number = [&](char before, std::uint64_t &value) {
    if (rest.empty() || rest[0] != before)
      return false;
    rest.remove_prefix(1);
    const auto read = takeWhole(rest);
    value = read.value_or(0);
    return read.has_value();
  };
  while (!rest.empty()) {
    std::pair<std::uint64_t, std::uint64_t> range;
    if (!number('[', range.first) || !number(',', range.second) || rest.empty() || rest[0] != ')' ||
        range.first >= range.second)
      return false;
    rest.remove_prefix(1);
    out.push_back(range);
  }
  return true;
}

void readInterval(PopFile &file, Query &q, const ProfileLimits &limits, std::uint32_t &first, std::uint32_t &end) {
  first = q.id(limits.programs);
  end = q.id(limits.programs + 1);
  if (first >= end)
    file.fail("the profile is corrupt: an interval of explained liveness ends before it starts");
}

std::vector<LiveExplanationRecord> readExplanations(PopFile &file, const ProfileLimits &limits) {
  Query q(file, selectStatement("liveness_explanations", "ORDER BY id"));
  return readInOrder(file, q, [&] {
    LiveExplanationRecord e;
    e.variable = q.id(limits.variables);
    readInterval(file, q, limits, e.firstProgram, e.endProgram);
    e.born = q.optionalId(limits.programs);
    e.read = q.id(limits.programs);
    e.failedKill = q.optionalId(limits.programs);
    e.missedElements = q.u64();
    if (!parseRanges(q.text(), e.missed))
      file.fail("the profile is corrupt: liveness_explanations.missed is not a list of ranges");
    e.carrier = q.text();
    e.carriedBy = q.optionalId(limits.programs);
    return e;
  });
}

void writeTrials(PopFile &file, const std::vector<AdviceTrialRecord> &trials) {
  if (trials.empty())
    return;
  file.execute(tableDdl("advice_trials"));
  Query q(file, insertStatement("advice_trials"));
  std::uint64_t id = 0;
  for (const AdviceTrialRecord &t : trials)
    (q << id++ << t.purpose << t.changes << t.text << t.numChanges << t.tilesOutOfMemory << t.fullestTile
       << t.fullestBytes << t.pastEndBytes << t.allTilesBytes << t.exchangeCodeBytes << t.exchangeCycles)
        .run();
}
} // namespace

std::vector<AdviceTrialRecord> readAdviceTrials(PopFile &file, const ProfileLimits &limits) {
  if (!hasTable(file, "advice_trials"))
    return {};
  Query q(file, selectStatement("advice_trials", "ORDER BY id"));
  return readInOrder(file, q, [&] {
    return AdviceTrialRecord{.purpose = q.text(),
                             .changes = q.text(),
                             .text = q.text(),
                             .numChanges = q.u64(),
                             .tilesOutOfMemory = q.u64(),
                             .fullestTile = q.id(limits.tiles),
                             .fullestBytes = q.in<Bytes>(),
                             .pastEndBytes = q.in<Bytes>(),
                             .allTilesBytes = q.in<Bytes>(),
                             .exchangeCodeBytes = q.in<Bytes>(),
                             .exchangeCycles = q.in<Cycles>()};
  });
}

// Always writes the trials. The other tables remain empty if the engine did not explain liveness. The row of
// liveness_advice is written last and marks these tables as complete.
void writeAdvice(PopFile &file, const AdviceRecord &advice, const CompilationRows &rows) {
  writeTrials(file, advice.trials);
  if (!advice.present)
    return;
  Query explanations(file, insertStatement("liveness_explanations"));
  std::uint64_t id = 0;
  for (const LiveExplanationRecord &e : advice.explanations) {
    (explanations << id++ << e.variable << e.firstProgram << e.endProgram).optional(e.born) << e.read;
    explanations.optional(e.failedKill) << e.missedElements << rangesText(e) << e.carrier;
    explanations.optional(e.carriedBy).run();
  }
  Query falseLive(file, insertStatement("false_live"));
  id = 0;
  for (const FalseLiveRecord &f : advice.falseLive)
    (falseLive << id++ << f.variable << f.firstProgram << f.endProgram << f.bytes << f.bytesOnWorstTile).run();
  RowPacker accesses(file, "variable_accesses");
  using Access = VariableAccessRecord;
  rows.accesses([&](std::span<const Access> some) {
    accesses.rows(
        some, [](const Access &a) { return a.variable; }, [](const Access &a) { return a.program; },
        [](const Access &a) { return a.elements; }, [](const Access &a) { return a.read; },
        [](const Access &a) { return a.written; }, [](const Access &a) { return a.undefined; });
  });
  accesses.finish();
  Query placements(file, insertStatement("undef_placements"));
  id = 0;
  for (const UndefPlacementRecord &p : advice.placements)
    (placements << id++ << p.variable << p.before << p.savedOnWorstTile << p.savedOnDevice << p.together).run();
  Query total(file, insertStatement("liveness_advice"));
  (total << advice.worstTile << advice.worstProgram << advice.worstPeak << advice.falseLiveAtPeak
         << advice.worstPeakAfterAll << advice.candidates << advice.tried)
      .run();
}

// Reads the tables that writeAdvice wrote. Checks every id against `limits` and every position against the previous
// rows, because the file may come from an untrusted source.
AdviceRecord readAdvice(PopFile &file, const ProfileLimits &limits) {
  AdviceRecord advice;
  advice.trials = readAdviceTrials(file, limits);
  {
    Query q(file, selectStatement("liveness_advice"));
    if (!q.next())
      return advice;
    advice.present = true;
    advice.worstTile = q.id(limits.tiles);
    advice.worstProgram = q.id(limits.programs);
    advice.worstPeak = q.in<Bytes>();
    advice.falseLiveAtPeak = q.in<Bytes>();
    advice.worstPeakAfterAll = q.in<Bytes>();
    advice.candidates = q.u64();
    advice.tried = q.u64();
  }
  advice.explanations = readExplanations(file, limits);
  {
    Query q(file, selectStatement("false_live", "ORDER BY id"));
    advice.falseLive = readInOrder(file, q, [&] {
      FalseLiveRecord f;
      f.variable = q.id(limits.variables);
      readInterval(file, q, limits, f.firstProgram, f.endProgram);
      f.bytes = q.in<Bytes>();
      f.bytesOnWorstTile = q.in<Bytes>();
      return f;
    });
  }
  Query q(file, selectStatement("undef_placements", "ORDER BY id"));
  advice.placements = readInOrder(file, q, [&] {
    return UndefPlacementRecord{.variable = q.id(limits.variables),
                                .before = q.id(limits.programs),
                                .savedOnWorstTile = q.in<Bytes>(),
                                .savedOnDevice = q.in<Bytes>(),
                                .together = q.flag()};
  });
  return advice;
}

void eachVariableAccess(PopFile &file, const ProfileLimits &limits,
                        const std::function<void(const VariableAccessRecord &)> &visit) {
  Query q(file, "SELECT variable, program, read, written FROM variable_accesses ORDER BY id");
  VariableAccessRecord a{};
  while (q.next()) {
    a.variable = q.id(limits.variables);
    a.program = q.id(limits.programs);
    a.read = q.u64();
    a.written = q.u64();
    if (a.read != 0 || a.written != 0)
      visit(a);
  }
}

bool hasVariableAccesses(PopFile &file) {
  if (!hasTable(file, "packed_rows"))
    return false;
  Query q(file, "SELECT 1 FROM packed_rows WHERE table_name = 'variable_accesses' LIMIT 1");
  return q.next();
}

std::vector<VariableAccessRecord> readVariableAccesses(PopFile &file, const ProfileLimits &limits,
                                                       std::uint32_t variable) {
  std::vector<VariableAccessRecord> rows;
  Query q(file,
          "SELECT program, elements, read, written, undefined FROM variable_accesses WHERE variable = ? ORDER BY id");
  q << variable;
  while (q.next()) {
    VariableAccessRecord a;
    a.variable = variable;
    a.program = q.id(limits.programs);
    a.elements = q.u64();
    a.read = q.u64();
    a.written = q.u64();
    a.undefined = q.u64();
    if (std::max({a.read, a.written, a.undefined}) > a.elements || (!rows.empty() && rows.back().program >= a.program))
      file.fail("the profile is corrupt: accesses of a variable are out of order, or beyond its elements");
    rows.push_back(a);
  }
  return rows;
}

} // namespace popscope
