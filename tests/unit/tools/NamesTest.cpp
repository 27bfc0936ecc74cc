// Names as from a model file: colour codes, a bell, a line end, bytes that are no UTF-8, three thousand letters.
#include "KnownProfile.hpp"

#include "base/ShownText.hpp"
#include "report/answers/Selection.hpp"
#include "report/answers/View.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

using tools::Known;
using tools::knownCompilation;
using tools::writeKnown;

using namespace popscope;

namespace {

struct Named : Known {
  Named() {
    CompilationRecord record = knownCompilation();
    record.programs[2].name = "\x1b[2J\x1b[31mred\x7f\xC2\x9B\xE2\x80\xAE";
    record.programs[3].name = "bell\a two\nlines";
    record.programs[4].name = "no\xff\xfeutf8";
    record.computeSets[0].name = record.programs[3].name;
    record.computeSets[1].name = record.programs[4].name;
    for (auto &type : record.vertexTypes)
      type.name += "\x1b]0;title\a\r" + std::string(3000, 'n');
    const std::string variable = "\x1b[5m\n" + std::string(3000, 'v');
    record.variables.push_back(tools::knownVariable(record, variable.c_str(), 12, 0, {{0, 12}}));
    writeKnown(place.file("known.pop"), record);
  }
};

/// Returns the first byte of `text` that a terminal would act on or that is not ASCII, except line ends; "" = none.
std::string wrongByte(const std::string &text) {
  const auto at = std::find_if(text.begin(), text.end(), [](char c) { return c != '\n' && (c < ' ' || c > '~'); });
  return at == text.end() ? ""
                          : "byte " + std::to_string(static_cast<unsigned char>(*at)) + " after " +
                                std::to_string(at - text.begin());
}
std::size_t longestLine(const std::string &text) {
  std::istringstream in(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(in, line);)
    longest = std::max(longest, line.size());
  return longest;
}

} // namespace

