// Settings that have no effect are named once on stderr and in the profile; unknown ones are errors.
#include "tests/check/reports/Shell.hpp"

#include <doctest/doctest.h>

using namespace reports;

namespace {

std::string warned(const Folder &folder) {
  const Database db(folder.file("report/profile.pop"));
  return db.one("SELECT group_concat(about, ' ') FROM (SELECT about FROM warnings ORDER BY id)");
}

} // namespace

TEST_SUITE("check.settings") {
  TEST_CASE("an option that another one keeps from having an effect") {
    struct Case {
      const char *option, *cure;
    };
    for (const Case &c :
         {Case{"debug.computeInstrumentationLevel=device debug.instrument=false", "debug.instrumentCompute=true"},
          Case{"debug.computeInstrumentationLevel=ipu debug.instrument=false", "debug.instrumentCompute=true"},
          Case{"debug.branchRecordTile=1 debug.instrument=false", "debug.instrumentControlFlow=true"},
          Case{"profiler.blocks.bufferSize=2000", "profiler.blocks.filter=.*"},
          Case{"profiler.blocks.tile=1", "profiler.programs.filter=.*"},
          Case{"profiler.blocks.implicitFlush=false", "profiler.blocks.filter=.*"},
          Case{"exchange.streamBufferOverlap=none exchange.enablePrefetch=false", "exchange.enablePrefetch=true"}}) {
      CAPTURE(c.option);
      const std::string word = c.option, key = word.substr(0, word.find('='));
      const Folder folder;
      const Outcome o = shell(folder, kProgram + " report 1 2 " + c.option);
      CHECK(o.exitCode == 0);
      REQUIRE(o.err.size() == 1);
      CHECK(o.err[0].find("Popscope: engine option " + key + " has no effect: ") == 0);
      CHECK(warned(folder) == key);
      const Database db(folder.file("report/profile.pop"));
      CHECK(o.err[0] == "Popscope: engine option " + key + " " + db.one("SELECT text FROM warnings"));
      CHECK(shell(folder, kPopscope + " info report/profile.pop").out.find(key + " has no effect: ") !=
            std::string::npos);
      const Folder again;
      const Outcome cured = shell(again, kProgram + " report 1 2 " + c.option + " " + c.cure);
      CHECK(cured.err.empty());
      CHECK(warned(again) == "(null)");
    }
  }

  TEST_CASE("an option that another one replaces, or that is for a report that is not written") {
    const Folder folder;
    // the program itself sets the number of runs
    Outcome o = shell(folder, kProgram + " report 1 2 popscope.profileRuns=0");
    REQUIRE(o.err.size() == 1);
    CHECK(o.err[0].find("autoReport.executionProfileProgramRunCount has no effect: popscope.profileRuns") !=
          std::string::npos);
    o = shell(folder,
              kProgram + " report 1 2 debug.supervisorStackSizeInBytes=512 target.supervisorStackSizeInBytes=600");
    REQUIRE(o.err.size() == 1);
    CHECK(o.err[0].find("debug.supervisorStackSizeInBytes has no effect: target.supervisorStackSizeInBytes wins") !=
          std::string::npos);
    // A size of 0 leaves the choice to the older name.
    o = shell(folder, kProgram + " report 1 2 debug.supervisorStackSizeInBytes=512 target.supervisorStackSizeInBytes=0 "
                                 "debug.workerStackSizeInBytes=512 target.workerStackSizeInBytes=0x0");
    CHECK(o.err.empty());
    CHECK(warned(folder) == "(null)");
    o = shell(folder,
              kProgram + " report 1 2 autoReport.outputGraphProfile=false autoReport.outputExecutionProfile=false");
    REQUIRE(o.err.size() == 1);
    CHECK(o.err[0].find("autoReport.directory has no effect: nothing is written there") != std::string::npos);
  }

  TEST_CASE("options that are accepted only are named in one line, unless they ask for what happens anyway") {
    const Folder folder;
    Outcome o = shell(folder, kProgram + " report 1 2 opt.useAutoloader=false debug.trace=x target.syncMethod=default");
    CHECK(o.exitCode == 0);
    REQUIRE(o.err.size() == 1);
    CHECK(o.err[0] == "Popscope: engine options that are accepted and change nothing: debug.trace, "
                      "opt.useAutoloader; popscope options explains each");
    CHECK(warned(folder) == "debug.trace opt.useAutoloader");
    o = shell(folder, kProgram + " report 1 2 debug.retainDebugInformation=true autoReport.streamAtEachRun=true");
    CHECK(o.err.empty());
    // The Python package reads the same.
    REQUIRE(shell(folder, kProgram + " report 1 2 debug.computeInstrumentationLevel=tile debug.instrument=false")
                .exitCode == 0);
    o = shell(folder, kPython + " -c \"import pva; w = pva.openReport('report/profile.pop').popscope.warnings; "
                                "print(len(w), w[0].about, w[0].text)\"");
    CHECK(o.out.find("1 debug.computeInstrumentationLevel has no effect: compute is not instrumented") == 0);
  }

  TEST_CASE("what PVTI_OPTIONS does not know is an error with the nearest name, in both languages") {
    const Folder folder;
    Outcome o =
        shell(folder, "PVTI_OPTIONS='{\"enabel\":\"true\",\"directory\":\"traces\"}' " + kProgram + " report 1 2");
    CHECK(o.exitCode == 0);
    REQUIRE(o.err.size() == 1);
    CHECK(o.err[0].find("error in PVTI_OPTIONS: unknown key \"enabel\". Did you mean \"enable\"?") !=
          std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder.path / "traces"));
    o = shell(folder, "PVTI_OPTIONS='{\"enable\":\"yes\",\"directory\":\"traces\"}' " + kProgram + " report 1 2");
    REQUIRE(o.err.size() == 1);
    CHECK(o.err[0].find("\"enable\" is \"yes\"") != std::string::npos);
    const std::string twice = "PVTI_OPTIONS='{\"enable\":\"true\",\"directory\":\"traces\",\"enable\":\"false\"}' ";
    o = shell(folder, twice + kProgram + " report 1 2");
    REQUIRE(o.err.size() == 1);
    CHECK(o.err[0].find(
              "error in PVTI_OPTIONS: \"enable\" is given twice; leave one of the two out. Nothing is traced.") !=
          std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder.path / "traces"));
    o = shell(folder,
              twice + kPython + " -c \"import libpvti as p; p.Tracepoint.event(p.createTraceChannel('c'), 'e')\"");
    CHECK(o.err.back() == "ValueError: \"enable\" of PVTI_OPTIONS is given twice; leave one of the two out");
    o = shell(folder, "PVTI_OPTIONS='{\"enable\":\"true\",\"directory\":\"traces\"}' " + kProgram + " report 1 2");
    CHECK(o.err.empty());
    CHECK(std::filesystem::exists(folder.path / "traces"));
    o = shell(folder, "PVTI_OPTIONS='{\"enable\":\"true\",\"dirctory\":\"x\"}' " + kPython +
                          " -c \"import libpvti as p; p.Tracepoint.event(p.createTraceChannel('c'), 'e')\"");
    CHECK(o.exitCode == 1);
    CHECK(
        o.err.back() ==
        "ValueError: PVTI_OPTIONS has no key \"dirctory\" (did you mean \"directory\"?); there are: enable, directory");
  }

  TEST_CASE("a trace that has no room ends, the program does not, in both languages") {
    const Folder folder;
    const std::string limited =
        "PVTI_OPTIONS='{\"enable\":\"true\",\"directory\":\"traces\"}' ; export PVTI_OPTIONS; ulimit -f 0; ";
    Outcome o =
        shell(folder, "(" + limited + kProgram +
                          " report 1 2 autoReport.outputGraphProfile=false autoReport.outputExecutionProfile=false "
                          "autoReport.outputDebugInfo=false)");
    CHECK(o.out.find("62 1") == 0);
    std::size_t said = 0;
    for (const std::string &line : o.err)
      said += line.find("Popscope: the trace traces/") == 0 && line.find("File too large") != std::string::npos ? 1 : 0;
    CHECK(said == 1);
    o = shell(folder, "(" + limited + kPython +
                          " -c \"import signal, libpvti as p; c = p.createTraceChannel('c')\nfor i in range(3): "
                          "p.Tracepoint.event(c, 'e')\nprint('done')\")");
    CHECK(o.out == "done\n");
    CHECK(o.err.size() == 1);
  }
}
