#include "report/answers/Selection.hpp"

#include "base/ReadNumber.hpp"
#include "base/ShownText.hpp"
#include "report/answers/Ranking.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace popscope {
namespace {

constexpr const char *kWorst = "worst:", *kAll = "all";

std::vector<std::string> parts(const std::string &text) {
  std::vector<std::string> all(1);
  for (const char c : text)
    if (c == ',')
      all.emplace_back();
    else
      all.back() += c;
  return all;
}

/// Returns whether the text may be a name as it is shown, with escapes such as \x1b.
bool hasEscapes(const std::string &asked) { return asked.find("\\x") != std::string::npos; }

/// Returns, for example, "0 to 15".
std::string rangeBelow(std::uint64_t end) {
  return end == 0 ? "none" : end == 1 ? "0 alone" : "0 to " + std::to_string(end - 1);
}

[[noreturn]] void fail(const std::string &flag, const std::string &part) {
  throw AnswerError(flag + ": \"" + part + "\" is not allowed; give numbers and ranges such as 0,5-9,20-" +
                    (flag == "--tiles" ? ", or worst:16, or all" : ", or all"));
}

/// The error for a number that the profile does not have. The message ends with the numbers that the profile has.
class NotInProfile : public AnswerError {
public:
  NotInProfile(const std::string &problem, std::uint64_t end)
      : AnswerError(problem + "; the profile has " + rangeBelow(end)) {}
};

/// Throws, for example, "there is no tile 16; the profile has 0 to 15".
[[noreturn]] void failIndex(const std::string &flag, const std::string &text, std::uint64_t end,
                            const std::string &what) {
  throw NotInProfile(flag + ": there is no " + what + " " + text, end);
}

/// Calls `body`. If the program has several replicas, adds to an error of `body` that the profile has the IPUs and
/// tiles of one replica.
template <class Body> void ofOneReplica(const pva::Report &report, const Body &body) {
  try {
    body();
  } catch (const NotInProfile &e) {
    if (report.compilation().target().numReplicas() == 1)
      throw;
    throw AnswerError(std::string(e.what()) + ", of one replica");
  }
}

/// Reads a set of numbers below `end`. An error also states which numbers the profile has.
NumberSet readSet(const std::string &flag, const std::string &text, std::uint64_t end, const std::string &what) {
  NumberSet set;
  try {
    set = NumberSet(flag, text);
  } catch (const AnswerError &e) {
    throw NotInProfile(e.what(), end);
  }
  set.checkBelow(end, flag, what);
  return set;
}

/// Returns whether `pattern` matches `name`, where * is any text and ? any character.
bool glob(const std::string &pattern, const std::string &name) {
  std::size_t p = 0, n = 0, star = std::string::npos, from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') { // first, because a name may contain * too
      star = p++;
      from = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string::npos) {
      p = star + 1;
      n = ++from;
    } else
      return false;
  }
  while (p < pattern.size() && pattern[p] == '*')
    ++p;
  return p == pattern.size();
}

} // namespace

NumberSet::NumberSet(const std::string &flag, const std::string &text) {
  if (text.empty() || text == kAll)
    return;
  for (const std::string &part : parts(text)) {
    std::string_view rest = part;
    const auto first = takeWhole(rest);
    if (!first)
      fail(flag, part);
    auto last = first;
    if (!rest.empty()) {
      if (rest[0] != '-')
        fail(flag, part);
      rest.remove_prefix(1);
      last = rest.empty() ? NumberRange().max : readWhole(rest);
    }
    if (!last || *last < *first)
      fail(flag, part);
    ranges_.emplace_back(*first, *last);
  }
}

bool NumberSet::contains(std::uint64_t number) const {
  return ranges_.empty() || std::any_of(ranges_.begin(), ranges_.end(),
                                        [&](const auto &r) { return r.first <= number && number <= r.second; });
}

void NumberSet::checkBelow(std::uint64_t end, const std::string &flag, const std::string &what) const {
  for (const auto &range : ranges_) {
    const std::uint64_t named = range.second == NumberRange().max ? range.first : range.second;
    if (named >= end)
      failIndex(flag, std::to_string(named), end, what);
  }
}

