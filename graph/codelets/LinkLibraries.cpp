#include "graph/codelets/LinkLibraries.hpp"

#include "base/ShownText.hpp"
#include "graph/codelets/CompilerFacts.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/Process.hpp"
#include "graph/codelets/standin/CompileStandIn.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <poplar/exceptions.hpp>
#include <sstream>

namespace popscope {
namespace {

using Words = std::vector<std::string>;

template <class T> bool readAt(const std::string &file, std::uint64_t at, T &value) {
  if (at > file.size() || file.size() - at < sizeof value)
    return false;
  std::memcpy(&value, file.data() + at, sizeof value);
  return true;
}

bool isCallable(const Elf64_Sym &symbol) {
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  return ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL && symbol.st_shndx != SHN_UNDEF &&
         (type == STT_FUNC || type == STT_OBJECT);
}

/// Returns the names in messages such as "undefined reference to `name'" or 'name', sorted and without duplicates.
Words undefinedNames(const std::string &output) {
  const std::string phrase = "undefined reference to ";
  Words names;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);)
    if (const std::size_t at = line.find(phrase); at != std::string::npos) {
      const std::size_t begin = at + phrase.size() + 1; // behind the quote
      names.push_back(line.substr(begin, line.find('\'', begin) - begin));
    }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Returns the linker's own command, because starting the linker through the compiler takes 50 % longer. `undefined`
/// symbols get address 0.
Words linkCommand(const CodeletToolchain &toolchain, const Words &objects, const std::string &output,
                  const Words &undefined) {
  const Words &direct = compilerFacts(toolchain.compiler).link;
  Words command = direct;
  if (direct.empty()) {
    command = driverLinkCommand(toolchain.compiler);
    command.insert(command.end(), {"-o", kLinkedOutput, kLinkedObjects});
  }
  for (const std::string &name : undefined)
    command.push_back((direct.empty() ? "-Wl,--defsym=" : "--defsym=") + name + "=0");
  *std::find(command.begin(), command.end(), kLinkedOutput) = output;
  const auto place = command.erase(std::find(command.begin(), command.end(), kLinkedObjects));
  command.insert(place, objects.begin(), objects.end());
  return command;
}

/// Calls change(entry) for each entry of the dynamic section of a shared object, and stores the changed entries.
template <class Change> void changeDynamicSection(const std::string &path, Change change) {
  std::string file = readFile(path).value_or("");
  Elf64_Ehdr header;
  if (!readAt(file, 0, header))
    return;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!readAt(file, header.e_phoff + std::uint64_t(i) * header.e_phentsize, segment) || segment.p_type != PT_DYNAMIC)
      continue;
    Elf64_Dyn entry;
    for (std::uint64_t at = 0; at < segment.p_filesz && readAt(file, segment.p_offset + at, entry);
         at += sizeof entry) {
      change(entry);
      std::memcpy(file.data() + segment.p_offset + at, &entry, sizeof entry);
    }
  }
  writeFile(path, file);
}

/// Makes the dynamic linker skip the initialisers and finalisers of a shared object, because they may call a symbol
/// that has address 0.
void dropInitialisers(const std::string &path) {
  changeDynamicSection(path, [](Elf64_Dyn &entry) {
    if (entry.d_tag == DT_INIT_ARRAYSZ || entry.d_tag == DT_FINI_ARRAYSZ)
      entry.d_un.d_val = 0;
  });
}

/// Leaves the initialisers of a shared object to loadLibrary().
void renameInitialisers(const std::string &path) {
  changeDynamicSection(path, [](Elf64_Dyn &entry) {
    if (entry.d_tag == DT_INIT_ARRAY)
      entry.d_tag = kInitialisersTag;
    else if (entry.d_tag == DT_INIT_ARRAYSZ)
      entry.d_tag = kInitialisersBytesTag;
  });
}

