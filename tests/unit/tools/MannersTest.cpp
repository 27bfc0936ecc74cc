// The behaviour of the tools in a terminal and a shell: pager, bar, help with examples, completion, manual pages.
#include "KnownProfile.hpp"

#include "base/Version.hpp"
#include "target-models/model/TileMachine.hpp"
#include "tests/HasText.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <future>
#include <pty.h>
#include <regex>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace popscope;
using tools::Known;

namespace {

/// Returns what popscope prints in a terminal of 10 lines of 80 columns.
std::string inTerminal(const Known &known, const std::vector<std::string> &words,
                       const std::vector<std::pair<const char *, const char *>> &environment, int exitCode = 0) {
  int terminal = -1;
  winsize size{10, 80, 0, 0};
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const char *name : {"CLICOLOR", "CLICOLOR_FORCE", "NO_COLOR", "TERM", "COLUMNS", "PAGER", "LESS"})
      ::unsetenv(name);
    for (const auto &[name, value] : environment)
      ::setenv(name, value, 1);
    std::vector<char *> arguments = {const_cast<char *>("popscope")};
    for (const auto &word : words)
      arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    if (::chdir(known.place.file(".").c_str()) == 0)
      ::execv(POPSCOPE_TOOLS "/popscope", arguments.data());
    ::_exit(127);
  }
  return tools::readTerminal(terminal, child, exitCode);
}

std::vector<std::string> subcommands(const Known &known) {
  const std::string help = known.place.run("popscope", {"--help"}).out;
  std::vector<std::string> names;
  for (const auto &line : tools::lines(help.substr(help.find("Subcommands:"))))
    if (std::smatch match; std::regex_search(line, match, std::regex("^  ([a-z]+) +[A-Z]")))
      names.push_back(match[1]);
  return names;
}

/// Returns the long flags that the help of a sub-command explains: the first word of each line that begins with one.
std::vector<std::string> flagsOf(const std::string &help) {
  std::vector<std::string> flags;
  const std::regex flag("--[a-z][a-z-]*");
  for (const auto &line : tools::lines(help.substr(0, help.find("Examples:")))) {
    if (line.compare(0, 3, "  -") != 0)
      continue;
    const std::string words = line.substr(2, std::min(line.find(' ', 2), line.size()) - 2);
    for (std::sregex_iterator at(words.begin(), words.end(), flag), end; at != end; ++at)
      flags.push_back(at->str());
  }
  return flags;
}

} // namespace

