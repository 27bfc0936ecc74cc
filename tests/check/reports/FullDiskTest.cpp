// Reads with SQLite alone what remains of a report without enough space: a limit of the file size, a full file system,
// a device that is always full, a folder without permission.
#include "tests/check/reports/Shell.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace reports;

namespace {

/// The printed value after 6 runs of 3,000 turns: element 0 came from position (64 - 18000 % 64) % 64.
constexpr const char *kValue = "48 ";

std::vector<std::string> others(const fs::path &folder) {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(folder))
    if (entry.path().filename() != "profile.pop")
      names.push_back(entry.path().filename().string());
  return names;
}

/// Checks a profile without its end: SQLite finds a valid database, which contains the records up to that point.
void checkPart(const std::string &path, const std::string &cause) {
  const Database db(path);
  CHECK(db.one("PRAGMA integrity_check") == "ok");
  CHECK(db.one("SELECT value FROM meta WHERE key = 'complete'") == "0");
  CHECK(db.one("SELECT value FROM meta WHERE key = 'compilation'") == "1");
  const std::string ended = db.one("SELECT value FROM meta WHERE key = 'ended'");
  CAPTURE(ended);
  CHECK(ended.find(cause) != std::string::npos);
  const auto steps = db.number("SELECT COUNT(*) FROM steps");
  CHECK(steps >= 1024);
  CHECK(db.one("SELECT COUNT(*) FROM steps_by_ipu") == std::to_string(steps));
  const std::string run = db.one("SELECT number FROM runs WHERE complete = 0"),
                    ofRun = db.one("SELECT COUNT(*) FROM steps WHERE run = (SELECT id FROM runs WHERE complete = 0)");
  CHECK(ended.find("in run " + run + " (\"run " + run + "\"), after " + ofRun + " of its steps") == 0);
  CHECK(fs::file_size(path) == db.number("PRAGMA page_count") * db.number("PRAGMA page_size"));
  CHECK(ended.find(", at " + std::to_string(fs::file_size(path)) + " bytes") != std::string::npos);
}

void checkWarning(const Outcome &o, const std::string &file, const std::string &cause) {
  CAPTURE(o.out);
  REQUIRE(o.err.size() == 1);
  CAPTURE(o.err[0]);
  CHECK(o.err[0].find("Popscope: ") == 0);
  CHECK(o.err[0].find(file) != std::string::npos);
  CHECK(o.err[0].find(cause) != std::string::npos);
}

} // namespace