std::string notEmpty(const std::string &value) {
  return value.empty() ? "the value is empty; leave the option out for all" : "";
}

std::string notOneOf(const std::vector<std::string> &values, const std::string &value) {
  if (std::find(values.begin(), values.end(), value) != values.end())
    return "";
  std::string all;
  for (const std::string &one : values)
    all += (all.empty() ? "" : ", ") + one;
  return "\"" + value + "\" is not allowed; give one of " + all;
}

std::uint64_t readIndex(const std::string &flag, const std::string &text, std::uint64_t end, const std::string &what) {
  const auto number = readWhole(text);
  if (!number || *number >= end)
    failIndex(flag, number ? text : "\"" + text + "\"", end, what);
  return *number;
}

std::size_t readLevels(const std::string &text) {
  const NumberRange allowed{1, 1000};
  const auto levels = readWhole(text, allowed);
  if (!levels)
    throw AnswerError("--depth: \"" + text + "\" is not allowed; give " + describeRange(allowed));
  return static_cast<std::size_t>(*levels);
}

std::size_t stepCount(const pva::Report &report) {
  std::size_t end = 0;
  for (const auto &program : allPrograms(report))
    end = std::max(end, program->_id() + 1);
  return end;
}

void checkSelection(const pva::Report &report, Selection &selection) {
  for (std::string *text : {&selection.tiles, &selection.steps, &selection.runs})
    if (*text == kAll)
      text->clear(); // as without the flag, so that an answer is the same
  ofOneReplica(report, [&] {
    if (!selection.ipuText.empty())
      selection.ipu = readIndex("--ipu", selection.ipuText, report.compilation().target().ipusPerReplica(), "IPU");
    if (!selection.tiles.empty())
      (void)tileMask(report, selection);
  });
  if (!selection.runs.empty())
    (void)selectedRuns(report, selection);
  if (!selection.steps.empty())
    (void)readSet("--steps", selection.steps, stepCount(report), "step");
}

std::size_t tileCount(const pva::Report &report) {
  return std::min<std::size_t>(report.compilation().tiles().size(), report.compilation().target().tilesPerReplica());
}

std::size_t Selection::countOr(std::size_t usual) const {
  if (!count)
    return usual;
  return *count == 0 ? static_cast<std::size_t>(-1) : static_cast<std::size_t>(*count);
}

std::string Selection::flags() const {
  std::string all;
  for (const auto &[flag, text] :
       {std::pair("--tiles ", &tiles), {"--ipu ", &ipuText}, {"--steps ", &steps}, {"--runs ", &runs}})
    if (!text->empty())
      all += (all.empty() ? "" : " ") + std::string(flag) + *text;
  return all;
}

std::uint64_t bytesPastEnd(const pva::Report &report, std::size_t tile) {
  const pva::TileMemory m = report.compilation().tiles()[tile].memory();
  const std::uint64_t end = m.total().includingGaps(), memory = report.compilation().target().bytesPerTile();
  return std::max(end > memory ? end - memory : 0, m.overflowed().excludingGaps());
}

std::vector<std::size_t> fullestTiles(const pva::Report &report) {
  const auto tiles = report.compilation().tiles();
  std::vector<std::uint64_t> bytes(tileCount(report));
  for (std::size_t tile = 0; tile < bytes.size(); ++tile)
    bytes[tile] = tiles[tile].memory().total().excludingGaps();
  std::vector<std::size_t> order(bytes.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return bytes[a] > bytes[b]; });
  return order;
}

std::vector<bool> tileMask(const pva::Report &report, const Selection &selection) {
  const pva::Target target = report.compilation().target();
  const std::size_t count = tileCount(report);
  const auto here = [&](std::size_t tile) { return !selection.ipu || tile / target.tilesPerIpu() == *selection.ipu; };
  std::vector<bool> chosen(count, selection.tiles.empty());
  for (const std::string &part : selection.tiles.empty() ? std::vector<std::string>() : parts(selection.tiles)) {
    if (part.rfind(kWorst, 0) == 0) {
      auto left = readWhole(part.substr(std::string(kWorst).size()), {1, count});
      if (!left)
        throw AnswerError("--tiles: \"" + part + "\" is not allowed; give worst: and " + describeRange({1, count}));
      for (const std::size_t tile : fullestTiles(report))
        if (here(tile) && *left != 0) {
          chosen[tile] = true;
          --*left;
        }
      continue;
    }
    const NumberSet set = readSet("--tiles", part.empty() ? "," : part, count, "tile");
    for (std::size_t tile = 0; tile < count; ++tile)
      chosen[tile] = chosen[tile] || set.contains(tile);
  }
  for (std::size_t tile = 0; tile < count; ++tile)
    chosen[tile] = chosen[tile] && here(tile);
  return chosen;
}