TEST_SUITE("tools.manners") {
  TEST_CASE("a leading ~ of a file is the home folder, which a shell does not replace in quotes") {
    const Known known;
    std::filesystem::create_directory(known.place.file("home"));
    std::filesystem::copy_file(known.place.file("known.pop"), known.place.file("home/mine.pop"));
    const std::vector<std::string> home = {"HOME=" + known.place.file("home")};
    CHECK(known.place.run("popscope", {"info", "~/mine.pop"}, home).exitCode == 0);
    CHECK(known.place.run("popscope", {"~/mine.pop"}, home).exitCode == 0);
    CHECK(known.place.run("profile_summary", {"~/mine.pop"}, home).exitCode == 0);
    CHECK(
        known.place.run("popscope", {"export", "known.pop", "--format", "chrome", "-o", "~/zz.json"}, home).exitCode ==
        0);
    CHECK(std::filesystem::exists(known.place.file("home/zz.json")));
    std::ofstream(known.place.file("home/c.json")) << "{\"template\": \"full\"}";
    CHECK(known.place.run("popscope", {"config", "check", "~/c.json"}, home).exitCode == 0);
    CHECK(known.place
              .run("popscope", {"config", "check"},
                   {"HOME=" + known.place.file("home"), "POPSCOPE_CONFIG=~/c.json", "XDG_CONFIG_HOME=/none"})
              .exitCode == 0);
    CHECK_FALSE(std::filesystem::exists(known.place.file("~")));
  }

  TEST_CASE("what is longer than the terminal goes through the pager, unless it is not to") {
    const Known known;
    const std::vector<std::pair<const char *, const char *>> pager = {{"TERM", "xterm"},
                                                                      {"PAGER", "sed 's/^/paged:/'"}};
    CHECK(has(inTerminal(known, {"loss", "known.pop"}, pager), "paged:"));
    CHECK_FALSE(has(inTerminal(known, {"loss", "known.pop", "--no-pager"}, pager), "paged:"));
    CHECK_FALSE(has(inTerminal(known, {"--no-pager", "loss", "known.pop"}, pager), "paged:"));
    CHECK_FALSE(has(inTerminal(known, {"numbers", "known.pop", "cycles", "-n", "1"}, pager), "paged:")); // fits
    CHECK_FALSE(
        has(inTerminal(known, {"loss", "known.pop"}, {{"TERM", "dumb"}, {"PAGER", "sed 's/^/paged:/'"}}), "paged:"));
    for (const char *none : {"", "cat", "/no/such/pager", "/tmp"}) { // a folder cannot be executed
      const std::string text = inTerminal(known, {"loss", "known.pop"}, {{"TERM", "xterm"}, {"PAGER", none}});
      CHECK(has(text, "Where they went"));
    }
    CHECK(has(inTerminal(known, {"loss", "known.pop"}, {{"TERM", "xterm"}, {"PAGER", "head -n 1"}}),
              "tile cycles")); // the user left the pager before the end
    CHECK(known.place.run("popscope", {"loss", "known.pop"}, {"PAGER=sed s/^/paged:/", "TERM=xterm"})
              .out.find("paged:") == std::string::npos);
  }

  TEST_CASE("a terminal gets colour and lines of its width") {
    const Known known;
    const std::string text = inTerminal(known, {"stats", "known.pop", "--no-pager"}, {{"TERM", "xterm"}});
    CHECK(has(text, "\033["));
    const std::string plain = std::regex_replace(text, std::regex("\033\\[[0-9;]*m|\r"), "");
    for (const auto &line : tools::lines(plain))
      CHECK_MESSAGE(line.size() <= 80, line);
    CHECK_FALSE(
        has(inTerminal(known, {"stats", "known.pop", "--no-pager", "--color=never"}, {{"TERM", "xterm"}}), "\033["));
    CHECK_FALSE(
        has(inTerminal(known, {"stats", "known.pop", "--no-pager"}, {{"TERM", "xterm"}, {"NO_COLOR", "1"}}), "\033["));
  }

  TEST_CASE("an error wraps in a terminal, and is one line elsewhere") {
    const Known known;
    const std::vector<std::string> words = {"check", "known.pop"};
    const std::string plain = known.place.run("popscope", words).err;
    REQUIRE(plain.size() > 81);
    CHECK(tools::lines(plain).size() == 1);
    const auto shown = [&](const std::vector<std::pair<const char *, const char *>> &environment) {
      return std::regex_replace(inTerminal(known, words, environment, 2), std::regex("\r"), "");
    };
    for (const std::size_t columns : {80, 40}) {
      const std::string text = columns == 80 ? shown({}) : shown({{"COLUMNS", "40"}});
      const auto lines = tools::lines(text);
      CHECK(lines.size() > 1);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        CHECK_MESSAGE(lines[i].size() <= columns, lines[i]);
        CHECK((lines[i].substr(0, 2) == "  ") == (i != 0));
      }
      CHECK(std::regex_replace(text, std::regex("\n  "), " ") == plain);
    }
  }

  TEST_CASE("long work shows a bar with its phase, and takes it away") {
    const Known known;
    const std::string text = inTerminal(known, {"history", ".", "cycles", "--no-pager"}, {{"TERM", "xterm"}});
    CHECK(has(text, "[....................] 0 of 2, reading profiles"));
    CHECK(has(text, "[##########..........] 1 of 2, reading profiles"));
    CHECK(text.rfind("\r\033[K") < text.find("Numbers by profile"));
    CHECK(has(text, "\r\033[K"));
    CHECK(known.place.run("popscope", {"history", ".", "cycles"}).err == "");
    CHECK_FALSE(
        has(inTerminal(known, {"history", ".", "cycles", "--no-pager"}, {{"TERM", "dumb"}}), "reading profiles"));
  }

  TEST_CASE("each sub-command's help has two examples; completion and manual page know all of its flags") {
    const Known known;
    const auto names = subcommands(known);
    CHECK(names.size() >= 25);
    const std::string bash = known.place.run("popscope", {"--bash-completion"}).out,
                      zsh = known.place.run("popscope", {"--zsh-completion"}).out,
                      fish = known.place.run("popscope", {"--fish-completion"}).out,
                      man = known.place.run("popscope", {"--man"}).out;
    CHECK(zsh.rfind("#compdef popscope\n", 0) == 0);
    for (const auto &name : names) {
      CAPTURE(name);
      const std::string help = known.place.run("popscope", {name, "--help"}).out;
      const std::size_t examples = help.find("Examples:");
      REQUIRE(examples != std::string::npos);
      const auto shown = tools::lines(help.substr(examples));
      CHECK(std::count_if(shown.begin(), shown.end(), [&](const std::string &line) {
              return has(line, "popscope " + name) || line.find("  popscope ") == 0;
            }) >= 2);
      CHECK(has(zsh, "\n    '" + name + ":"));
      CHECK(has(fish, "-n __fish_use_subcommand -a " + name + " "));
      CHECK(has(man, ".SS " + name + "\n"));
      const auto line = std::regex("(^|\n)    " + name + "\\) words=\"[^\n]*");
      std::smatch inBash;
      REQUIRE(std::regex_search(bash, inBash, line));
      for (const auto &flag : flagsOf(help)) {
        CAPTURE(flag);
        CHECK(has(inBash.str(), flag));
        CHECK(has(fish, "-l " + flag.substr(2)));
        CHECK(has(zsh, "'" + flag + "["));
      }
    }
    CHECK(has(fish,
              "-n '__fish_seen_subcommand_from top' -l of -x -a 'compute-sets steps vertex-types vertices variables "
              "tiles operations layers'"));
    CHECK(has(zsh, ":value:(compute-sets steps vertex-types vertices variables tiles operations layers)'"));
    CHECK(has(man, "popscope top profile.pop"));
    CHECK(has(known.place.run("profile_summary", {"--zsh-completion"}).out, "#compdef profile_summary"));
    CHECK(has(known.place.run("profile_summary", {"--fish-completion"}).out, "complete -c profile_summary"));
  }

  TEST_CASE("--help says what the tool is, groups the commands, fits the terminal and names each default") {
    const Known known;
    const auto helpAt = [&](std::vector<std::string> words, const char *columns) {
      words.emplace_back("--help");
      return known.place.run("popscope", words, {std::string("COLUMNS=") + columns}).out;
    };
    const std::string help = helpAt({}, "80");
    CHECK(help.rfind("popscope shows what a program for a tile machine holds", 0) == 0);
    std::size_t at = 0;
    for (const char *group : {"Look", "Ask why", "Compare", "What if", "Export", "Record and configure"}) {
      const std::size_t found = help.find(std::string("\n") + group + "\n  ");
      CAPTURE(group);
      REQUIRE(found != std::string::npos);
      CHECK(found > at);
      at = found;
    }
    CHECK(help.find("\nOther\n") == std::string::npos); // each command stands in a group
    for (const char *columns : {"80", "160"}) {
      std::vector<std::string> names = subcommands(known);
      names.insert(names.begin(), "");
      for (const std::string &name : names) {
        CAPTURE(name);
        const std::string text =
            helpAt(name.empty() ? std::vector<std::string>{} : std::vector<std::string>{name}, columns);
        for (const auto &line : tools::lines(text.substr(0, text.find("Examples:"))))
          CHECK_MESSAGE(line.size() <= std::stoul(columns), line);
        CHECK(text.find("other analyzers") == std::string::npos); // -t is accepted, but hidden
        if (name.empty() || std::string(columns) != "160")
          continue;
        CHECK(has(text, "Flags without a value are off by default."));
        CHECK(text.find_first_of('\n') < text.find("\n\nUsage:") + 1); // a sentence, then the usage
        std::string options = text.substr(0, text.find("\nExamples:"));
        options = options.substr(std::min(options.find("\nOptions:"), options.size()));
        options = std::regex_replace(options, std::regex("\n {3,}"), " "); // continued lines of a text
        for (const auto &line : tools::lines(options))
          if (std::regex_search(line, std::regex("^  -[^ ]*,?-?-?[a-z-]* [A-Z\\[-]"))) // an option with a value
            CHECK_MESSAGE((line.find("efault") != std::string::npos || line.find("equired") != std::string::npos),
                          line);
      }
    }
    const auto version = tools::lines(known.place.run("popscope", {"--version"}).out);
    REQUIRE(version.size() == 2);
    CHECK(version[0] == "popscope " + std::string(kOwnVersion) + " (Poplar interface 3.4)");
    CHECK(version[1].find("interface of Poplar 3.4.0") != std::string::npos);
  }

  TEST_CASE("the default that -n tells is the default") {
    const Known known;
    int asked = 0;
    for (const std::string &name : subcommands(known)) {
      const std::string help = known.place.run("popscope", {name, "--help"}, {"COLUMNS=400"}).out;
      std::smatch match;
      if (!std::regex_search(help, match, std::regex("Rows of each table; 0 prints all; default (all|[0-9]+)\n")))
        continue;
      const auto usual = known.place.run("popscope", {name, "known.pop"});
      if (usual.exitCode != 0)
        continue;
      ++asked;
      CAPTURE(name);
      const std::string count = match[1] == "all" ? "0" : match[1].str();
      CHECK(known.place.run("popscope", {name, "known.pop", "-n", count}).out == usual.out);
    }
    CHECK(asked >= 8);
  }

  TEST_CASE("bash offers the values of an option") {
    const Known known;
    known.place.write("complete.sh", known.place.run("popscope", {"--bash-completion"}).out +
                                         "\nCOMP_WORDS=(popscope top --of ve); COMP_CWORD=3; COMPREPLY=(); "
                                         "_popscope_complete; echo \"${COMPREPLY[@]}\"\n"
                                         "COMP_WORDS=(popscope stats known.pop --group-by ''); COMP_CWORD=4; "
                                         "COMPREPLY=(); _popscope_complete; echo \"${COMPREPLY[0]}\"\n");
    const std::string out = known.place.file("completed");
    REQUIRE(std::system(("cd " + known.place.file(".") + " && bash complete.sh > " + out).c_str()) == 0);
    CHECK(known.place.read("completed").rfind("vertex-types vertices\n", 0) == 0);
  }

  TEST_CASE("completion offers words where a word is meant, in every shell") {
    const Known known;
    known.place.write("machine.json", "{}");
    std::string script = known.place.run("popscope", {"--bash-completion"}).out +
                         "\ncomplete_for() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); "
                         "_popscope_complete; printf '%s ' \"${COMPREPLY[@]}\"; echo; }\n";
    const std::pair<const char *, const char *> asked[] = {
        {"help to", "top "},
        {"config t", "templates "},
        {"config show --template lig", "light "},
        {"run --template lig", "light "},
        {"run --format cs", "csv "},
        {"export known.pop --format chro", "chrome "},
        {"export known.pop --format csv,chro", "csv,chrome "},
        {"info known.pop --color = al", "always "},
        {"whatif known.pop --machine ipu2", "ipu2 ipu21 "},
        {"whatif known.pop --machine m", "machine.json "},
        {"top known.pop --name k", ""},
        {"config check m", "machine.json "},
        {"top kn", "known.pop "},
    };
    std::string expected;
    for (const auto &[words, offered] : asked) {
      script += std::string("complete_for popscope ") + words + "\n";
      expected += (*offered == '\0' ? std::string(" ") : offered) + "\n";
    }
    known.place.write("complete.sh", script);
    const std::string out = known.place.file("completed");
    REQUIRE(std::system(("cd " + known.place.file(".") + " && bash complete.sh > " + out).c_str()) == 0);
    CHECK(known.place.read("completed") == expected);
    const std::string zsh = known.place.run("popscope", {"--zsh-completion"}).out,
                      fish = known.place.run("popscope", {"--fish-completion"}).out;
    CHECK(has(zsh, ":value:(show check templates path set unset)"));
    CHECK(has(fish, "-a 'show check templates path set unset'"));
    CHECK(has(fish, " -l template -x -a 'default "));
  }

  TEST_CASE("a flag of the program before -- is refused with the command line of popscope run that works") {
    const Known known;
    for (const char *flag : {"--tiles", "--split"})
      tools::expectRefusal(
          known.place.run("popscope", {"run", "--template", "memory", "./my layer", flag, "32"}),
          std::string("popscope run: there is no ") + flag +
              " here; the program and its arguments come after --: popscope run --template memory -- './my layer' " +
              flag + " 32",
          "");
  }

  TEST_CASE("a flag that another sub-command has is told so") {
    const Known known;
    tools::expectRefusal(known.place.run("popscope", {"sensitivity", "known.pop", "--tiles", "0"}),
                         "popscope sensitivity: there is no --tiles here; ", "top, stats");
  }

  TEST_CASE("a profile that is cut short while a view reads it is told so") {
    const Known known;
    TileMachine machine = loadTileMachine("ipu2");
    machine.tilesPerIpu = 4;
    CompilationRecord record = tools::knownCompilation();
    record.target.machine = tileMachineToJson(machine);
    tools::writeKnown(known.place.file("large.pop"), record);
    REQUIRE(::mkfifo(known.place.file("other.json").c_str(), 0600) == 0);
    auto asked = std::async(std::launch::async, [&] {
      return known.place.run("popscope", {"whatif", "large.pop", "--machine", "other.json"});
    });
    int other = -1; // popscope reads this file between two reads of the profile
    for (int tries = 0; other < 0 && tries < 3000; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      other = ::open(known.place.file("other.json").c_str(), O_WRONLY | O_NONBLOCK);
    }
    REQUIRE(other >= 0);
    CHECK(::truncate(known.place.file("large.pop").c_str(), 8192) == 0);
    CHECK(::write(other, record.target.machine.data(), record.target.machine.size()) ==
          static_cast<ssize_t>(record.target.machine.size()));
    ::close(other);
    tools::expectRefusal(asked.get(), "popscope whatif: ", "cut short while it was read");
  }
}
