#include "report/answers/HistoryAnswer.hpp"

#include "base/EditDistance.hpp"
#include "base/ShownText.hpp"
#include "base/TemporaryProfile.hpp"
#include "report/answers/Numbers.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/RecordFilter.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

namespace popscope {
namespace {

namespace fs = std::filesystem;

constexpr const char *kUsualNumbers = "cycles,bytes.fullestTile,bytes.live";
constexpr std::size_t kMaxNumbers = 12;

/// Returns the text by which history sorts a profile: its path. A session writes the profiles of later engines to
/// folders such as engine-2; they come after the profile of the first engine.
std::string placeInOrder(const std::string &profile) {
  const fs::path path = profile;
  const std::string folder = path.parent_path().filename().string();
  return folder.starts_with("engine-") ? (path.parent_path().parent_path() / path.filename() / folder).string()
                                       : profile;
}

/// Returns the paths of the profiles in the folder and its subfolders, relative to the folder. The order is natural or,
/// with `byTime`, from the oldest file on. Leaves out the unfinished files profile_*.pop: killed programs leave such
/// files, and running programs write to them. Sets `unfinished` to the number of these files.
std::vector<std::string> profilesIn(const std::string &folder, bool byTime, std::uint64_t &unfinished) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw AnswerError(folder + ": " + (fs::exists(folder, error) ? "is no folder" : "no such folder"));
  std::vector<std::string> found;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && at != end; at.increment(error))
    if (std::error_code ignored; at->path().extension() == ".pop" && at->is_regular_file(ignored)) {
      if (isTemporaryName(at->path().filename().string()))
        ++unfinished;
      else
        found.push_back(fs::relative(at->path(), folder, ignored).string());
    }
  if (error)
    throw AnswerError(folder + ": cannot be read: " + error.message());
  if (found.empty())
    throw AnswerError(folder + ": contains no profile (*.pop)" +
                      (unfinished == 0 ? "" : "; popscope recover makes one of an unfinished profile_*.pop"));
  std::sort(found.begin(), found.end(), [](const std::string &a, const std::string &b) {
    return naturallyBefore(placeInOrder(a), placeInOrder(b));
  });
  if (byTime)
    std::stable_sort(found.begin(), found.end(), [&](const std::string &a, const std::string &b) {
      std::error_code ignored;
      return fs::last_write_time(fs::path(folder) / a, ignored) < fs::last_write_time(fs::path(folder) / b, ignored);
    });
  return found;
}

struct Entry {
  std::string profile;
  Numbers numbers;
};

/// Returns the requested numbers, in the requested order.
std::vector<std::string> numbersAsked(const std::string &text, const std::vector<Entry> &entries,
                                      const Selection &selection) {
  std::set<std::string> all;
  for (const Entry &entry : entries)
    for (const auto &number : entry.numbers)
      all.insert(number.first);
  const auto isKnown = [&](const std::string &pattern) {
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string &name) { return wholeNameMatches(pattern, name); });
  };
  std::vector<std::string> asked;
  for (const std::string &pattern : partsWithCommas(text.empty() ? kUsualNumbers : text, isKnown)) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(asked),
                 [&](const std::string &name) { return wholeNameMatches(pattern, name); });
    if (!text.empty() && !isKnown(pattern))
      throw AnswerError("no profile has a number \"" + pattern + "\"." + didYouMean(pattern, {all.begin(), all.end()}) +
                        (selection.everyTile() && selection.steps.empty()
                             ? " popscope numbers lists them"
                             : " popscope numbers lists them; with --tiles, --ipu or --steps, it lists only the "
                               "numbers that are known for this choice"));
  }
  if (asked.size() > kMaxNumbers)
    throw AnswerError("\"" + text + "\" names " + std::to_string(asked.size()) + " numbers; a table has at most " +
                      std::to_string(kMaxNumbers));
  return asked;
}

} // namespace

bool naturallyBefore(const std::string &a, const std::string &b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  // A name ends at / or at the extension, and comes before the longer names that begin with it: program, program-2.
  const auto rank = [](char c) { return c == '/' ? -2 : c == '.' ? -1 : int(static_cast<unsigned char>(c)); };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j])
        return rank(a[i]) < rank(b[j]);
      ++i;
      ++j;
      continue;
    }
    const auto number = [&](const std::string &text, std::size_t &at) {
      while (at < text.size() && text[at] == '0')
        ++at;
      const std::size_t from = at;
      while (at < text.size() && digit(text[at]))
        ++at;
      return text.substr(from, at - from);
    };
    const std::string x = number(a, i), y = number(b, j);
    if (x.size() != y.size() || x != y)
      return x.size() != y.size() ? x.size() < y.size() : x < y;
  }
  if (i < a.size() || j < b.size())
    return j < b.size();
  return a < b;
}

