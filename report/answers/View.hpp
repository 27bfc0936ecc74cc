// The views of popscope, one ViewRow each. The command line, its help, the manual page and the shell completion are
// generated from these rows.
#pragma once
#include "report/answers/Rows.hpp"
#include "report/answers/Selection.hpp"

#include <functional>
#include <map>
#include <optional>

namespace popscope {

struct Request {
  pva::Report report;
  std::string profile;                // the path as the user wrote it, for suggested commands
  std::optional<pva::Report> other;   // the second profile of a view that compares two profiles
  std::string otherProfile, argument; // `argument`: the view's positional argument, or ""
  Selection selection;
  /// The values of the options, including defaults. A key is the option's name without dashes. The value of a flag is
  /// "true" or "".
  std::map<std::string, std::string> options;
  std::size_t columns = 0; // maximum width of drawn text in characters; 0 stands for no maximum
  /// A function that reports the progress of long work; may be empty.
  std::function<void(const char *phase, std::uint64_t done, std::uint64_t all)> progress;
};

enum ViewFlags : unsigned { kCount = 1, kTiles = 2, kSteps = 4, kRuns = 8, kIpu = 16, kName = 32, kAllFlags = 63 };

struct ViewOption {
  const char *name;                 // "--by"; with an alias: "--aggregate-by,--group-by"
  std::vector<const char *> values; // allowed values; if `type` is "FILE", a file is also allowed; empty if `type`
                                    // describes the value
  const char *type;                 // "N", "FILE" ...; "" for a flag without a value
  const char *usual;                // default value, or ""
  const char *help;
  bool isList = false; // the value is a list with commas; the values of a repeated option are joined to one list
};
[[nodiscard]] inline ViewOption viewFlag(const char *name, const char *help) { return {name, {}, "", "", help}; }
[[nodiscard]] inline ViewOption viewOption(const char *name, const char *type, const char *help) {
  return {name, {}, type, "", help};
}
struct ViewRow {
  const char *name, *help;
  unsigned flags = kAllFlags; // ViewFlags of the selection flags that the view accepts
  const char *argument = "";  // positional argument as in --help: "TILE", "[PATTERN]" ... or ""
  const char *argumentHelp = "";
  bool twoProfiles = false;
  std::vector<ViewOption> options = {};
  std::vector<const char *> examples; // each example is a command line without the leading "popscope "
  Rows (*collect)(const Request &request);
  const char *alone = "";                               // a flag of `options` with which the view needs no profile
  bool folder = false;                                  // true: Request::profile is a folder, and Request::report is
                                                        // not set
  bool (*answers)(const pva::Report &report) = nullptr; // returns whether the profile has the data that the view needs;
                                                        // null if every profile has the data
};

/// Returns the key of the option in Request::options: "by" for "--by".
[[nodiscard]] std::string keyOf(const ViewOption &option);

/// Returns the reason why the option does not accept the value, or "" if the option accepts the value. The command line
/// and Python call this function.
[[nodiscard]] std::string problemOf(const ViewOption &option, const std::string &value);
/// A flag that selects what an answer covers.
struct SelectionFlag {
  ViewFlags flag;
  const char *name, *type, *help;
  std::string Selection::*text; // the value of the flag
  bool mayBeEmpty;
};
/// Returns the selection flags: one for each of ViewFlags except kCount.
[[nodiscard]] const std::vector<SelectionFlag> &selectionFlags();

[[nodiscard]] const std::vector<ViewRow> &views();

/// Adds "popscope VIEW profile.pop REST" to Rows::next, if the profile has the data that the view needs. So every
/// suggested command works without changes and has exit code 0.
void suggest(Rows &rows, const Request &request, const char *view, const std::string &rest = "");
/// Adds a note if the profile has several replicas, because the answer has the numbers of only one replica.
void noteReplica(Rows &rows, const Request &request);
/// Adds a note about the bytes of exchange code if the memory figures of the profile do not include code. Each answer
/// with the exchange code of single programs calls this function.
void noteNoCode(Rows &rows, const Request &request);
/// Returns whether the profile has the data that the view needs.
[[nodiscard]] bool canAnswer(const pva::Report &report, const char *view);
/// Returns a command line that runs the sub-command `command` on the profile of the request, for example "popscope top
/// profile.pop". Quotes the path for the shell if needed. Appends `rest` unchanged.
[[nodiscard]] std::string commandFor(const Request &request, const std::string &command, const std::string &rest = "");

} // namespace popscope
