// Every sub-command must have a golden text, JSON, and an answer to wrong usage; the test asks the tool itself. A new
// command that lacks one of them fails here.
#include "KnownProfile.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using tools::Known;

namespace {

/// The arguments of a command for the known profile, and its valid exit codes.
struct Asked {
  std::vector<std::string> words;
  std::vector<int> codes = {0};
};
const std::map<std::string, Asked> kAsked = {
    {"diff", {{"known.pop", "known.pop"}}},
    {"check", {{"known.pop", "--budget", "budget.json"}}},
    {"history", {{"."}}},
    {"why", {{"known.pop", "a"}, {0, 2}}},    // the known profile holds no explanation:
    {"advise", {{"known.pop"}, {0, 2}}},      // which is said, with code 2
    {"fit", {{"known.pop"}, {0, 2}}},         // nor trials
    {"measured", {{"known.pop"}, {0, 2}}},    // nor measured cycles
    {"whatif", {{"known.pop"}, {0, 2}}},      // nor its machine
    {"sensitivity", {{"known.pop"}, {0, 2}}}, //
    {"sql", {{"known.pop", "SELECT tile, total FROM memory_by_tile"}}},
    {"options", {{}}},
    {"config", {{"show"}}},
};
/// Commands that write a file or a page, or print another program's output, and therefore have no JSON.
const std::map<std::string, const char *> kNoAnswer = {{"html", "writes a page"},
                                                       {"view", "opens the browser"},
                                                       {"export", "writes formats of other tools"},
                                                       {"run", "ends as the program does"},
                                                       {"recover", "writes a profile"},
                                                       {"import-cycles", "writes a profile"},
                                                       {"schema", "prints SQL"}};

std::vector<std::string> allCommands(const Known &known) {
  const std::string help = known.place.run("popscope", {"--help"}).out;
  std::vector<std::string> names;
  for (const auto &line : tools::lines(help.substr(help.find("Subcommands:"))))
    if (std::smatch match; std::regex_search(line, match, std::regex("^  ([a-z-]+) +[A-Z]")))
      names.push_back(match[1]);
  return names;
}

std::string goldenTexts() {
  std::string all;
  for (const char *file : {"report/answers.txt", "examples/tools.txt", "examples/mlp_liveness.sh",
                           "examples/answers.sh", "examples/commands.txt", "examples/pages.txt"}) {
    std::ifstream in(std::string(POPSCOPE_SOURCE_DIR "/tests/golden/") + file, std::ios::binary);
    REQUIRE(in.good());
    all += std::string(std::istreambuf_iterator<char>(in), {});
  }
  return all;
}

std::vector<std::string> wordsFor(const std::string &name, std::vector<std::string> more) {
  const auto asked = kAsked.find(name);
  std::vector<std::string> words{name};
  const std::vector<std::string> usual{"known.pop"};
  for (const std::string &word : asked == kAsked.end() ? usual : asked->second.words)
    words.push_back(word);
  for (std::string &word : more)
    words.push_back(std::move(word));
  return words;
}

bool mayEndWith(const std::string &name, int code) {
  const auto asked = kAsked.find(name);
  for (const int allowed : asked == kAsked.end() ? std::vector<int>{0} : asked->second.codes)
    if (allowed == code)
      return true;
  return false;
}

} // namespace

TEST_SUITE("tools.each command") {
  TEST_CASE("every sub-command has a golden text, JSON, and one line about wrong usage") {
    const Known known;
    known.place.write("budget.json", R"({"limits": {"tilesOutOfMemory": {"max": 0}}})");
    const std::string golden = goldenTexts();
    const auto names = allCommands(known);
    CHECK(names.size() >= 33);
    for (const std::string &name : names) {
      CAPTURE(name);
      const auto wrong = known.place.run("popscope", wordsFor(name, {"--no-such-flag"}));
      CHECK(wrong.exitCode == 2);
      CHECK(wrong.out.empty());
      CHECK(tools::lines(wrong.err).size() >= 1);
      CHECK(wrong.err.find("popscope") == 0);
      CHECK((golden.find("popscope " + name + " ") != std::string::npos ||
             golden.find("popscope\" " + name + " ") != std::string::npos));
      if (kNoAnswer.count(name) != 0)
        continue;
      const auto answer = known.place.run("popscope", wordsFor(name, {"--json"}));
      CAPTURE(answer.err);
      CHECK(mayEndWith(name, answer.exitCode));
      if (answer.exitCode == 0)
        CHECK(nlohmann::json::accept(answer.out));
      else
        CHECK((answer.out.empty() && !answer.err.empty()));
      const auto text = known.place.run("popscope", wordsFor(name, {}));
      if (text.exitCode == 0 && name != "sql" && name != "config")
        CHECK_MESSAGE(text.out.find("\nNext: ") != std::string::npos, text.out); // the proposed next commands
    }
  }

  TEST_CASE("docs/COMMANDS.md says which flags each command takes") {
    const Known known;
    std::ifstream page(POPSCOPE_SOURCE_DIR "/docs/COMMANDS.md");
    std::string line;
    std::vector<std::string> flags;
    std::set<std::string> told;
    const auto cells = [](const std::string &row) {
      std::vector<std::string> all;
      std::istringstream in(row.substr(1));
      for (std::string cell; std::getline(in, cell, '|');)
        all.push_back(std::regex_replace(cell, std::regex("[ `]"), ""));
      return all;
    };
    while (std::getline(page, line)) {
      if (line.rfind("| | `-n`", 0) == 0)
        flags = cells(line);
      if (flags.empty() || line.rfind("| `", 0) != 0)
        continue;
      const auto row = cells(line);
      CAPTURE(line);
      REQUIRE(row.size() == flags.size());
      told.insert(row[0]);
      const std::string help = known.place.run("popscope", {row[0], "--help"}).out;
      for (std::size_t i = 1; i < row.size(); ++i) {
        CAPTURE(flags[i]);
        CHECK((row[i] == "x") == std::regex_search(help, std::regex("(^|[\\s,])" + flags[i] + "([\\s,]|$)")));
      }
    }
    for (const std::string &name : allCommands(known))
      if (kNoAnswer.count(name) == 0 && name != "config")
        CHECK_MESSAGE(told.count(name) == 1, name);
  }
}