TEST_SUITE("check.fullDisk") {
  TEST_CASE("with room the profile is whole and nothing is said") {
    const Folder folder;
    const Outcome o = shell(folder, kProgram + " report 6 300");
    CHECK(o.exitCode == 0);
    CHECK(o.err.empty());
    CHECK(o.out.find("56 6") == 0); // 1,800 turns: (64 - 1800 % 64) % 64
    const Database db(folder.file("report/profile.pop"));
    CHECK(db.one("SELECT value FROM meta WHERE key = 'complete'") == "1");
    CHECK(db.one("SELECT COUNT(*) FROM runs WHERE complete = 1") == "6");
    CHECK(db.one("SELECT value FROM meta WHERE key = 'ended'") == "(no row)");
    CHECK(others(folder.path / "report").empty());
  }

  TEST_CASE("a limit of the file size ends the recording, not the program") {
    for (const int blocks : {1500, 2000, 2500, 3000, 4000}) { // limits in blocks of 512 bytes
      CAPTURE(blocks);
      const Folder folder;
      const Outcome o =
          shell(folder, "(ulimit -f " + std::to_string(blocks) + " && exec " + kProgram + " report 6 3000)");
      CHECK(o.exitCode == 0);
      CHECK(o.out.find(kValue) == 0);
      checkWarning(o, "report/profile.pop", "File too large");
      CHECK(fs::file_size(folder.file("report/profile.pop")) <= std::uintmax_t(blocks) * 512);
      checkPart(folder.file("report/profile.pop"), "File too large");
      CHECK(others(folder.path / "report").empty());
    }
  }

  TEST_CASE("a session names the end of the recording once, and does not call such a profile complete") {
    const Folder folder;
    const std::string limited = "(ulimit -f 2000 && POPSCOPE_PROFILE=1 exec " + kProgram + " report 6 3000)";
    const Outcome o = shell(folder, limited);
    CHECK(o.exitCode == 0);
    CHECK(o.out.find(kValue) == 0);
    REQUIRE(o.err.size() == 2);
    CHECK(o.err[0].find("' ends in run ") != std::string::npos);
    CHECK(o.err[0].find("File too large") != std::string::npos);
    CHECK(o.err[1].find("report/profile.pop (not complete") != std::string::npos);
  }

  TEST_CASE("a session.json that has no room is named once, although each engine writes it again") {
    const Folder folder;
    const std::string place = folder.file("popscope-profiles");
    fs::create_directory(place);
    if (std::system(("mount -t tmpfs -o size=4k none '" + place + "' 2>/dev/null").c_str()) != 0) {
      MESSAGE("no right to mount a small file system: not tried");
      return;
    }
    std::ofstream(place + "/other") << std::string(4096, 'x');
    const Outcome o = shell(folder, "POPSCOPE_PROFILE=1 " + kProgram + " report 2 10");
    CHECK(std::system(("umount '" + place + "'").c_str()) == 0);
    CHECK(o.exitCode == 0);
    CHECK(std::count_if(o.err.begin(), o.err.end(),
                        [](const std::string &l) { return l.find("session.json") != std::string::npos; }) == 1);
    CHECK(fs::exists(folder.file("report/profile.pop")));
  }

  TEST_CASE("without room for the compiled graph no file appears, and the one of before stays") {
    for (const int blocks : {0, 8, 64, 250}) {
      CAPTURE(blocks);
      const Folder folder;
      std::ofstream(folder.file("report/profile.pop")) << "of before";
      const Outcome o =
          shell(folder, "(ulimit -f " + std::to_string(blocks) + " && exec " + kProgram + " report 2 10)");
      CHECK(o.out.find("44 2") == 0); // 20 turns
      checkWarning(o, "report/profile.pop", "File too large");
      CHECK(contents(folder.path / "report/profile.pop") == "of before");
      CHECK(others(folder.path / "report").empty());
    }
  }

  TEST_CASE("the same on a full file system") {
    const Folder folder;
    if (std::system(("mount -t tmpfs -o size=1500k none '" + folder.file("report") + "' 2>/dev/null").c_str()) != 0) {
      MESSAGE("no right to mount a small file system: not tried");
      return;
    }
    // KiB that other data occupies. The compilation needs some 850 of the others.
    for (const int others : {0, 100, 600, 1300}) {
      CAPTURE(others);
      fs::remove(folder.path / "report/profile.pop");
      std::ofstream(folder.file("report/other")) << std::string(std::size_t(others) * 1024, 'x');
      const Outcome o = shell(folder, kProgram + " report 6 3000");
      CHECK(o.exitCode == 0);
      CHECK(o.out.find(kValue) == 0);
      checkWarning(o, "report/profile.pop", "No space left on device");
      CHECK(fs::exists(folder.file("report/profile.pop")) == (others < 1000));
      if (others < 500)
        checkPart(folder.file("report/profile.pop"), "No space left on device");
    }
    CHECK(std::system(("umount '" + folder.file("report") + "'").c_str()) == 0);
  }

  TEST_CASE("other files of the report have no room either: the program goes on, what was there stays") {
    const Folder folder;
    std::ofstream(folder.file("report/debug.cbor")) << "of before";
    std::ofstream(folder.file("vars.csv")) << "of before";
    const Outcome o =
        shell(folder, "(ulimit -f 0 && exec " + kProgram +
                          " report 2 10 autoReport.outputDebugInfo=true autoReport.outputSerializedGraph=true "
                          "debug.loweredVarDumpFile=vars.csv autoReport.outputLoweredVars=true)");
    CHECK(o.out.find("44 2") == 0);
    for (const char *file : {"report/debug.cbor", "report/serialized_graph.bin", "vars.csv", "report/profile.pop"}) {
      CAPTURE(file);
      CHECK(std::count_if(o.err.begin(), o.err.end(),
                          [&](const std::string &l) { return l.find(file) != std::string::npos; }) == 1);
    }
    CHECK(o.err.size() == 4);
    CHECK(contents(folder.path / "report/debug.cbor") == "of before");
    CHECK(contents(folder.path / "vars.csv") == "of before");
    CHECK(others(folder.path / "report") == std::vector<std::string>{"debug.cbor"});
  }

  TEST_CASE("a device that is always full") {
    const Folder folder;
    const Outcome o = shell(folder, kProgram + " report 2 10 debug.loweredVarDumpFile=/dev/full");
    CHECK(o.exitCode == 0);
    CHECK(o.out.find("44 2") == 0);
    checkWarning(o, "/dev/full", "No space left on device");
    CHECK(fs::exists(folder.file("report/profile.pop")));
    CHECK(fs::is_character_file("/dev/full"));
  }

  TEST_CASE("a folder without permission") {
    const Folder folder;
    fs::permissions(folder.path / "report", fs::perms::owner_read | fs::perms::owner_exec);
    // Root without capabilities may do what the owner may, and still reaches a checkout below a home folder that is
    // closed to others.
    const std::string user = ::getuid() == 0 ? "setpriv --bounding-set=-all --inh-caps=-all " : "";
    if (!user.empty() && std::system((user + "true 2>/dev/null").c_str()) != 0) {
      MESSAGE("no way to give up the rights of root: not tried");
      return;
    }
    for (const char *report : {"report", "report/made"}) {
      CAPTURE(report);
      const Outcome o = shell(folder, user + kProgram + " " + report + " 2 10");
      CHECK(o.exitCode == 0);
      CHECK(o.out.find("44 2") == 0);
      checkWarning(o, "profile.pop", "Permission denied");
    }
    fs::permissions(folder.path / "report", fs::perms::owner_all);
    CHECK(fs::is_empty(folder.path / "report"));
  }
}
