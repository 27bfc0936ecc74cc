// The tools report wrong use in sentences of Popscope, not in the words of a library.
#include "KnownProfile.hpp"
#include "tests/HasText.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <sys/wait.h>

using nlohmann::json;
using tools::expectRefusal;
using tools::Known;
using tools::table;

namespace {} // namespace

TEST_SUITE("tools.messages") {
  TEST_CASE("wrong arguments are told in our own words") {
    const Known known;
    const std::pair<std::vector<std::string>, const char *> asked[] = {
        {{"export", "known.pop", "--time", "clocks"},
         "popscope export: --time: \"clocks\" is not allowed; give one of cycles, clock; "},
        {{"export", "known.pop", "--layout", "x"},
         "popscope export: --layout: \"x\" is not allowed; give one of flat, msprof; "},
        {{"top", "known.pop", "--of", "zzz"},
         "popscope top: --of: \"zzz\" is not allowed; give one of compute-sets, steps, "},
        {{"top", "known.pop", "--json", "--csv"},
         "popscope top: --json and --csv exclude each other; give one of them; "},
        {{"schema", "--markdown", "--typescript"},
         "popscope schema: --markdown and --typescript exclude each other; give one of them; "},
        {{"top", "known.pop", "--tiles"}, "popscope top: --tiles: the value is missing; give --tiles TILES; "},
        {{"top", "known.pop", "-n"}, "popscope top: -n: the value is missing; give -n N; "},
        {{"top", "known.pop", "-n", "1", "-n", "2"}, "popscope top: -n is given twice; give it once; "},
        {{"top", "known.pop", "one", "two"}, "popscope top: \"one\" is too much; "},
        {{"operators", "known.pop", "-t", "2", "-n", "3"},
         "popscope operators: -n and -t exclude each other; give one"},
        {{"top", "known.pop", "-n", "99999999999999999999"},
         "popscope top: -n: \"99999999999999999999\" is not allowed; give a whole number from 0 to "
         "18446744073709551615; "},
        {{"top", "known.pop", "-n", "-1"}, "popscope top: -n: \"-1\" is not allowed; give a whole number from 0 on; "},
    };
    for (const auto &[words, start] : asked)
      expectRefusal(known.place.run("popscope", words), start, " --help lists the arguments");
    expectRefusal(known.place.run("profile_summary", {"known.pop", "--colours=maybe"}),
                  "profile_summary: --colours: \"maybe\" is not allowed; give true or false; ", "");
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--of", "tiles", "--name", "x"}),
                  "popscope top: --name: tiles have no names", "");
  }

  TEST_CASE("a flag that has no meaning with another word is refused") {
    const Known known;
    const std::pair<std::vector<std::string>, const char *> asked[] = {
        {{"config", "show", "--file", "x.json"},
         "config show: there is no --file here; it belongs to config set, unset"},
        {{"config", "show", "--fresh"}, "config show: there is no --fresh here; it belongs to config set"},
        {{"config", "check", "--all"}, "config check: there is no --all here; it belongs to config show"},
        {{"config", "set", "--template", "light", "summary=true"}, "config set: there is no --template here; it "},
        {{"config", "set", "engine={}"},
         "config set: \"engine\" is an object; set an engine option by its name, or as "},
        {{"config", "path", "--json"},
         "config path: there is no --json here; it belongs to config show, check, templates"},
        {{"stats", "--list-reports", "--tiles", "1"}, "--list-reports: takes only --report; leave out --tiles 1"},
        {{"stats", "--list-reports", "--where", "cycles>1", "-n", "2"},
         "--list-reports: takes only --report; leave out -n --where"}};
    for (const auto &[words, what] : asked)
      expectRefusal(known.place.run("popscope", words), "popscope " + words.front() + ": ", what);
    CHECK(known.place.files() == std::vector<std::string>{"known.pop", "small.pop"});
    CHECK(known.place.run("popscope", {"stats", "--list-reports", "--report", "tiles", "--json"}).exitCode == 0);
    expectRefusal(
        known.place.run("popscope", {"run", "--set", "debug.verify=true", "--set", "debug.verify=false", "--", "true"}),
        "popscope run: ", "--set: debug.verify has two values; give one");
  }

  TEST_CASE("an option that is also an argument is not called required, and one event is not events") {
    const Known known;
    const std::string help = known.place.run("profile_summary", {"--help"}).out;
    CHECK(has(help, "--profile FILE"));
    CHECK_FALSE(has(help, "; required"));
    const std::string one =
        known.place.run("popscope", {"export", "known.pop", "--format", "jsonl", "--max-events", "1", "-o", "one"}).out;
    CHECK_MESSAGE(has(one, "1 event"), one);
    CHECK_MESSAGE(!has(one, "1 events"), one);
  }

  TEST_CASE("--max-events ends tables of executed steps after a whole step, and cuts no sum of a table") {
    const Known known; // one run of 5 steps on one IPU
    const std::string whole =
        known.place.run("popscope", {"export", "known.pop", "--format", "csv", "-o", "whole"}).out;
    CHECK_MESSAGE(!has(whole, "--max-events"), whole);
    const std::string cut =
        known.place.run("popscope", {"export", "known.pop", "--format", "csv", "-o", "cut", "--max-events", "3"}).out;
    const auto words = [&](const std::string &file) {
      const std::size_t at = cut.find("csv/" + file);
      return at == std::string::npos ? "" : cut.substr(at, cut.find("\ncut/", at) - at);
    };
    for (const std::string file : {"op_summary.csv", "task_time.csv"}) {
      CAPTURE(file);
      CHECK_MESSAGE(has(words(file), "ends at --max-events, before step 3 of run 0; --max-events 0 writes all"), cut);
      const std::string rows = known.place.read("cut/csv/" + file);
      CHECK(std::count(rows.begin(), rows.end(), '\n') == 4); // a heading and 3 steps
      CHECK(known.place.read("whole/csv/" + file).rfind(rows, 0) == 0);
    }
    for (const std::string file : {"op_statistic.csv", "communication_statistic.csv", "step_trace.csv"}) {
      CAPTURE(file);
      CHECK_MESSAGE(!has(words(file), "--max-events"), cut);
      CHECK(known.place.read("cut/csv/" + file) == known.place.read("whole/csv/" + file));
    }
  }

  TEST_CASE("Markdown shows & of a name, also where it begins an entity") {
    const Known known;
    popscope::CompilationRecord record = tools::knownCompilation();
    record.computeSets[0].name = record.programs[3].name = "<b>&amp;";
    tools::writeKnown(known.place.file("known.pop"), record);
    CHECK(has(known.text({"top", "--markdown"}), "\\<b>\\&amp;"));
  }

  TEST_CASE("Markdown shows a backslash of a name, also in front of a character that has a meaning") {
    const Known known;
    popscope::CompilationRecord record = tools::knownCompilation();
    record.computeSets[0].name = record.programs[3].name = "\\<img src=x>\\|`";
    tools::writeKnown(known.place.file("known.pop"), record);
    CHECK(has(known.text({"top", "--markdown"}), R"(\\\<img src=x>\\\|\`)"));
  }

  TEST_CASE("a device is no file to read or to replace") {
    const Known known;
    const std::string device = "it is a device; name a file";
    const std::vector<std::string> commands[] = {{"check", "known.pop", "--budget", "/dev/zero"},
                                                 {"import-cycles", "known.pop", "/dev/zero"},
                                                 {"config", "check", "/dev/zero"},
                                                 {"html", "known.pop", "--debug-info", "/dev/zero", "-o", "x.html"}};
    for (const auto &command : commands) {
      const auto outcome = known.place.run("popscope", command);
      if (!has(outcome.err, "has no viewer")) // then this build writes no page
        expectRefusal(outcome, "popscope " + command[0] + ": ", device);
    }
    // A link below /proc: even if it were replaced, no file of this machine would be lost.
    expectRefusal(known.place.run("popscope", {"recover", "known.pop", "-o", "/proc/self/fd/0"}),
                  "popscope recover: /proc/self/fd/0: ", "it is a device, a pipe or a socket");
    CHECK(known.place.files() == std::vector<std::string>{"known.pop", "small.pop"});
  }

  TEST_CASE("an output that is also an input is refused, and the input stays") {
    const Known known;
    known.place.write("cycles.csv", "compute_set,cycles\nfast,30\n");
    std::filesystem::copy_file(known.place.file("known.pop"), known.place.file("chrome_timeline.json"));
    std::filesystem::create_symlink("known.pop", known.place.file("link.pop"));
    const std::string profile = known.place.read("known.pop"), cycles = known.place.read("cycles.csv");
    const std::pair<std::vector<std::string>, const char *> asked[] = {
        {{"html", "known.pop", "-o", "known.pop"}, "known.pop is an input; name another file to write"},
        {{"html", "small.pop", "known.pop", "-o", "./known.pop"},
         "./known.pop is the same file as known.pop, an input"},
        {{"html", "link.pop", "-o", "known.pop"}, "known.pop is the same file as link.pop, an input"},
        {{"html", "known.pop", "--debug-info", "cycles.csv", "-o", "cycles.csv"}, "cycles.csv is an input"},
        {{"fit", "known.pop", "--write", "known.pop"}, "known.pop is an input"},
        {{"import-cycles", "known.pop", "cycles.csv", "-o", "cycles.csv"}, "cycles.csv is an input"},
        {{"export", "known.pop", "--format", "md", "--overwrite", "-o", "known.pop"}, "known.pop is an input"},
        {{"export", "chrome_timeline.json", "--overwrite", "-o", "."},
         "./chrome_timeline.json is the same file as chrome_timeline.json, an input"}};
    for (const auto &[words, what] : asked)
      expectRefusal(known.place.run("popscope", words), "popscope " + words.front() + ": ", what);
    CHECK(known.place.read("known.pop") == profile);
    CHECK(known.place.read("chrome_timeline.json") == profile);
    CHECK(known.place.read("cycles.csv") == cycles);
  }

  TEST_CASE("the time for a budget grows with its number of unknown limits, not with its square") {
    const Known known;
    std::string budget = R"({"limits": {"cycles": {"max": 1})";
    for (int i = 0; i < 20000; ++i)
      budget += ",\n\"unknown" + std::to_string(i) + R"(": {"max": 1})";
    known.place.write("budget.json", budget + "}}");
    const auto begin = std::chrono::steady_clock::now();
    const auto done = known.place.run("popscope", {"check", "known.pop", "--budget", "budget.json", "--json"});
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    CHECK(has(done.out + done.err, "unknown19999"));
  }

  TEST_CASE("faults of files name the file and the cause, not a function of C++") {
    const Known known;
    const std::string taken = "known.pop: it is a file, not a folder", csv = "csv";
    const std::pair<std::vector<std::string>, const char *> asked[] = {
        {{"export", "known.pop", "--format", csv, "-o", "/proc/nope"},
         "popscope export: /proc/nope/csv: the folder cannot be created: No such file or directory"},
        {{"export", "known.pop", "--format", csv, "-o", "known.pop"},
         "popscope export: known.pop/csv: the folder cannot be created: Not a directory"},
        {{"export", "known.pop", "--format", csv, "-o", std::string(300, 'a')}, ": File name too long"},
        {{std::string(300, 'a')}, "unknown sub-command"},
        {{"info", std::string(300, 'a')}, ": cannot be opened: File name too long"},
        {{"info", "known.pop/x"}, "popscope info: known.pop/x: cannot be opened: Not a directory"},
    };
    for (const auto &[words, what] : asked) {
      const auto outcome = known.place.run("popscope", words);
      expectRefusal(outcome, "popscope", what);
      CHECK_MESSAGE(!has(outcome.err, "filesystem"), outcome.err);
    }
    for (const char *command : {"view", "html"}) { // html needs no temporary folder
      const auto outcome = known.place.run("popscope", {command, "known.pop"}, {"TMPDIR=/nope"});
      CHECK_MESSAGE(!has(outcome.err, "filesystem error"), outcome.err);
      if (std::string(command) == "view" && !has(outcome.err, "has no viewer"))
        expectRefusal(outcome, "popscope view: ", "/nope");
    }
  }

  TEST_CASE("blanks around the parts of a condition have no meaning") {
    const Known known;
    const auto rows = [&](const char *where) { return known.ask({"stats", "--where", where})["tables"]; };
    const json plain = rows("cycles>20,kind=compute");
    CHECK(rows("cycles > 20, kind = compute") == plain);
    CHECK(rows(" cycles >20 ,kind= compute ") == plain);
    CHECK(rows("cycles>5") != plain);
    expectRefusal(known.place.run("popscope", {"stats", "known.pop", "--where", "cycle > 1"}),
                  "popscope stats: --where: the report executions has no column \"cycle\". Did you mean", "");
    expectRefusal(known.place.run("popscope", {"stats", "known.pop", "--where", " > 1"}),
                  "popscope stats: --where: \"> 1\" is not allowed", "");
  }

  TEST_CASE("a budget without a limit, or with one key twice, is no budget") {
    const Known known;
    const auto check = [&](const char *budget) {
      known.place.write("budget.json", budget);
      return known.place.run("popscope", {"check", "known.pop", "--budget", "budget.json"});
    };
    expectRefusal(check(R"({"limits": {}})"), "popscope check: budget.json: ", "has no limit");
    expectRefusal(check("{\"limits\": {\"cycles\": {\"max\": 100},\n\"cycles\": {\"max\": 1}}}"),
                  "popscope check: budget.json: ", "the key \"cycles\" appears twice");
    expectRefusal(check(R"({"limits": {"cycles": {"max": 10, "max": 20000}}})"),
                  "popscope check: budget.json: ", "the key \"max\" appears twice");
    expectRefusal(check(R"({"limits": {"cycles": {"max": 10}}, "limits": {"bytes.headroom": {"min": 1}}})"),
                  "popscope check: budget.json: ", "the key \"limits\" appears twice");
    CHECK(check(R"({"limits": {"cycles": {"max": 100}, "bytes.headroom": {"max": 1000}}})").exitCode == 0);
  }

  TEST_CASE("config check ends with 2 for a file that it cannot read, with 1 for a mistake") {
    const Known known;
    known.place.write("good.json", R"({"template": "light"})");
    known.place.write("bad.json", R"({"template": "lite"})");
    CHECK(known.place.run("popscope", {"config", "check", "good.json"}).exitCode == 0);
    CHECK(known.place.run("popscope", {"config", "check", "bad.json"}).exitCode == 1);
    expectRefusal(known.place.run("popscope", {"config", "check", "none.json"}),
                  "popscope config: none.json: ", "cannot be read: No such file or directory");
    expectRefusal(known.place.run("popscope", {"config", "check", "."}),
                  "popscope config: .: ", "cannot be read: Is a directory");
    expectRefusal(known.place.run("popscope", {"config", "set", "directory=x", "--file", "."}),
                  "popscope config: .: ", "cannot be read: Is a directory");
    expectRefusal(known.place.run("popscope", {"check", "known.pop", "--budget", "."}),
                  "popscope check: .: ", "cannot be read: Is a directory");
  }

  TEST_CASE("a user's file that cannot be read is named, and not taken for a missing file") {
    const Known known;
    std::filesystem::create_directories(known.place.file("config/popscope"));
    std::filesystem::create_symlink("nowhere", known.place.file("config/popscope/config.json"));
    const std::vector<std::string> variables = {"XDG_CONFIG_HOME=" + known.place.file("config"), "POPSCOPE_PROFILE=1"};
    expectRefusal(known.place.run("popscope", {"config", "check"}, variables),
                  "popscope config: ", "config/popscope/config.json: cannot be read");
    expectRefusal(known.place.run("popscope", {"config", "show"}, variables), "popscope config: ", "cannot be read");
  }

  TEST_CASE("config check --json prints an object, also without a file") {
    const Known known;
    known.place.write("bad.json", R"({"templat": "light"})");
    known.place.write("good.json", R"({"template": "light"})");
    const auto results = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"config", "check", "--json"});
      return table(json::parse(known.place.run("popscope", words, {"XDG_CONFIG_HOME=/nonexistent"}).out), "results");
    };
    CHECK(results({"good.json"})[0]["result"] == "good");
    CHECK(results({"bad.json"})[0]["result"] == "mistakes");
    CHECK(results({})[0]["result"] == "note");
    CHECK(results({})[0]["file"].is_null());
  }

  TEST_CASE("config check lists each wrong number of an engine, and the mistakes in its options") {
    const Known known;
    known.place.write("bad.json",
                      R"({"engines": {"0": {}, "-1": {"debug.instrumnt": true}, "x": "{}", "1": {"nope": 1}}})");
    const auto done = known.place.run("popscope", {"config", "check", "bad.json"});
    CHECK(done.exitCode == 1);
    for (const char *part : {"not \"0\"", "not \"-1\"", "not \"x\"", "debug.instrumnt", "nope"})
      CHECK_MESSAGE(has(done.out, part), done.out);
  }

  TEST_CASE("a message is short, also if it quotes a long name") {
    const Known known;
    const std::string name(1000000, 'n');
    known.place.write("budget.json", R"({"limits": {")" + name + R"(": {"mx": 1}}})");
    known.place.write("cycles.csv", name + "\n1\n");
    for (const std::vector<std::string> &words :
         {std::vector<std::string>{"check", "known.pop", "--budget", "budget.json"},
          {"import-cycles", "known.pop", "cycles.csv"}}) {
      const auto done = known.place.run("popscope", words);
      expectRefusal(done, "popscope " + words[0] + ": ", " bytes are left out) ");
      CHECK(done.err.size() < 10000);
    }
  }

  TEST_CASE("a choice without liveness names the flag that excludes it") {
    const Known known;
    popscope::PopWriter writer(known.place.file("known.pop"));
    writer.compilation(tools::knownCompilation());
    tools::recordKnownRun(writer, "train");
    writer.beginRun({"nothing", 0, 0, 0});
    writer.endRun(popscope::RunTotals(), std::nullopt);
    writer.finish();
    for (const char *command : {"peak", "live", "tile"}) {
      const auto refused = [&](std::vector<std::string> words, const std::string &why) {
        words.insert(words.begin(), {command, "known.pop"});
        expectRefusal(known.place.run("popscope", words), std::string("popscope ") + command + ": ", why);
      };
      CAPTURE(command);
      refused({"--steps", "0"}, "none of the selected steps is a liveness step");
      refused({"--runs", "1"}, "the runs of --runs executed none of the liveness steps; choose other runs");
      refused({"--runs", "1", "--steps", "3"}, "the runs of --runs executed none of the selected liveness steps");
      refused({"--runs", "0", "--steps", "0"}, "none of the selected steps is a liveness step");
    }
  }

  TEST_CASE("an empty name of a file is refused") {
    const Known known;
    for (const std::vector<std::string> &words : {std::vector<std::string>{"html", ""},
                                                  {"view", ""},
                                                  {"export", "known.pop", "--pvti", ""},
                                                  {"html", "known.pop", "--debug-info", ""}})
      expectRefusal(known.place.run("popscope", words), "popscope " + words[0] + ": ", "an empty name is not allowed");
  }

  TEST_CASE("a text that cannot be written ends with 2 and one line") {
    const Known known;
    for (const char *words : {"popscope --help", "popscope --version", "popscope --man", "popscope top --help",
                              "popscope --bash-completion", "profile_summary --help"}) {
      CAPTURE(words);
      const std::string errors = known.place.file("errors");
      const int status =
          std::system((std::string(POPSCOPE_TOOLS "/") + words + " >/dev/full 2>'" + errors + "'").c_str());
      CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 2));
      const std::string text = known.place.read("errors");
      CHECK_MESSAGE(has(text, ": the output cannot be written: No space left on device\n"), text);
      CHECK(std::count(text.begin(), text.end(), '\n') == 1);
    }
  }

  TEST_CASE("recover of a complete profile says that it was complete") {
    const Known known;
    const auto outcome = known.place.run("popscope", {"recover", "known.pop"});
    CHECK(outcome.exitCode == 0);
    CHECK(outcome.out == "known.recovered.pop\n");
    CHECK(outcome.err ==
          "popscope recover: known.pop is complete, so known.recovered.pop is a copy of the same profile\n");
  }

  TEST_CASE("an IPU or a tile of another replica is refused with the range of one replica") {
    const Known known;
    popscope::CompilationRecord record = tools::knownCompilation();
    record.target.numReplicas = 2;
    record.target.numIpus = 2;
    tools::writeKnown(known.place.file("two.pop"), record);
    expectRefusal(known.place.run("popscope", {"top", "two.pop", "--ipu", "1"}),
                  "popscope top: --ipu: ", "there is no IPU 1; the profile has 0 alone, of one replica");
    expectRefusal(known.place.run("popscope", {"top", "two.pop", "--tiles", "4"}),
                  "popscope top: --tiles: ", "there is no tile 4; the profile has 0 to 3, of one replica");
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--ipu", "1"}),
                  "popscope top: --ipu: ", "there is no IPU 1; the profile has 0 alone\n");
  }

  TEST_CASE("top explains cycles only in a table that has them") {
    const Known known;
    const auto noted = [&](std::vector<std::string> words) {
      words.insert(words.begin(), "top");
      return has(known.text(words), "cycles are estimates");
    };
    CHECK(noted({"--of", "compute-sets"}));
    CHECK(noted({"--of", "tiles", "--by", "cycles"}));
    CHECK_FALSE(noted({"--of", "tiles"}));
  }

  TEST_CASE("the command that tries advice fits into 80 columns") {
    const Known known;
    for (const char *view : {"advise", "oom"})
      for (const auto &line : tools::lines(known.place.run("popscope", {view, "known.pop"}, {"COLUMNS=80"}).out))
        CHECK_MESSAGE(line.size() <= 80, line);
  }
}
