#include "graph/codelets/CompileTogether.hpp"

#include "graph/codelets/CompilerFacts.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <span>
#include <sstream>
#include <utility>

namespace popscope {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::size_t kMaxUnits = 8;           // maximum per process, because a process keeps some memory of each unit
                                               // until the process ends
constexpr std::size_t kProcessesOfAThread = 2; // the minimum, so that all threads end at about the same time

/// Returns whether the flag writes further files, or makes further compilers run.
bool writesMore(const std::string &word) {
  for (const char *prefix :
       {"-ftime-", "-save", "--save", "-M", "-Wp,", "-dependency", "-fmodules", "-gsplit", "-dump"})
    if (word.rfind(prefix, 0) == 0)
      return true;
  return false;
}

/// Placeholders of the command that frontend() returns: kUnits marks the sources, kRule the file of dependencies, and
/// kHeaders the list of headers. The command calls the compiler itself, without its driver, and writes each object next
/// to its source. frontend() returns nothing if units with the flags of `like` cannot be compiled together.
constexpr const char *kUnits = "/dev/null", *kRule = "popscope-rule", *kHeaders = "popscope-headers";
Words frontend(const WaitingUnit &like) {
  if (like.head.text.empty() || std::any_of(like.command.begin(), like.command.end(), writesMore))
    return {};
  Words words = like.command;
  if (like.head.made.empty())
    words.insert(words.end(), {"-include", like.head.text});
  else
    words.insert(words.end(), {"-include-pch", like.head.made});
  words.insert(words.end(), {"-MD", "-MF", kRule, "-c", "-o", kLinkedOutput, kUnits});
  Words told = driversCommand(words);
  const auto isOne = [&told](const std::string &word) { return std::count(told.begin(), told.end(), word) == 1; };
  if (told.size() < 2 || told[1] != "-cc1" || !isOne("-o") || !isOne(kUnits) || !isOne(kRule) ||
      !isOne("-main-file-name"))
    return {};
  const auto output = std::find(told.begin(), told.end(), "-o");
  if (output + 1 == told.end() || output[1] != kLinkedOutput)
    return {};
  told.erase(output, output + 2);                                          // objects get the names of their sources
  std::erase_if(told, [](const std::string &word) {                        // the memory of one unit is freed
    return word == "-disable-free" || word == "-clear-ast-before-backend"; // before the next
  });
  const auto name = std::find(told.begin(), told.end(), "-main-file-name");
  name[1] = fs::path(like.source).filename().string(); // the name in the object is the same as if the unit were
                                                       // compiled alone
  told.insert(std::find(told.begin(), told.end(), kUnits), {"-header-include-file", kHeaders});
  return told;
}

void replace(Words &words, const std::string &what, const Words &with) {
  const auto place = words.erase(std::find(words.begin(), words.end(), what));
  words.insert(place, with.begin(), with.end());
}

/// Returns the absolute paths, sorted and without duplicates.
Words normal(Words files) {
  for (std::string &file : files)
    file = fs::absolute(file).lexically_normal().string();
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

Words linesOf(const std::string &text) {
  Words lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

void compile(Words command, std::span<WaitingUnit *const> units) {
  const std::string rule = units.front()->source + ".d", headers = units.front()->source + ".headers";
  Words sources;
  for (const WaitingUnit *unit : units)
    sources.push_back(unit->source);
  replace(command, kRule, {rule});
  replace(command, kHeaders, {headers});
  replace(command, kUnits, sources);
  const ProcessResult result = runProcess(command);
  if (result.exitCode != 0 || !result.errors.empty())
    return;
  // The rule belongs to the last unit, but contains the files of the head. The list of headers covers all units.
  Words files = parseDependencies(readFile(rule).value_or(""));
  for (std::string &file : linesOf(readFile(headers).value_or("")))
    files.push_back(std::move(file));
  files = normal(std::move(files));
  std::erase_if(
      files, [&](const std::string &file) { return std::find(sources.begin(), sources.end(), file) != sources.end(); });
  for (WaitingUnit *unit : units) {
    Words others;
    for (const WaitingUnit *other : units)
      others.insert(others.end(), other->headers.begin(), other->headers.end());
    others = normal(std::move(others));
    const Words own = normal(unit->headers);
    std::copy_if(files.begin(), files.end(), std::back_inserter(unit->files), [&](const std::string &file) {
      return std::binary_search(own.begin(), own.end(), file) ||
             !std::binary_search(others.begin(), others.end(), file);
    });
    unit->isCompiled = fs::exists(unit->object());
  }
}

} // namespace

void compileTogether(const std::vector<WaitingUnit *> &units, Threads threads) {
  std::map<Words, std::vector<WaitingUnit *>> groups; // units by their common command
  for (WaitingUnit *unit : units) {
    Words key = unit->command;
    key.insert(key.end(), {unit->head.text, unit->head.made, fs::path(unit->source).filename().string()});
    groups[key].push_back(unit);
  }
  struct Process {
    const Words *command;
    std::span<WaitingUnit *const> units;
  };
  const std::size_t wanted = kProcessesOfAThread * threads.count();
  std::vector<std::span<WaitingUnit *const>> large;
  for (const auto &[key, group] : groups)
    if (group.size() >= 2 * wanted)
      large.emplace_back(group);
  std::vector<Words> commands(large.size());
  parallelFor(threads, large.size(), [&](std::size_t g) { commands[g] = frontend(*large[g].front()); });
  std::vector<Process> processes;
  for (std::size_t g = 0; g != large.size(); ++g) {
    const std::size_t many = std::min(large[g].size() / wanted, kMaxUnits);
    for (std::size_t first = 0; !commands[g].empty() && first < large[g].size(); first += many)
      processes.push_back({&commands[g], large[g].subspan(first, std::min(many, large[g].size() - first))});
  }
  parallelFor(threads, processes.size(), [&](std::size_t p) { compile(*processes[p].command, processes[p].units); });
}

} // namespace popscope
