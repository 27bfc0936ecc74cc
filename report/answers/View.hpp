// The views of popscope, one row each. The command line, its help, the manual page and the completion come from these
// rows.
#pragma once
#include "report/answers/Rows.hpp"
#include "report/answers/Selection.hpp"

#include <functional>
#include <map>
#include <optional>

namespace popscope {

struct Request {
  pva::Report report;
  std::string profile;                // the path as the user wrote it, for hints
  std::optional<pva::Report> other;   // the second profile, for a view of two
  std::string otherProfile, argument; // the view's own argument, or ""
  Selection selection;
  std::map<std::string, std::string>
      options; // values by name without dashes, defaults included; a flag is "true" or ""
  std::function<void(const char *phase, std::uint64_t done, std::uint64_t all)>
      progress; // reports the progress of long work; may be empty
};

enum ViewFlags : unsigned { kCount = 1, kTiles = 2, kSteps = 4, kRuns = 8, kIpu = 16, kName = 32, kAllFlags = 63 };

struct ViewOption {
  const char *name;                 // "--by"; with an alias: "--aggregate-by,--group-by"
  std::vector<const char *> values; // the allowed values; empty: see `type`
  const char *type;                 // "N", "FILE" ...; "" = a flag
  const char *usual;                // default, or ""
  const char *help;
};
struct ViewRow {
  const char *name, *help;
  unsigned flags;       // of ViewFlags
  const char *argument; // "TILE", "[PATTERN]" ... or ""
  const char *argumentHelp;
  bool twoProfiles;
  std::vector<ViewOption> options;
  std::vector<const char *> examples; // the text after "popscope "
  Rows (*collect)(const Request &request);
  const char *alone = "";                               // a flag of `options` that needs no profile
  bool folder = false;                                  // Request::profile is a folder, and Request::report is unset
  bool (*answers)(const pva::Report &report) = nullptr; // whether the profile has what the view needs; null: always
};

/// Returns "by" for "--by": the key in Request::options.
[[nodiscard]] std::string keyOf(const ViewOption &option);

[[nodiscard]] const std::vector<ViewRow> &views();

/// Returns the text as one shell word: unchanged, or in single quotes.
[[nodiscard]] std::string shellWord(const std::string &text);
/// Adds "popscope VIEW profile.pop REST" to Rows::next if the profile can answer it: a hint can be pasted, and the
/// command ends with 0.
void suggest(Rows &rows, const Request &request, const char *view, const std::string &rest = "");
/// Returns whether the profile has what the view needs.
[[nodiscard]] bool canAnswer(const pva::Report &report, const char *view);
/// Returns "popscope top profile.pop", quoted for a shell if needed.
[[nodiscard]] std::string commandFor(const Request &request, const std::string &command, const std::string &rest = "");

} // namespace popscope