TEST_SUITE("tools.names") {
  TEST_CASE("* and ? of a pattern match any text, also where a name has these characters") {
    for (const char *name : {"a*b", "a?b", "a[b", "ab", "a*", "*a*b"})
      CHECK_MESSAGE(nameMatches(name[0] == '*' ? "*b" : "a*", name), name);
    CHECK(nameMatches("computeSet.*.cycles", "computeSet.*?[x].cycles"));
    CHECK(nameMatches("a?b", "a*b"));
    CHECK_FALSE(nameMatches("a*c", "a*b"));
    CHECK_FALSE(nameMatches("a?b", "ab"));
  }

  TEST_CASE("each view calls a copy without a name by the variables that it accesses, and --name selects it by that") {
    const tools::Known known;
    popscope::CompilationRecord record = tools::knownCompilation();
    record.programs[2].name = "Exchange"; // the compiler's name
    popscope::VariableAccessRecord access;
    access.variable = 0; // "a"
    access.program = 2;
    access.elements = access.written = 25;
    record.advice.present = true;
    record.advice.accesses.push_back(access);
    tools::writeKnown(known.place.file("known.pop"), record);
    const std::string name = "<Exchange:a>";
    for (const std::vector<std::string> &words :
         std::vector<std::vector<std::string>>{{"exchange"},
                                               {"top", "--of", "steps"},
                                               {"tree"},
                                               {"operators"},
                                               {"peak"},
                                               {"stats", "--report", "exchanges"}}) {
      CAPTURE(words[0]);
      CHECK(known.text(words).find(name) != std::string::npos);
      if (words[0] == "peak") // --name selects variables
        continue;
      std::vector<std::string> chosen = words, none = words;
      chosen.insert(chosen.end(), {"--name", name});
      none.insert(none.end(), {"--name", "<Exchange:b>"});
      CHECK(known.text(chosen).find(name) != std::string::npos);
      CHECK(known.text(none).find(name) == std::string::npos);
    }
    REQUIRE(
        known.place
            .run("popscope", {"export", "known.pop", "--format", "csv,jsonl,chrome,folded,speedscope,dot", "-o", "x"})
            .exitCode == 0);
    for (const char *file : {"csv/op_summary.csv", "csv/task_time.csv", "profile.jsonl", "chrome_timeline.json",
                             "cycles.folded", "speedscope.json", "programs.dot"}) {
      CAPTURE(file);
      const std::string text = known.place.read(std::string("x/") + file);
      CHECK(text.find(name) != std::string::npos);
      CHECK(text.find("Exchange: Exchange") == std::string::npos);
    }
    const std::string none = known.text({"exchange", "--name", "nothing"});
    CHECK(none.find("The profile contains no bytes") == std::string::npos);
    CHECK(none.find("No exchange or host copy of the selection moves bytes") == 0);
  }

  TEST_CASE("a copy lists different names, however many variables it moves") {
    const tools::Known known;
    popscope::CompilationRecord record = tools::knownCompilation();
    record.programs[2].name = "Exchange";
    record.advice.present = true;
    for (unsigned i = 0; i < 3000; ++i) {
      record.variables.push_back(tools::knownVariable(record, ("v" + std::to_string(i % 5)).c_str(), 4, 0, {{0, 4}}));
      popscope::VariableAccessRecord access{};
      access.variable = static_cast<std::uint32_t>(record.variables.size() - 1);
      access.program = 2;
      access.elements = access.written = 1;
      record.advice.accesses.push_back(access);
    }
    tools::writeKnown(known.place.file("known.pop"), record);
    const std::string text = known.text({"exchange"});
    CHECK(text.find("<Exchange:v0 and 4 more>") != std::string::npos);
    CHECK(text.find("v0, v1, v2 and 2 more") != std::string::npos);
  }

  TEST_CASE("--name '<anonymous>' selects the step of a compute set without a name, which views call by that") {
    const tools::Known known;
    popscope::CompilationRecord record = tools::knownCompilation();
    record.programs[3].name = record.computeSets[0].name = "";
    tools::writeKnown(known.place.file("known.pop"), record);
    for (const std::vector<std::string> &words :
         std::vector<std::vector<std::string>>{{"operators"}, {"stats", "--report", "compute-sets"}}) {
      CAPTURE(words[0]);
      std::vector<std::string> chosen = words;
      chosen.insert(chosen.end(), {"--name", "<anonymous>"});
      CHECK(known.text(words).find("anonymous") != std::string::npos);
      CHECK(known.text(chosen).find("anonymous") != std::string::npos);
    }
  }

  TEST_CASE("--name is a filter and ends with 0 if nothing matches; a name as an argument must exist") {
    const tools::Known known;
    popscope::CompilationRecord record = tools::knownCompilation();
    record.advice.present = true;
    tools::writeKnown(known.place.file("known.pop"), record);
    for (const ViewRow &view : views()) {
      const std::string name = view.name;
      if (view.twoProfiles || name == "check" || name == "measured" || name == "whatif" || name == "sensitivity")
        continue; // check tests no limit then; the others refuse this profile
      CAPTURE(name);
      const std::string profile = view.folder ? "." : "known.pop";
      const auto done = known.place.run("popscope", {name, profile, "--name", "nosuch"});
      CHECK(done.exitCode == 0);
      CHECK(done.err == "");
    }
    CHECK(known.place.run("popscope", {"options", "--name", "nosuch"}).exitCode == 0);
    CHECK(known.text({"why", "--name", "nosuch"}).find("No variable of the profile matches --name nosuch\n") == 0);
    CHECK(known.text({"why", "--name", "w"}).find("No variable that --name selects needs an explanation\n") == 0);
    for (const auto &[view, wrong, nearest] : std::vector<std::array<const char *, 3>>{
             {"why", "aa", "no variable has the name \"aa\"."},
             {"why", "aa*", "no variable matches \"aa*\""},
             {"vars", "aa", "no variable matches \"aa\"."},
             {"numbers", "cycels", "no number matches \"cycels\". Did you mean \"cycles\"?"}}) {
      CAPTURE(view);
      const auto done = known.place.run("popscope", {view, "known.pop", wrong});
      CHECK(done.exitCode == 2);
      REQUIRE(done.err.size() > 0);
      CHECK_MESSAGE(done.err.find(nearest) != std::string::npos, done.err);
    }
  }

  TEST_CASE("a name that only the other filters leave out is no unknown name: the message has the filter") {
    const tools::Known known; // "a": tiles 0 and 3, steps 2 and 3; "b": tile 3, steps 3 and 4; "w": tile 1
    for (const auto &[words, message] : std::vector<std::pair<std::vector<std::string>, const char *>>{
             {{"vars", "a", "--tiles", "1"}, "--tiles 1 leaves out each variable that matches \"a\""},
             {{"vars", "a", "--steps", "4"}, "--steps 4 leaves out each variable that matches \"a\""},
             {{"vars", "a", "--tiles", "0", "--steps", "4"}, "--steps 4 leaves out each variable that matches \"a\""},
             {{"vars", "zzz", "--steps", "4"},
              "no variable matches \"zzz\". popscope vars PROFILE lists all variables"},
             {{"vars", "--tiles", "2"}, "--tiles 2 leaves out each variable"},
             {{"numbers", "bytes.fullestTile", "--steps", "3"},
              "--steps 3 leaves out each number that matches \"bytes.fullestTile\""}}) {
      CAPTURE(words);
      std::vector<std::string> line = words;
      line.insert(line.begin() + 1, "known.pop");
      const auto done = known.place.run("popscope", line);
      CHECK(done.exitCode == 2);
      CHECK(done.err == "popscope " + words[0] + ": " + message + "\n");
    }
  }

  TEST_CASE("no text of a view or of the summary has a byte that a terminal acts on, or rows as long as a name") {
    const Named known;
    std::vector<std::vector<std::string>> commands;
    for (const ViewRow &view : views())
      if (!view.twoProfiles && !view.folder)
        commands.push_back({view.name, "known.pop"});
    for (const char *of : {"steps", "vertex-types", "variables", "operations", "layers"})
      commands.push_back({"top", "known.pop", "--of", of, "-n", "0"});
    commands.push_back({"stats", "known.pop", "--report", "vertex-types"});
    commands.push_back({"operators", "known.pop", "--markdown"});
    commands.push_back({"sql", "known.pop", "SELECT name FROM compute_sets"});
    commands.push_back({"sql", "known.pop", "SELECT name AS \"\x1b[1m\" FROM compute_sets"});
    commands.push_back({"vars", "known.pop", "-n", "0", "--markdown"});
    for (const auto &command : commands) {
      const auto done = known.place.run("popscope", command);
      CAPTURE(command[0]);
      CHECK(wrongByte(done.out) == "");
      CHECK(wrongByte(done.err) == "");
      const bool inRows = command[0] != "why" && command[0] != "tree" && command.back() != "--markdown";
      if (inRows) // not in sentences, drawings or unaligned text
        CHECK(longestLine(done.out) < 1000);
    }
    CHECK(known.text({"top", "--of", "variables", "-n", "0"}).find("\\x1b[5m\\x0av") != std::string::npos);
    // Names in the form that hints show are valid patterns.
    for (const char *pattern : {"\\x1b[5m\\x0avvv", "\\x1b[5m\\x0a*"}) {
      const auto found = known.place.run("popscope", {"vars", "known.pop", pattern});
      CHECK(found.exitCode == 0);
      CHECK(found.out.find("1 variable, ") != std::string::npos);
    }
    const std::string rows =
        known.place.run("popscope", {"sql", "known.pop", "SELECT name FROM compute_sets", "--csv"}).out;
    CHECK(rows.find_first_of("\x1b\a") == std::string::npos);
    CHECK(rows.find("bell\\x07 two\nlines") != std::string::npos);
    // Formats for programs are UTF-8 and show bytes that are not in the same form.
    for (const std::vector<std::string> &format : {std::vector<std::string>{"--csv"}, {"--json"}, {"--markdown"}, {}}) {
      std::vector<std::string> words = {"top", "known.pop", "--of", "steps", "-n", "0"};
      words.insert(words.end(), format.begin(), format.end());
      const auto done = known.place.run("popscope", words);
      CAPTURE(words.back());
      CHECK(validUtf8(done.out) == done.out);
      CHECK(done.out.find_first_of("\x1b\a") == std::string::npos);
      const bool escapes =
          format == std::vector<std::string>{"--json"} || format == std::vector<std::string>{"--markdown"};
      CHECK(done.out.find(escapes ? "no\\\\xff\\\\xfeutf8" : "no\\xff\\xfeutf8") != std::string::npos);
    }
    for (const std::string format : {"latex", "md", "csv", "jsonl", "folded", "dot", "chrome", "speedscope"}) {
      CAPTURE(format);
      const auto done = known.place.run("popscope", {"export", "known.pop", "--format", format, "-o", "out"});
      CHECK(done.exitCode == 0);
      std::string all;
      for (const auto &entry : std::filesystem::recursive_directory_iterator(known.place.file(".")))
        if (entry.is_regular_file() && entry.path().string().find("/out") != std::string::npos)
          all += known.place.read(std::filesystem::relative(entry.path(), known.place.file(".")).string());
      CHECK(all != "");
      CHECK(validUtf8(all) == all);
      CHECK(all.find("xff") != std::string::npos);
      std::filesystem::remove_all(known.place.file("out"));
    }
    // JSON writes the characters that control a terminal as escapes, so that a reader gets the names as they are.
    for (const std::vector<std::string> &words :
         {std::vector<std::string>{"tree", "known.pop", "--json"},
          {"vars", "known.pop", "-n", "0", "--json"},
          {"sql", "known.pop", "SELECT 'a' || char(127, 155, 1564, 8238)", "--json"}})
      CHECK(wrongByte(known.place.run("popscope", words).out) == "");
    CHECK(nameMatches("a\\xe2\\x80\\xa8b", "a\u2028b"));
    CHECK_FALSE(nameMatches("a\\xe2\\x80\\xa8b", "a b"));
    CHECK(nameMatches("a\\x62", "a\\x62")); // a name that contains the backslash itself
    const auto summary =
        known.place.run("profile_summary", {"known.pop", "--show-execution-steps", "--show-var-storage"});
    CHECK(wrongByte(summary.out) == "");
    CHECK(longestLine(summary.out) < 300);
    CHECK(summary.out.find("\\x1b[2J\\x1b[31mred") != std::string::npos);
  }

  TEST_CASE("in CSV, a name that a spreadsheet would take for a formula gets an apostrophe, and a number does not") {
    const Known known;
    auto record = tools::knownCompilation();
    const std::vector<std::string> names = {"=1+2", "+a", "-a", "@a", "\ta", "=a,b", "a=b", "'a", "a-1"};
    for (std::size_t i = 0; i < names.size(); ++i)
      record.variables.push_back(tools::knownVariable(record, names[i].c_str(), 1000 + i, -1, {{0, 1000 + i}}));
    tools::writeKnown(known.place.file("known.pop"), record);
    const std::vector<std::string> cells = {"'=1+2", "'+a", "'-a", "'@a", "'\ta", "\"'=a,b\"", "a=b", "'a", "a-1"};
    const std::string top = known.text({"top", "--of", "variables", "-n", "0", "--csv"});
    CAPTURE(top);
    for (const std::string &cell : cells)
      CHECK(top.find("\n" + cell + ",") != std::string::npos);
    const auto json = known.text({"top", "--of", "variables", "-n", "0", "--json"});
    CHECK(json.find("\"=1+2\"") != std::string::npos);
    CHECK(known.place.run("popscope", {"sql", "known.pop", "SELECT '=1+2', -5, -0.5, '-5', NULL", "--csv"})
              .out.find("\n'=1+2,-5,-0.5,'-5,\r\n") != std::string::npos);
    CHECK(known.place.run("popscope", {"sql", "known.pop", "SELECT 1 AS \"=a\"", "--csv"}).out == "'=a\r\n1\r\n");
    REQUIRE(known.place.run("popscope", {"export", "known.pop", "--format", "csv", "-o", "out"}).exitCode == 0);
    CHECK(known.place.read("out/csv/README.txt").find("a line ends with a line feed alone") != std::string::npos);
    CHECK(known.place.read("out/csv/op_summary.csv").find('\r') == std::string::npos);
    const std::string variables = known.place.read("out/csv/static_op_mem.csv");
    CAPTURE(variables);
    for (const std::string &cell : cells)
      CHECK(variables.find("\n" + cell + ",") != std::string::npos);
  }
}