/// Links `objects` to `output`. Returns the missing names, which get address 0; `output` then has no initialisers.
/// Throws graph_program_compilation_error if linking fails for another reason; the message begins with the line
/// `failure`.
Words linkHost(const CodeletToolchain &toolchain, const Words &objects, const std::string &output,
               const std::string &failure) {
  ProcessResult result = runProcess(linkCommand(toolchain, objects, output, {}));
  Words missing;
  if (result.exitCode != 0) {
    missing = undefinedNames(result.errors);
    if (!missing.empty())
      result = runProcess(linkCommand(toolchain, objects, output, missing));
  }
  if (result.exitCode != 0)
    throw poplar::graph_program_compilation_error(failure + "\n" +
                                                  (result.started ? result.errors : "the linker cannot be started\n"));
  missing.empty() ? renameInitialisers(output) : dropInitialisers(output);
  return missing;
}

void linkStandIns(const Words &objects, const std::string &output, CompiledLibrary &library) {
  library.standInProblem = linkStandIn(objects, output);
  library.standInImage = library.standInProblem.empty() ? output : "";
}

} // namespace

bool definesFunctions(const std::string &hostObject) {
  if (hostObject.empty())
    return false;
  const std::string file = readFile(hostObject).value_or("");
  Elf64_Ehdr header;
  if (!readAt(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return true; // an unknown kind of file, which is kept
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr table, names;
    if (!readAt(file, header.e_shoff + std::uint64_t(i) * header.e_shentsize, table) || table.sh_type != SHT_SYMTAB ||
        !readAt(file, header.e_shoff + std::uint64_t(table.sh_link) * header.e_shentsize, names))
      continue;
    Elf64_Sym symbol;
    for (std::uint64_t at = 0; at < table.sh_size && readAt(file, table.sh_offset + at, symbol); at += sizeof symbol) {
      const std::uint64_t name = names.sh_offset + symbol.st_name;
      if (isCallable(symbol) && name < file.size() && std::strcmp(file.c_str() + name, "popscope_codelets") != 0)
        return true;
    }
  }
  return false;
}

void linkAlone(const std::string &file, const CodeletToolchain &toolchain, const WorkFolder &work,
               CompiledLibrary &library) {
  library.sharedObject = work.path("unit.so");
  library.missing =
      linkHost(toolchain, {library.hostObject}, library.sharedObject, shownText(file) + ": the codelets do not link");
  if (!library.standInObject.empty())
    linkStandIns({library.standInObject}, work.path("unit.rv"), library);
}

// Links the objects of the library with the functions of all others, for the host and for the substitute instruction
// set. Caches the result under a hash of compiler and objects. Stores in `missing` the names that no object defines,
// because another graph object may define these names later.
CompiledLibrary linkWithOthers(const CompiledLibrary &library, const std::vector<const CompiledLibrary *> &others) {
  const CodeletToolchain toolchain = findToolchain();
  const CompileCache cache(toolchain.cacheDir);
  ContentHash hash;
  Words host = {library.hostObject}, standIn = {library.standInObject};
  for (const CompiledLibrary *other : others) {
    if (!other->hostFunctions.empty())
      host.push_back(other->hostFunctions);
    if (!other->standInFunctions.empty())
      standIn.push_back(other->standInFunctions);
  }
  hash.add("linked").add(programIdentity(toolchain.compiler)).add(standInCompilerVersion());
  for (const Words *objects : {&host, &standIn})
    for (const std::string &object : *objects)
      hash.add(ContentHash().add(readFile(object).value_or("")).hex());
  const std::string key = hash.hex();
  CompiledLibrary linked;
  if (const std::optional<CompiledLibrary> known = cache.find(key)) {
    linked = *known;
  } else {
    const WorkFolder work(cache.folder());
    linked.sharedObject = work.path("linked.so");
    linked.missing = linkHost(toolchain, host, linked.sharedObject, "Codelets of several files do not link");
    linked.standInProblem = library.standInProblem;
    if (!library.standInObject.empty())
      linkStandIns(standIn, work.path("linked.rv"), linked);
    linked = cache.store({key}, linked, {}, std::filesystem::file_time_type::clock::now());
  }
  linked.hostObject = library.hostObject;
  linked.standInObject = library.standInObject;
  linked.hostFunctions = library.hostFunctions;
  linked.standInFunctions = library.standInFunctions;
  linked.warnings = library.warnings;
  return linked;
}

} // namespace popscope