// Reads the numbers of every profile in the folder; adds a note for each unreadable profile. Each row has the requested
// numbers and their change from the previous profile.
Rows collectHistory(const Request &request) {
  Rows rows("history");
  std::uint64_t unfinished = 0;
  auto files = profilesIn(request.profile, request.options.at("by") == "time", unfinished);
  if (unfinished != 0)
    rows.notes.emplace_back("left out: " + cellText(unfinished) + " unfinished " +
                            (unfinished == 1 ? "file" : "files") +
                            " profile_*.pop; after their programs have ended, popscope recover makes profiles of them");
  files.erase(std::remove_if(files.begin(), files.end(),
                             [&](const std::string &file) { return !nameMatches(request.selection.name, file); }),
              files.end());
  if (files.empty()) {
    rows.fact("profiles", std::uint64_t(0));
    rows.lines.push_back("No profile of the folder matches --name.");
    rows.tables.push_back({"history", "Numbers by profile", {{"profile", "Profile"}}});
    rows.next = {"popscope history " + shellWord(request.profile)};
    return rows;
  }
  std::vector<Entry> entries;
  std::uint64_t unusable = 0;
  for (const std::string &file : files) {
    if (request.progress)
      request.progress("reading profiles", entries.size() + unusable, files.size());
    try {
      const std::string path = (fs::path(request.profile) / file).string();
      const pva::Report report = pva::openReport(path);
      ofProfile(path, [&] {
        Selection selection = request.selection;
        checkSelection(report, selection);
        entries.push_back({file, numbersOf(report, selection)});
      });
    } catch (const std::runtime_error &e) {
      ++unusable;
      rows.notes.emplace_back(std::string("left out: ") + e.what());
    }
  }
  if (entries.empty())
    throw AnswerError(request.profile + ": " +
                      (files.size() == 1 ? "its only profile cannot be read; "
                                         : "none of its " + std::to_string(files.size()) + " profiles can be read; ") +
                      rows.notes.back());
  const auto pathOf = [&](const std::string &profile) {
    return shellWord((fs::path(request.profile) / profile).string());
  };
  const auto names = numbersAsked(request.argument, entries, request.selection);
  Table table{"history", "Numbers by profile", {{"profile", "Profile"}}};
  for (const std::string &name : names) {
    Unit unit = Unit::None;
    for (const Entry &entry : entries)
      if (const auto found = entry.numbers.find(name); found != entry.numbers.end())
        unit = found->second.unit;
    table.columns.push_back({name, name, unit});
    table.columns.push_back({name + ".change", "Change", unit});
  }
  for (std::size_t e = 0; e < entries.size(); ++e) {
    std::vector<Cell> row = {entries[e].profile};
    for (const std::string &name : names) {
      const auto value = [&](const Entry &entry) {
        const auto found = entry.numbers.find(name);
        return found == entry.numbers.end() ? Number{Unit::None, Unknown()} : found->second;
      };
      const Number now = value(entries[e]);
      const auto is = valueOf(now), was = e == 0 ? std::nullopt : valueOf(value(entries[e - 1]));
      row.push_back(now.value);
      if (is && was)
        row.emplace_back(*is - *was);
      else
        row.emplace_back(Unknown{e != 0});
    }
    table.rows.push_back(std::move(row));
  }
  const std::size_t shown = request.selection.countOr(static_cast<std::size_t>(-1));
  if (table.rows.size() > shown) { // keeps the latest
    table.more = table.rows.size() - shown;
    table.rows.erase(table.rows.begin(), table.rows.end() - static_cast<std::ptrdiff_t>(shown));
  }
  rows.fact("profiles", std::uint64_t(entries.size()));
  rows.fact("unusable", unusable);
  rows.lines.emplace_back(unusable == 0 ? "Profiles: {profiles}."
                                        : "Profiles: {profiles}, and {unusable} that cannot be read.");
  rows.tables.push_back(std::move(table));
  noteSelection(request.selection, rows);
  if (entries.size() > 1)
    rows.next = {"popscope diff " + pathOf(entries[entries.size() - 2].profile) + " " + pathOf(entries.back().profile)};
  else
    rows.next = {"popscope info " + pathOf(entries.back().profile)};
  return rows;
}

} // namespace popscope
