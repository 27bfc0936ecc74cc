// popscope run: its exit code and its messages, however the program ends.
#include "tests/check/reports/Shell.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

using namespace reports;

namespace {

const std::string kProgramOfShape = "'" REPORTS_SHAPES "' none ";

/// Returns the start of a command that writes profiles to the folder p.
std::string run() { return kPopscope + " run --directory p "; }

bool says(const Outcome &outcome, const std::string &part) {
  return std::any_of(outcome.err.begin(), outcome.err.end(),
                     [&](const std::string &line) { return line.find(part) != std::string::npos; });
}

std::vector<std::string> filesOf(const std::filesystem::path &folder) {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace

TEST_SUITE("check.run") {
  TEST_CASE("run ends with 128 + N for a signal N, also if it finds no profile to report on") {
    const Folder folder;
    const std::pair<const char *, int> ends[] = {{"bare-killed", 137}, {"bare-aborted", 134}};
    for (const auto &[shape, code] : ends)
      for (const char *quiet : {"", "-q "}) {
        CAPTURE(std::string(shape) + quiet);
        const Outcome ran = shell(folder, "ulimit -c 0; " + run() + quiet + "-- " + kProgramOfShape + shape);
        CHECK(ran.exitCode == code);
        CHECK(says(ran, "signal " + std::to_string(code - 128)));
        if (*quiet == '\0')
          CHECK(says(ran, "profile.pop: no such file"));
      }
    const Outcome exited = shell(folder, run() + "-- " + kProgramOfShape + "bare-exited");
    CHECK(exited.exitCode == 7);
    CHECK_FALSE(says(exited, "signal"));
  }

  TEST_CASE("a folder that cannot be created is refused before the program starts") {
    const Folder folder;
    const Outcome ran = shell(folder, kPopscope + " run --directory /proc/zz -- touch started");
    CHECK(ran.exitCode == 2);
    CHECK(says(ran, "popscope run: --directory: the folder /proc/zz cannot be created: No such file"));
    CHECK_FALSE(std::filesystem::exists(folder.path / "started"));
    std::ofstream(folder.path / "c.json") << R"({"directory": "/proc/zz"})";
    const Outcome configured = shell(folder, "POPSCOPE_CONFIG=c.json " + kPopscope + " run -- touch started");
    CHECK(configured.exitCode == 2);
    CHECK(says(configured, "popscope run: \"directory\" of c.json:1: the folder /proc/zz cannot be created"));
    REQUIRE(shell(folder, kPopscope + " run --directory deep/er -- true").exitCode == 0);
    CHECK_FALSE(std::filesystem::exists(folder.path / "deep")); // no session was in it
  }

  TEST_CASE("a program whose profile is switched off has the setting in its message") {
    const Folder folder;
    const char *const settings[] = {"POPLAR_ENGINE_OPTIONS='{\"autoReport.all\":\"false\"}'", "POPSCOPE_CONFIG=c.json"};
    std::ofstream(folder.path / "c.json") << R"({"template": "default", "engine": {"autoReport.all": false}})";
    const auto expect = [&](const Outcome &ran) {
      CHECK(ran.exitCode == 0);
      REQUIRE(ran.err.size() == 2);
      CHECK(ran.err[0] ==
            "Popscope: no profile is written: settings of higher precedence (--set of popscope run, "
            "POPLAR_ENGINE_OPTIONS, the program or a configuration file) switch the requested profile off: "
            "autoReport.all=false");
      CHECK(ran.err[1].find("wrote no profile: its settings switch profiles off (then a message above names them)") !=
            std::string::npos);
    };
    expect(shell(folder, run() + "--set autoReport.all=false -- " + kProgramOfShape + "bare"));
    for (const char *setting : settings)
      expect(shell(folder, setting + (" " + run()) + "-- " + kProgramOfShape + "bare"));
    std::ofstream(folder.path / "n.json") << R"({"summary": true})";
    CHECK(
        says(shell(folder, "POPSCOPE_CONFIG=n.json " + kProgramOfShape + "bare"), "but no option requests a profile"));
  }

  TEST_CASE("a program that changes its current folder has its profile in the folder of popscope run") {
    for (const std::string shape : {"bare-moved", "bare-elsewhere"})
      for (const char *settings : {"", "POPSCOPE_CONFIG=c.json ", "POPSCOPE_TRACE=trace.json "}) {
        CAPTURE(shape + settings);
        const Folder folder;
        std::ofstream(folder.path / "c.json") << R"({"template": "light", "directory": "popscope-profiles"})";
        const Outcome ran = shell(folder, settings + kPopscope + " run -- " + kProgramOfShape + shape);
        CHECK(ran.exitCode == 0);
        const auto session = folder.path / "popscope-profiles" / "reports_shapes";
        CHECK(std::filesystem::exists(session / "profile.pop"));
        CHECK(contents(session / "session.json").find("\"complete\"") != std::string::npos);
        CHECK(ran.out.find("IPU Model ipu2: 4 tiles") != std::string::npos); // the verdict
        CHECK(says(ran, session.string() + "/profile.pop (complete"));
        CHECK(std::filesystem::is_empty(folder.path / "report"));
        CHECK(std::filesystem::exists(folder.path / "trace.json") ==
              (settings == std::string("POPSCOPE_TRACE=trace.json ")));
      }
    const Folder folder;
    CHECK(shell(folder, "POPSCOPE_PROFILE=1 POPSCOPE_TRACE=trace.json " + kProgramOfShape + "bare-moved").exitCode ==
          0);
    CHECK(std::filesystem::exists(folder.path / "popscope-profiles" / "reports_shapes" / "summary.txt"));
    CHECK(std::filesystem::exists(folder.path / "trace.json"));
  }

  TEST_CASE("a program whose folder cannot be created names the setting, and writes nothing elsewhere") {
    const Folder folder;
    std::ofstream(folder.path / "c.json") << R"({"template": "light", "directory": "/proc/zz"})";
    const Outcome ran = shell(folder, "ulimit -c 0; POPSCOPE_CONFIG=c.json " + kProgramOfShape + "bare");
    CHECK(ran.exitCode == 134); // the exception of the engine
    CHECK(says(ran, "/proc/zz"));
    CHECK(says(ran, "\"directory\" of c.json:1"));
    CHECK_FALSE(std::filesystem::exists(folder.path / "session.json"));
    const Outcome relative = shell(folder, "touch file; ulimit -c 0; cd report; " + kPopscope +
                                               " run --directory ../p -- sh -c 'chmod a-w .; touch ../p; rmdir ../p; "
                                               "touch ../p; exec " +
                                               std::string(REPORTS_SHAPES) + " none bare'");
    CHECK(relative.exitCode == 134);
    CHECK(says(relative, "--directory of popscope run"));
    CHECK_FALSE(std::filesystem::exists(folder.path / "report" / "session.json"));
  }

  TEST_CASE("a missing folder for temporary files, or of the process itself, is told in words, or does not matter") {
    const Folder folder;
    const Outcome nowhere =
        shell(folder, "ulimit -c 0; env -u HOME -u XDG_CACHE_HOME POPSCOPE_CACHE_DIR=/proc/zz TMPDIR=/nope " +
                          kProgramOfShape + "bare");
    CHECK(nowhere.exitCode == 134);
    CHECK(says(nowhere, "/nope: the folder for temporary files cannot be used: No such file or directory; set TMPDIR"));
    CHECK_FALSE(says(nowhere, "filesystem error"));
    const Outcome gone =
        shell(folder, "(here=$PWD; mkdir gone; cd gone; rmdir ../gone; POPSCOPE_CACHE_DIR=$here/cache '" REPORTS_SHAPES
                      "' \"$here/gone-report\" plain)");
    CHECK(gone.exitCode == 0);
    CHECK(std::filesystem::exists(folder.path / "gone-report" / "profile.pop"));
  }

  TEST_CASE("run names the option of a mistake, in words of its own") {
    const Folder folder;
    const Outcome unknown = shell(folder, run() + "--set foo=1 -- true");
    CHECK(unknown.exitCode == 2);
    REQUIRE(unknown.err.size() == 1);
    CHECK(unknown.err[0].rfind("popscope run: --set: unknown engine option \"foo\"", 0) == 0);
    const Outcome value = shell(folder, run() + "--set autoReport.all=3 -- true");
    REQUIRE(value.err.size() == 1);
    CHECK(value.err[0].rfind("popscope run: --set: engine option \"autoReport.all\": value \"3\"", 0) == 0);
  }

  TEST_CASE("messages of programs and of popc wrap in a terminal, and are one line elsewhere") {
    const Folder folder;
    const std::string bad = "PVTI_OPTIONS='{\"enable\":\"perhaps\"}' " + kProgramOfShape + "bare";
    const std::string full = "ulimit -f 40; '" REPORTS_SHAPES "' own plain";
    const std::string popc =
        "'" POPSCOPE_TOOLS "/popc' --target cpu a/file/that/does/not/exist/anywhere/codelets.cpp -o x.gp";
    for (const std::string &command : {bad, full, popc}) {
      CAPTURE(command);
      const Outcome plain = shell(folder, command);
      REQUIRE(plain.err.size() == 1);
      REQUIRE(plain.err[0].size() > 40);
      std::ofstream(folder.path / "command.sh") << command << "\n";
      const Outcome shown = shell(folder, "COLUMNS=40 script -qec 'sh command.sh' /dev/null </dev/null");
      std::string joined;
      for (std::string line : lines(shown.out)) {
        line.erase(std::remove(line.begin(), line.end(), '\r'), line.end());
        CHECK_MESSAGE((line.size() <= 40 || line.find(' ', 2) == std::string::npos), line);
        joined += (joined.empty() ? "" : " ") + line.substr(joined.empty() ? 0 : 2);
      }
      CHECK(joined == plain.err[0]);
    }
  }

  TEST_CASE("exit while an engine lives leaves nothing but complete profiles") {
    const Folder folder;
    CHECK(shell(folder, "POPSCOPE_PROFILE=1 " + kProgramOfShape + "bare-exited").exitCode == 7);
    for (const std::string &name : filesOf(folder.path / "popscope-profiles" / "reports_shapes"))
      CHECK_MESSAGE(name.rfind("profile_", 0) != 0, name);
    CHECK(std::filesystem::exists(folder.path / "popscope-profiles" / "reports_shapes" / "profile.pop"));
    CHECK(shell(folder, "'" REPORTS_SHAPES "' own exited").exitCode == 7);
    for (const std::string &name : filesOf(folder.path / "own"))
      CHECK_MESSAGE(name.rfind("profile_", 0) != 0, name);
    const Outcome info = shell(folder, kPopscope + " info own/profile.pop");
    CHECK(info.exitCode == 0);
    CHECK(info.err.empty());
  }
}
