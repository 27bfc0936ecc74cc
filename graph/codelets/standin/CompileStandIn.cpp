#include "graph/codelets/standin/CompileStandIn.hpp"

#include "base/Environment.hpp"
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/EmbeddedText.hpp"
#include "graph/codelets/Process.hpp"
#include "graph/codelets/standin/Elf32.hpp"
#include "graph/codelets/standin/Rv32.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <sstream>

namespace popscope {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// A folder that CMake found when Popscope was built, or the one the user names.
std::string cHeaders() {
  const std::string named = environmentVariable("POPSCOPE_STANDIN_INCLUDE").value_or("");
  return named.empty() ? POPSCOPE_STANDIN_INCLUDE_DEFAULT : named;
}

/// The C++ library's header folders, as the compiler lists them for the host.
Words cppHeaders(const std::string &compiler) {
  const ProcessResult listed = runProcess({compiler, "-E", "-v", "-x", "c++", "/dev/null"});
  std::istringstream in(listed.errors);
  std::string line;
  Words found;
  while (std::getline(in, line))
    if (line.rfind(' ', 0) == 0 && line.find("/c++/") != std::string::npos && fs::is_directory(line.substr(1)))
      found.push_back(line.substr(1));
  return found;
}

/// Flags that only mean something for the host's instruction set or would change what is measured.
bool isHostOnly(const std::string &flag) {
  for (const char *prefix : {"-m", "-O", "-g", "-W", "-fsanitize", "-fprofile", "-stdlib"})
    if (flag.rfind(prefix, 0) == 0)
      return true;
  return false;
}

std::string firstLines(const std::string &text, std::size_t lines) {
  std::size_t at = 0;
  for (std::size_t i = 0; i != lines && at != std::string::npos; ++i)
    at = text.find('\n', at == 0 ? 0 : at + 1);
  return text.substr(0, at);
}

/// `product`: what to make of the unit, "-c" for an object.
std::string compileUnit(const CodeletToolchain &toolchain, const Words &language, const std::string &unit,
                        const std::string &output, const std::string &shim, const Words &product) {
  Words command = {toolchain.compiler,
                   "--target=riscv32-unknown-elf",
                   "-march=rv32imf",
                   "-mabi=ilp32f",
                   "-mno-relax",
                   "-Os",
                   "-nostdinc++",
                   "-isystem",
                   shim};
  for (const std::string &folder : cppHeaders(toolchain.compiler)) {
    command.push_back("-isystem");
    command.push_back(folder);
  }
  command.push_back("-isystem");
  command.push_back(cHeaders());
  for (const std::string &word : language)
    if (!isHostOnly(word))
      command.push_back(word);
  for (const char *flag : {"-ffunction-sections", "-fdata-sections", "-fno-exceptions", "-fno-rtti", "-fno-math-errno",
                           "-ffp-contract=off", "-fno-unwind-tables", "-fno-asynchronous-unwind-tables",
                           "-fno-threadsafe-statics", "-fno-use-cxa-atexit", "-fno-access-control", "-fno-pic", "-w"})
    command.push_back(flag);
  command.insert(command.end(), product.begin(), product.end());
  command.push_back("-o");
  command.push_back(output);
  command.push_back(unit);
  const ProcessResult result = runProcess(command);
  return result.exitCode == 0 ? "" : "the codelets do not compile for the stand-in: " + firstLines(result.errors, 4);
}

Words linkers() {
  const std::string named = environmentVariable("POPSCOPE_LLD").value_or("");
  return named.empty() ? Words{"ld.lld-14", "ld.lld"} : Words{named};
}

ProcessResult link(Words arguments) {
  ProcessResult result;
  for (const std::string &linker : linkers()) {
    arguments.front() = linker;
    result = runProcess(arguments);
    if (result.started && result.exitCode != 127)
      break;
  }
  return result;
}

/// Symbols that the objects use and none of them defines.
std::set<std::string> undefinedOf(const Words &objects, std::string &problem) {
  std::set<std::string> used, defined, undefined;
  for (const std::string &object : objects) {
    ElfImage parsed;
    if (!parseElf32(readFile(object).value_or(""), parsed, problem))
      return {};
    for (const ElfSymbol &symbol : parsed.symbols)
      if (!symbol.name.empty() && !(symbol.isDefined && symbol.isLocal))
        (symbol.isDefined ? defined : used).insert(symbol.name);
  }
  std::set_difference(used.begin(), used.end(), defined.begin(), defined.end(),
                      std::inserter(undefined, undefined.end()));
  return undefined;
}

} // namespace

std::string linkStandIn(const Words &objects, const std::string &image) {
  std::string problem;
  const std::set<std::string> undefined = undefinedOf(objects, problem);
  if (!problem.empty())
    return problem;
  if (undefined.size() > (Rv32::kTrapsEnd - Rv32::kTrapsBegin) / 4)
    return fmt::format("the codelets call {} functions that they do not define", undefined.size());
  Words command = {"",
                   "-m",
                   "elf32lriscv",
                   "-static",
                   "--emit-relocs",
                   fmt::format("--image-base={:#x}", Rv32::kTrapsEnd),
                   "-e",
                   fmt::format("{:#x}", Rv32::kTrapsEnd),
                   "-z",
                   "norelro",
                   "-z",
                   "muldefs",
                   "-o",
                   image};
  command.insert(command.end(), objects.begin(), objects.end());
  std::uint32_t trap = Rv32::kTrapsBegin;
  for (const std::string &name : undefined) {
    command.push_back(fmt::format("--defsym={}={:#x}", name, trap));
    trap += 4;
  }
  const ProcessResult result = link(command);
  if (!result.started || result.exitCode == 127)
    return "the linker ld.lld cannot be started; install lld 14 or set POPSCOPE_LLD";
  return result.exitCode == 0 ? "" : "the stand-in does not link: " + firstLines(result.errors, 4);
}

StandInOutcome compileForStandIn(const CodeletToolchain &toolchain, const Words &language, const std::string &unit,
                                 const std::string &output, const Words &product) {
  if (!fs::is_directory(cHeaders()))
    return {"the stand-in's C headers are missing; install picolibc for riscv or set POPSCOPE_STANDIN_INCLUDE"};
  const WorkFolder work(fs::path(unit).parent_path().string());
  writeFile(work.path("features.h"), standInFeaturesText());
  const std::string shim = fs::path(work.path("features.h")).parent_path().string();
  return {compileUnit(toolchain, language, unit, output, shim, product)};
}

std::string standInCompilerVersion() {
  // What is missing now may be installed later: a stand-in that could not be compiled is tried again then.
  std::string version = "2 " + cHeaders() + (fs::is_directory(cHeaders()) ? " present" : " missing");
  for (const std::string &linker : linkers())
    version += " " + programIdentity(linker);
  return version;
}

} // namespace popscope