std::vector<std::size_t> selectedTiles(const pva::Report &report, const Selection &selection) {
  const std::vector<bool> mask = tileMask(report, selection);
  std::vector<std::size_t> tiles;
  for (std::size_t tile = 0; tile < mask.size(); ++tile)
    if (mask[tile])
      tiles.push_back(tile);
  return tiles;
}

NumberSet selectedSteps(const Selection &selection) { return NumberSet("--steps", selection.steps); }

StepChoice::StepChoice(const pva::Report &report, const Selection &selection) : steps_(selectedSteps(selection)) {
  if (selection.runs.empty())
    return;
  executed_.emplace();
  const auto runs = report.execution().runs();
  for (const std::size_t run : selectedRuns(report, selection))
    for (const pva::ExecutionStep &step : runs[run].steps())
      executed_->insert(step.program()->_id());
}

bool StepChoice::contains(std::size_t program) const {
  return steps_.contains(program) && (!executed_ || executed_->count(program) != 0);
}

void StepChoice::failWithoutLiveness(const std::vector<std::size_t> &programs) const {
  const bool stepsExclude =
      std::none_of(programs.begin(), programs.end(), [this](std::size_t program) { return steps_.contains(program); });
  throw AnswerError(stepsExclude ? "none of the selected steps is a liveness step: a liveness step touches data or "
                                   "chooses the next step; popscope peak -n 0 lists these steps"
                                 : std::string("the runs of --runs executed none of the ") +
                                       (steps_.everything() ? "" : "selected ") +
                                       "liveness steps; choose other runs, or leave out --runs");
}

std::vector<bool> livenessStepMask(const pva::Report &report, const Selection &selection) {
  std::vector<bool> mask;
  if (selection.everyStep())
    return mask;
  const StepChoice steps(report, selection);
  std::vector<std::size_t> programs;
  for (const auto &step : report.compilation().livenessProgramSteps()) {
    programs.push_back(step.program()->_id());
    mask.push_back(steps.contains(programs.back()));
  }
  if (std::find(mask.begin(), mask.end(), true) == mask.end())
    steps.failWithoutLiveness(programs);
  return mask;
}

std::vector<std::size_t> selectedRuns(const pva::Report &report, const Selection &selection) {
  const std::size_t count = report.execution().runs().size();
  const NumberSet set = readSet("--runs", selection.runs, count, "recorded run");
  std::vector<std::size_t> runs;
  for (std::size_t run = 0; run < count; ++run)
    if (set.contains(run))
      runs.push_back(run);
  return runs;
}

std::vector<std::size_t> summedRuns(const pva::Report &report, const Selection &selection) {
  const auto all = report.execution().runs();
  std::vector<std::size_t> selected = selectedRuns(report, selection), ended;
  std::copy_if(selected.begin(), selected.end(), std::back_inserter(ended),
               [&](std::size_t run) { return all[run].complete(); });
  return ended.empty() ? selected : ended;
}

bool isPattern(const std::string &text) { return text.find_first_of("*?") != std::string::npos; }

bool wholeNameMatches(const std::string &text, const std::string &name) {
  return isPattern(text) ? nameMatches(text, name) : name == text;
}

bool nameMatches(const std::string &pattern, const std::string &name) {
  const auto matches = [&pattern](const std::string &text) {
    return isPattern(pattern) ? glob(pattern, text) : text.find(pattern) != std::string::npos;
  };
  return matches(name) || (hasEscapes(pattern) && matches(shownText(name)));
}

bool isNamed(const std::string &asked, const std::string &name) {
  return name == asked || (hasEscapes(asked) && shownText(name) == asked);
}

} // namespace popscope
