#include "report/tool/HtmlCommands.hpp"

#include "base/Environment.hpp"
#include "base/FileErrors.hpp"
#include "base/ShownText.hpp"
#include "base/WholeFile.hpp"
#include "report/answers/PageAnswers.hpp"
#include "report/html/WriteHtml.hpp"
#include "report/pop/PopFile.hpp"
#include "report/tool/Arguments.hpp"
#include "report/tool/FollowProfile.hpp"
#include "report/whatif/WhatIfAnswers.hpp"
#include "report/whatif/WhatIfGrid.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <ostream>
#include <spawn.h>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

extern char **environ; // NOLINT: POSIX gives no other way to pass the environment on

namespace popscope {
namespace {

namespace fs = std::filesystem;

constexpr const char *kViewFolders = "popscope-view-"; // prefix of folders with pages that a browser may still read

/// A folder of this process, which the destructor removes unless it is kept.
class TemporaryFolder {
public:
  explicit TemporaryFolder(const std::string &prefix = "popscope-")
      : path_((temporaryFolder() / (prefix + "XXXXXX")).string()) {
    if (mkdtemp(path_.data()) == nullptr)
      throw std::runtime_error("no temporary folder can be created in " + temporaryFolder().string());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!keep_)
      fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  [[nodiscard]] fs::path path() const { return path_; }
  void keep() { keep_ = true; }

private:
  std::string path_;
  bool keep_ = false;
};

/// Returns the built page, from the folder share/popscope next to the folder of this program.
std::string viewerPage() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path page = self.parent_path().parent_path() / "share" / "popscope" / "viewer.html";
  std::ifstream in(page, std::ios::binary);
  if (error || !in)
    throw ProfileError(
        "this build of popscope has no viewer: " + page.string() +
        " does not exist. It is built where node and npm are installed (scripts/setup.sh installs them)");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

struct Sources {
  std::string profile, debug, second;
}; // "" = none

/// Returns the names of two profiles on the page. A name is the last parts of the path, as many parts as make the two
/// names differ. A page of one profile has no second name.
std::pair<std::string, std::string> pageNames(const std::string &first, const std::string &second) {
  if (second.empty())
    return {fs::path(first).filename().string(), ""};
  const auto partsOf = [](const std::string &file) {
    const fs::path path = fs::absolute(file).lexically_normal();
    return std::vector<fs::path>(path.begin(), path.end());
  };
  const auto lastOf = [](const std::vector<fs::path> &parts, std::size_t count) {
    fs::path name;
    for (std::size_t i = parts.size() - std::min(count, parts.size()); i < parts.size(); ++i)
      name /= parts[i];
    return name.string();
  };
  const std::vector<fs::path> own = partsOf(first), other = partsOf(second);
  std::pair<std::string, std::string> names;
  for (std::size_t count = 1; names.first == names.second && count <= std::max(own.size(), other.size()); ++count)
    names = {lastOf(own, count), lastOf(other, count)};
  return names;
}

/// Returns the time at which a file was last written, in seconds since 1970, or 0 if there is no file.
std::int64_t writtenAt(const std::string &file) {
  struct stat found {};
  return ::stat(file.c_str(), &found) == 0 ? static_cast<std::int64_t>(found.st_mtime) : 0;
}

/// Returns the path of the profile. If the profile is unfinished, returns the path of a copy of its readable part in
/// `folder`.
std::string wholeFile(const std::string &from, const fs::path &folder, const char *name) {
  (void)openPop(from); // fails with the reason if the file is no profile
  std::error_code error;
  if (!fs::exists(from + "-wal", error))
    return from;
  const std::string file = (folder / name).string();
  recoverPop(from, file);
  return file;
}

/// Returns the answers for the page. Returns "" if the profile cannot be read, because the page then reports the
/// profile's faults.
std::string answersOf(const std::string &profile) {
  try {
    std::vector<ViewRow> more = whatIfViews();
    more.push_back(whatIfGridView());
    return pageAnswers(pva::openReport(profile), views(), more);
  } catch (const std::exception &) {
    return "";
  }
}

/// Writes the page to `to`, which appears complete or not at all: the page first has a temporary name next to `to`.
void writePage(const fs::path &to, const Sources &sources) {
  const std::string &from = sources.profile;
  const std::string debugFile = from.empty() ? "" : debugFileOf(from, sources.debug);
  const std::string debugOfOther = sources.second.empty() ? "" : debugFileOf(sources.second);
  checkOutputIsNoInput(to.string(), std::array{from, debugFile, sources.second, debugOfOther});
  const std::string viewer = viewerPage();
  TemporaryFolder folder;
  const std::string file = from.empty() ? from : wholeFile(from, folder.path(), "recovered.pop");
  const std::string other =
      sources.second.empty() ? "" : wholeFile(sources.second, folder.path(), "recovered-second.pop");
  try {
    NewFile out(to.string());
    if (from.empty())
      writeHtml(out.stream(), viewer);
    else {
      std::ifstream profile(file, std::ios::binary);
      if (!profile)
        throw ProfileError(file + ": cannot be read");
      const auto opened = [](const std::string &path) {
        std::ifstream debug(path, std::ios::binary);
        if (!path.empty() && (!debug || fs::is_directory(path)))
          throw ProfileError(path + ": the debug information cannot be read");
        return debug; // not open if there is no file
      };
      std::ifstream debug = opened(debugFile), debugOfSecond = opened(debugOfOther);
      if (!sources.debug.empty()) // the user named the file, so a page without it is a fault
        (void)pva::OperationAnalysis(pva::openReportQuietly(file, sources.debug));
      std::istringstream answers(answersOf(file));
      std::istringstream ofSecond(other.empty() ? "" : answersOf(other));
      const auto orNull = [](std::istringstream &in) { return in.str().empty() ? nullptr : &in; };
      const auto ifOpen = [](std::ifstream &in) { return in.is_open() ? &in : nullptr; };
      const auto names = pageNames(from, sources.second);
      std::ifstream second(other, std::ios::binary);
      if (!other.empty() && !second)
        throw ProfileError(other + ": cannot be read");
      const PageProfile compared{second, names.second, writtenAt(sources.second), orNull(ofSecond),
                                 ifOpen(debugOfSecond)};
      writeHtml(out.stream(), viewer, {profile, names.first, writtenAt(from), orNull(answers), ifOpen(debug)},
                other.empty() ? nullptr : &compared);
    }
    out.publish();
  } catch (const std::system_error &problem) {
    throw ProfileError(to.string() + ": cannot be written: " + problem.code().message());
  }
}

void addDebugOption(CLI::App &app, std::string &file) {
  app.add_option("--debug-info", file,
                 "Debug information of the profile; default: debug.cbor in the profile's folder, if it exists")
      ->type_name("FILE");
}

using Words = std::vector<std::string>;

/// Returns the words of a command such as "w3m -T text/html %s", with the page in place of %s or after the last word.
Words commandOf(const std::string &text, const std::string &page) {
  std::istringstream in(text);
  Words words{std::istream_iterator<std::string>(in), {}};
  bool named = false;
  for (std::string &word : words)
    if (const auto at = word.find("%s"); at != std::string::npos) {
      word.replace(at, 2, page);
      named = true;
    }
  if (!words.empty() && !named)
    words.push_back(page);
  return words;
}

/// Returns the commands that may show a page, in order: those of BROWSER (separated by colons), then the desktop's.
std::vector<Words> browserCommands(const std::string &page) {
  std::vector<Words> commands;
  std::istringstream named(environmentVariable("BROWSER").value_or(""));
  for (std::string text; std::getline(named, text, ':');)
    if (Words words = commandOf(text, page); !words.empty())
      commands.push_back(std::move(words));
  const auto set = [](const char *name) { return !environmentVariable(name).value_or("").empty(); };
  if (set("DISPLAY") || set("WAYLAND_DISPLAY"))
    commands.push_back({"xdg-open", page});
  return commands;
}

/// Runs the command and waits for its end, which a browser in the terminal needs. Returns whether the command
/// succeeded.
bool succeeds(Words words) {
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  return posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) == 0 &&
         waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Removes pages of earlier calls of `popscope view` that are older than a day. Folders of other users stay.
void removeOldPages() {
  constexpr auto kAge = std::chrono::hours(24);
  std::error_code ignored;
  for (const fs::directory_entry &entry : fs::directory_iterator(fs::temp_directory_path(ignored), ignored))
    if (entry.path().filename().string().rfind(kViewFolders, 0) == 0 && entry.is_directory(ignored) &&
        !entry.is_symlink(ignored) && entry.last_write_time(ignored) + kAge < fs::file_time_type::clock::now())
      fs::remove_all(entry.path(), ignored);
}

bool openBrowser(const std::string &page) {
  const std::vector<Words> commands = browserCommands(page);
  return std::any_of(commands.begin(), commands.end(), succeeds);
}

} // namespace

CommandAction makeHtml(CLI::App &app) {
  struct Arguments {
    std::string profile, second, output, debug;
  };
  auto a = std::make_shared<Arguments>();
  app.add_option("profile", a->profile,
                 "Profile to put into the page; without one, the page has a place to drop a profile")
      ->type_name("FILE");
  app.add_option("second", a->second, "Second profile; the page then opens with the differences")->type_name("FILE");
  app.add_option("-o,--output", a->output, "Page to write; default: the profile's name with .html, or popscope.html")
      ->type_name("FILE");
  addDebugOption(app, a->debug);
  return [a](std::ostream &out, const Screen &) {
    const std::string to = !a->output.empty()   ? a->output
                           : a->profile.empty() ? std::string("popscope.html")
                                                : fs::path(a->profile).replace_extension(".html").string();
    if (to == "-" || a->profile == "-" || a->second == "-")
      throw ProfileError("a page and a profile are files: they are not read from or written to a pipe");
    writePage(to, {a->profile, a->debug, a->second});
    out << shownText(to) << "\n";
    return kDone;
  };
}

CommandAction makeView(CLI::App &app) {
  const auto profile = profileArgument(app);
  auto debug = std::make_shared<std::string>();
  auto follow = std::make_shared<bool>(false);
  addDebugOption(app, *debug);
  app.add_flag("--follow", *follow,
               "Show the runs of a running program as they are committed, on a page that only this machine can open; "
               "FILE is the profile's final name or its folder. Ctrl-C ends the command");
  return [profile, debug, follow](std::ostream &out, const Screen &) {
    if (*follow) {
      if (!debug->empty())
        throw AnswerError("--follow reads the debug.cbor next to the profile; leave out --debug-info");
      const auto answers = [](const std::string &image) {
        const TemporaryFolder folder;
        const std::string file = (folder.path() / "profile.pop").string();
        writeWholeFile(file, image, false);
        return answersOf(file);
      };
      followProfile(*profile, viewerPage(), {openBrowser, answers}, std::cout);
      return kDone;
    }
    removeOldPages();
    TemporaryFolder folder(kViewFolders);
    const fs::path to = folder.path() / fs::path(*profile).filename().replace_extension(".html");
    writePage(to, {*profile, *debug, ""});
    std::cout << shownText(to.string()) << std::endl; // flushed now, because a browser may take over the terminal
    const auto start = std::chrono::steady_clock::now();
    const bool shown = openBrowser(to.string());
    // A command that takes longer than kOwnBrowser is the browser itself, and the browser has ended when the command
    // returns. A command that passes the page to a running browser ends at once; the page then stays until a later call
    // removes it.
    constexpr auto kOwnBrowser = std::chrono::seconds(5);
    if (!shown || std::chrono::steady_clock::now() - start < kOwnBrowser)
      folder.keep();
    if (!shown)
      out << "No browser could be started here: open this page in one.\n";
    return kDone;
  };
}

} // namespace popscope
