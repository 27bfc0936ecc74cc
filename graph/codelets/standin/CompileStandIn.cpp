#include "graph/codelets/standin/CompileStandIn.hpp"

#include "base/Environment.hpp"
#include "graph/codelets/CompilerFacts.hpp"
#include "graph/codelets/EmbeddedText.hpp"
#include "graph/codelets/Process.hpp"
#include "graph/codelets/standin/Elf32.hpp"
#include "graph/codelets/standin/Rv32.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <poplar/exceptions.hpp>
#include <set>
#include <sstream>

namespace popscope {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Returns the header folders of the C++ library, as the compiler lists them for the host.
Words cppHeaders(const std::string &compiler) {
  Words found;
  for (const std::string &folder : compilerFacts(compiler).systemFolders)
    if (folder.find("/c++/") != std::string::npos)
      found.push_back(folder);
  return found;
}

/// Returns whether a flag has a meaning only for the host's instruction set, or would change the code that is measured.
bool isHostOnly(const std::string &flag) {
  for (const char *prefix : {"-m", "-O", "-g", "-W", "-fsanitize", "-fprofile", "-stdlib"})
    if (flag.rfind(prefix, 0) == 0)
      return true;
  return false;
}

/// Returns at most `lines` lines from the first error of a compiler's text. Without an error, returns the first lines
/// of the text.
std::string firstLines(const std::string &whole, std::size_t lines) {
  const std::size_t error = whole.find("error:");
  const std::size_t line = error == std::string::npos ? error : whole.rfind('\n', error);
  const std::string text = whole.substr(line == std::string::npos ? 0 : line + 1);
  std::size_t at = 0;
  for (std::size_t i = 0; i != lines && at != std::string::npos; ++i)
    at = text.find('\n', at == 0 ? 0 : at + 1);
  return text.substr(0, at);
}

std::string namedLinker() { return homePath(environmentVariable("POPSCOPE_LLD").value_or("")); }
Words linkers() {
  const std::string named = namedLinker();
  return named.empty() ? Words{"ld.lld" + llvmSuffix(), "ld.lld"} : Words{named};
}
bool isMissing(const std::string &program) { return programIdentity(program).empty(); }

std::string namedHeaders() { return homePath(environmentVariable("POPSCOPE_STANDIN_INCLUDE").value_or("")); }

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

/// Returns the symbols that the objects use and that none of them defines.
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
    throw poplar::graph_program_compilation_error(fmt::format(
        "the linker '{}' cannot be started; install lld 14, or set POPSCOPE_LLD to an ld.lld", linkers().front()));
  return result.exitCode == 0 ? "" : "the stand-in does not link: " + firstLines(result.errors, 4);
}

std::string standInHeaders() {
  const std::string named = namedHeaders();
  return named.empty() ? POPSCOPE_STANDIN_INCLUDE_DEFAULT : named;
}

Words standInCommand(const CodeletToolchain &toolchain, const Words &language, const CompileCache &cache) {
  Words command = {toolchain.compiler,
                   "--target=riscv32-unknown-elf",
                   "-march=rv32imfzfh1p0", // with halves, which are experimental in clang 14
                   "-menable-experimental-extensions",
                   "-mabi=ilp32f",
                   "-mno-relax",
                   "-Os",
                   "-nostdinc++",
                   "-isystem",
                   cache.keepInFolder(standInFeaturesText(), "features.h")};
  for (const std::string &folder : cppHeaders(toolchain.compiler))
    command.insert(command.end(), {"-isystem", folder});
  command.insert(command.end(), {"-isystem", standInHeaders()});
  for (const std::string &word : language)
    if (!isHostOnly(word))
      command.push_back(word);
  for (const char *flag : {"-ffunction-sections", "-fdata-sections", "-fno-exceptions", "-fno-rtti", "-fno-math-errno",
                           "-ffp-contract=off", "-fno-unwind-tables", "-fno-asynchronous-unwind-tables",
                           "-fno-threadsafe-statics", "-fno-use-cxa-atexit", "-fno-access-control", "-fno-pic", "-w"})
    command.push_back(flag);
  return command;
}

std::string whyNoStandIn() {
  const std::string headers = namedHeaders(), linker = namedLinker();
  const Words all = linkers();
  if (!fs::is_directory(standInHeaders()))
    return headers.empty()
               ? "the stand-in's C headers are missing; install picolibc for riscv or set POPSCOPE_STANDIN_INCLUDE"
               : "POPSCOPE_STANDIN_INCLUDE is '" + headers +
                     "', which is no folder; set it to picolibc's headers for riscv, or unset it";
  if (std::all_of(all.begin(), all.end(), isMissing))
    return linker.empty() ? "the linker ld.lld is missing; install lld 14 or set POPSCOPE_LLD"
                          : "POPSCOPE_LLD is '" + linker + "', which is no program; set it to an ld.lld, or unset it";
  return "";
}

std::string standInErrors(const ProcessResult &result) {
  return result.exitCode == 0 ? "" : "the codelets do not compile for the stand-in: " + firstLines(result.errors, 4);
}

std::string standInCompilerVersion() {
  // Missing headers may be installed later. The version then changes, and a stand-in that did not compile is compiled
  // again.
  std::string version = "3 " + standInHeaders() + (fs::is_directory(standInHeaders()) ? " present" : " missing");
  for (const std::string &linker : linkers())
    version += " " + programIdentity(linker);
  return version;
}

} // namespace popscope
