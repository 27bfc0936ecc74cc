#include "graph/codelets/CompileSource.hpp"

#include "base/EditDistance.hpp"
#include "base/JsonText.hpp"
#include "base/ShownText.hpp"
#include "graph/codelets/CompilerFacts.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/FindClasses.hpp"
#include "graph/codelets/FindFields.hpp"
#include "graph/codelets/HeaderHints.hpp"
#include "graph/codelets/LinkLibraries.hpp"
#include "graph/codelets/NearMisses.hpp"
#include "graph/codelets/RegistrationUnit.hpp"
#include "graph/codelets/TellTargets.hpp"
#include "graph/codelets/TileOnly.hpp"
#include "graph/codelets/Words.hpp"
#include "graph/codelets/standin/CompileStandIn.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <poplar/exceptions.hpp>
#include <sstream>
#include <string_view>

namespace popscope {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void append(Words &to, const Words &from) { to.insert(to.end(), from.begin(), from.end()); }

/// Returns the unchanged source, with its own file name and line numbers.
std::string sourceText(const CodeletSource &source) { return "# 1 \"" + source.file + "\"\n" + source.text + "\n"; }

std::string writeText(const CodeletSource &source, const WorkFolder &work, const std::string &name) {
  const std::string path = work.path(name + (source.isC ? ".c" : ".cpp"));
  writeFile(path, sourceText(source));
  return path;
}

/// Returns the argument with which the compiler reads source.headers in place of the files. Writes these texts to the
/// work folder. Messages and dependencies have the names of the files.
Words replacedHeaders(const CodeletSource &source, const WorkFolder &work) {
  if (source.headers.empty())
    return {};
  nlohmann::json files = nlohmann::json::array();
  for (const auto &[path, text] : source.headers) {
    const std::string copy = work.path(fmt::format("header{}", files.size()));
    writeFile(copy, text);
    files.push_back({{"type", "file"}, {"name", path}, {"external-contents", copy}});
  }
  const std::string overlay = work.path("headers.yaml"); // JSON is YAML
  writeFile(overlay, jsonText(nlohmann::json{{"version", 0}, {"use-external-names", false}, {"roots", files}}));
  return {"-ivfsoverlay", overlay};
}

/// Returns the first lines of a long text, with a line about the rest. A binary file as a source gives megabytes of
/// messages.
std::string bounded(const std::string &text) {
  constexpr std::size_t kMaxBytes = std::size_t(64) << 10;
  if (text.size() <= kMaxBytes)
    return text;
  const std::size_t end = text.rfind('\n', kMaxBytes), kept = end == std::string::npos ? kMaxBytes : end + 1;
  return text.substr(0, kept) + fmt::format("{}... {} more bytes of messages are left out\n",
                                            end == std::string::npos ? "\n" : "", text.size() - kept);
}

[[noreturn]] void failCompilation(const CodeletSource &source, const std::string &message) {
  throw poplar::graph_program_compilation_error(shownText(source.file) + ": the codelets do not compile\n" +
                                                bounded(message));
}

ProcessResult checkStarted(ProcessResult result, const CodeletSource &source, const CodeletToolchain &toolchain) {
  const auto fail = [&](const std::string &what) {
    failCompilation(source, fmt::format("the compiler '{}' {}\n", toolchain.compiler, what));
  };
  const int cause = result.startError;
  if (!result.started && (cause == EMFILE || cause == ENFILE || cause == EAGAIN || cause == ENOMEM))
    fail(fmt::format("cannot be started: {}; raise the limit (ulimit) or close files", std::strerror(cause)));
  if (!result.started || result.exitCode == 127)
    fail("cannot be started; install clang or set POPSCOPE_CXX to the path of a clang++");
  if (result.exitCode != 0 && result.errors.empty())
    fail(fmt::format("ended with exit code {} and no message; set POPSCOPE_CXX to the path of another clang++",
                     result.exitCode));
  return result;
}

/// Returns the hints for the compiler's errors in a source, one line each.
std::string hintsFor(const CodeletSource &source, const std::string &errors, const CodeletToolchain &toolchain) {
  return headerHints(errors, toolchain.includeDirs) + devicePathHint(source.text, errors);
}

/// Reports the compiler's messages about the user's text only, so that no generated text appears in them.
void reportParseErrors(const CodeletSource &source, const Words &language, const Words &parserErrors,
                       const CodeletToolchain &toolchain, const WorkFolder &work) {
  Words command = {toolchain.compiler, "-fsyntax-only"};
  append(command, language);
  command.push_back(writeText(source, work, "source"));
  const ProcessResult result = checkStarted(runProcess(command), source, toolchain);
  if (result.exitCode != 0)
    failCompilation(source, result.errors + hintsFor(source, result.errors, toolchain));
  std::string text;
  for (const std::string &error : parserErrors)
    text += error + "\n";
  failCompilation(source, text + hintsFor(source, text, toolchain));
}

[[noreturn]] void failWithCompilerOutput(const CodeletSource &source, const std::string &errors,
                                         const CodeletToolchain &toolchain) {
  const std::string message = userDiagnostics(errors, true);
  failCompilation(source, (message.empty() ? errors : message) + hintsFor(source, errors, toolchain));
}

/// Returns whether the user's flags make -Wdouble-promotion an error. languageArguments() keeps this diagnostic a
/// warning.
bool promotionsAreErrors(const std::string &flags) {
  bool errors = false;
  for (const std::string &flag : splitFlags(flags)) {
    if (flag == "-Werror" || flag == "-Werror=double-promotion")
      errors = true;
    if (flag == "-Wno-error" || flag == "-Wno-error=double-promotion" || flag == "-Wno-double-promotion")
      errors = false;
  }
  return errors;
}

constexpr const char *kPromotion = "[-Wdouble-promotion]";

std::string withPromotionsAsErrors(const std::string &warnings) {
  constexpr std::string_view kWarning = ": warning: ";
  std::istringstream in(warnings);
  std::string text;
  for (std::string line; std::getline(in, line); text += line + "\n")
    if (const std::size_t at = line.find(kWarning);
        at != std::string::npos && line.find(kPromotion) != std::string::npos)
      line.replace(at, kWarning.size(), ": error: ");
  return text;
}

/// Returns whether a text has pragmas other than `#pragma once`. Other pragmas about warnings in one unit would also
/// apply to the next unit of the same process.
bool hasPragmas(const std::string &text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.find("ragma") != std::string::npos && line.rfind("#pragma once", 0) != 0)
      return true;
  return false;
}

/// The compilation of one source for one target, in one work folder.
class Compilation {
public:
  Compilation(const CompileTools &tools, const CodeletSource &source, const CodeletOptions &options,
              const UnitHeads &heads, const WorkFolder &work, const EarlierUnits &earlier = {})
      : tools_(tools), source_(source), options_(options), heads_(heads), work_(work), earlier_(earlier),
        parserLanguage_(languageArguments(source, options, tools.toolchain)), language_(parserLanguage_),
        standInLanguage_(standInArguments(source, options, tools.toolchain)) {
    const Words headers = replacedHeaders(source, work);
    append(language_, headers);
    append(standInLanguage_, headers);
  }

  /// Writes the units of the source's classes, for host and stand-in.
  void begin() {
    if (earlier_.found != nullptr) {
      found_ = *earlier_.found;
      for (CandidateClass &candidate : found_.classes)
        for (CandidateField &field : candidate.fields)
          field.offset.clear(); // these offsets are for halves of two bytes
    } else {
      found_ = parse();
    }
    files_ = found_.headers;
    if (found_.classes.empty())
      return;
    if (earlier_.found == nullptr)
      askForFields(found_);
    mayShare_ = !found_.hasWarnings && !hasPragmas(source_.text) &&
                std::none_of(files_.begin(), files_.end(),
                             [](const std::string &header) { return hasPragmas(readFile(header).value_or("")); });
    const std::string text = registrationUnit(source_.file, source_.text, found_);
    host_ = unit(heads_.host, hostCommand(language_, tools_.toolchain), "host", text);
    if (!options_.standIn || earlier_.library != nullptr)
      return;
    standInProblem_ = whyNoStandIn();
    if (standInProblem_.empty())
      standIn_ =
          unit(heads_.standIn, standInCommand(tools_.toolchain, standInLanguage_, tools_.cache), "standin", text);
  }

  std::vector<WaitingUnit *> waiting() {
    std::vector<WaitingUnit *> units;
    for (std::optional<WaitingUnit> *one : {&host_, &standIn_})
      if (one->has_value() && mayShare_)
        units.push_back(&one->value());
    return units;
  }

  CompiledUnits finish(Threads threads) {
    CompiledUnits result;
    if (host_) {
      const Objects objects = compileObjects(threads, *host_, standIn_);
      result.library.hostObject = objects.host;
      result.library.standInObject = objects.standIn;
      result.library.standInProblem = objects.problem;
      result.library.warnings = objects.warnings;
      linkAlone(source_.file, tools_.toolchain, work_, result.library);
    }
    chooseObjects(threads, result.library);
    if (earlier_.library != nullptr)
      takeStandIn(result.library);
    result.found = std::move(found_);
    std::sort(files_.begin(), files_.end());
    files_.erase(std::unique(files_.begin(), files_.end()), files_.end());
    result.files = std::move(files_);
    return result;
  }

  std::string view(CodeletView view) {
    FoundClasses found = parse();
    askForFields(found);
    const std::string unit = source_.isC ? writeText(source_, work_, "unit") : work_.path("unit.cpp"),
                      output = work_.path("view");
    if (!source_.isC) // registration is C++
      writeFile(unit, registrationUnit(source_.file, source_.text, found));
    Words product = view == CodeletView::Object     ? Words{"-c"}
                    : view == CodeletView::Assembly ? Words{"-S"}
                                                    : Words{"-S", "-emit-llvm"};
    append(product, {"-o", output, unit});
    if (!targetArchitecture(options_.target).isHost()) {
      std::string problem = whyNoStandIn();
      if (problem.empty())
        problem = standInErrors(
            runBehind(heads_.standIn, standInCommand(tools_.toolchain, standInLanguage_, tools_.cache), product));
      if (!problem.empty())
        failCompilation(source_, problem + "\n");
    } else {
      const ProcessResult result = started(runBehind(heads_.host, hostCommand(language_, tools_.toolchain), product));
      if (result.exitCode != 0)
        failWithCompilerOutput(source_, result.errors, tools_.toolchain);
    }
    return readFile(output).value_or("");
  }

  std::string preprocessed() const {
    Words command = {tools_.toolchain.compiler, "-E"};
    append(command, language_);
    command.push_back(writeText(source_, work_, "source"));
    const ProcessResult result = started(runProcess(command));
    if (result.exitCode != 0)
      failCompilation(source_, result.errors);
    return result.output;
  }

private:
  struct Objects {
    std::string host, standIn, problem, warnings;
  };

  ProcessResult started(ProcessResult result) const {
    return checkStarted(std::move(result), source_, tools_.toolchain);
  }

  FoundClasses parse() const {
    FoundClasses found = findClasses(source_, parserLanguage_, heads_.parser);
    if (!found.errors.empty())
      reportParseErrors(source_, language_, found.errors, tools_.toolchain, work_);
    return found;
  }

  void askForFields(FoundClasses &found) const {
    if (std::all_of(found.classes.begin(), found.classes.end(),
                    [](const CandidateClass &candidate) { return candidate.fieldsAreKnown; }))
      return;
    const std::string unit = work_.path("layout.cpp");
    writeFile(unit, layoutUnit(source_.file, source_.text, found));
    const ProcessResult result = started(runBehind(heads_.host, hostCommand(language_, tools_.toolchain),
                                                   {"-w", "-fsyntax-only", "-Xclang", "-fdump-record-layouts", unit}));
    if (result.exitCode != 0)
      failWithCompilerOutput(source_, result.errors, tools_.toolchain);
    findFields(source_.file, result.output, found.classes);
  }

  /// Returns a unit in a separate folder within the work folder, because the object contains the file's name.
  WaitingUnit unit(const PrecompiledHeader &head, Words command, const std::string &folder,
                   const std::string &text) const {
    fs::create_directories(work_.path(folder));
    WaitingUnit made;
    made.head = head;
    made.command = std::move(command);
    made.source = work_.path(folder + "/unit" + (source_.isC ? ".c" : ".cpp"));
    made.headers = files_;
    writeFile(made.source, text);
    return made;
  }

  /// Compiles the units that are not compiled yet. If there is no unit for the stand-in, then there is a problem text
  /// or another library provides the stand-in.
  Objects compileObjects(Threads threads, WaitingUnit &host, std::optional<WaitingUnit> &standIn) {
    Objects objects;
    const auto compile = [](WaitingUnit &unit) {
      const std::string rule = unit.object() + ".d";
      ProcessResult result =
          runBehind(unit.head, unit.command, {"-MD", "-MF", rule, "-c", "-o", unit.object(), unit.source});
      unit.files = parseDependencies(readFile(rule).value_or(""));
      return result;
    };
    parallelFor(threads, 2, [&](std::size_t what) {
      if (what == 0 && !host.isCompiled) {
        const ProcessResult result = started(compile(host));
        objects.warnings = bounded(userDiagnostics(result.errors, false));
        if (result.exitCode != 0)
          failWithCompilerOutput(source_, result.errors, tools_.toolchain);
        if (promotionsAreErrors(options_.flags) && objects.warnings.find(kPromotion) != std::string::npos)
          failCompilation(source_, withPromotionsAsErrors(objects.warnings));
        if (!fs::exists(host.object()))
          failCompilation(source_, fmt::format("the compiler '{}' reports no error, but wrote no object; set "
                                               "POPSCOPE_CXX to the path of another clang++\n",
                                               tools_.toolchain.compiler));
      } else if (what == 1) {
        objects.problem = !options_.standIn ? "not compiled: the stand-in was switched off" : standInProblem_;
        if (standIn && !standIn->isCompiled)
          objects.problem = standInErrors(compile(*standIn));
      }
    });
    objects.host = host.object();
    if (standIn && objects.problem.empty())
      objects.standIn = standIn->object();
    for (const WaitingUnit *unit : {&host, standIn ? &*standIn : nullptr})
      if (unit != nullptr)
        std::copy_if(unit->files.begin(), unit->files.end(), std::back_inserter(files_), [&](const std::string &file) {
          return file != unit->source && file != unit->head.text; // a text that we generated
        });
    return objects;
  }

  /// Keeps the objects with which another source may be linked. Functions that others may call come from an object of
  /// the source alone, without the registration of its classes.
  void chooseObjects(Threads threads, CompiledLibrary &library) {
    if (library.sharedObject.empty() || definesFunctions(library.hostObject)) {
      const std::string text = sourceText(source_);
      WaitingUnit host = unit({}, hostCommand(language_, tools_.toolchain), "hostFunctions", text);
      std::optional<WaitingUnit> standIn;
      standInProblem_ = whyNoStandIn();
      if (options_.standIn && earlier_.library == nullptr && standInProblem_.empty())
        standIn = unit({}, standInCommand(tools_.toolchain, standInLanguage_, tools_.cache), "standInFunctions", text);
      const Objects objects = compileObjects(threads, host, standIn);
      library.hostFunctions = objects.host;
      library.standInFunctions = objects.standIn;
      if (library.sharedObject.empty())
        library.warnings = objects.warnings;
    }
    if (library.missing.empty())
      library.hostObject = library.standInObject = "";
    if (!definesFunctions(library.hostFunctions))
      library.hostFunctions = library.standInFunctions = "";
  }

  /// Copies the files of the substitute instruction set, because files of a work folder move into the cache.
  void takeStandIn(CompiledLibrary &library) const {
    const auto take = [&](const std::string &from, const char *name) {
      if (from.empty())
        return std::string();
      fs::copy_file(from, work_.path(name));
      return work_.path(name);
    };
    library.standInProblem = earlier_.library->standInProblem;
    library.standInImage = take(earlier_.library->standInImage, "taken.rv");
    library.standInObject = library.hostObject.empty() ? "" : take(earlier_.library->standInObject, "taken.rvo");
    library.standInFunctions =
        library.hostFunctions.empty() ? "" : take(earlier_.library->standInFunctions, "taken.f.rvo");
  }

  const CompileTools &tools_;
  const CodeletSource &source_;
  const CodeletOptions &options_;
  const UnitHeads &heads_;
  const WorkFolder &work_;
  const EarlierUnits earlier_;
  const Words parserLanguage_; // libclang gets the texts of headers with the source
  Words language_, standInLanguage_;
  std::optional<WaitingUnit> host_, standIn_; // the units of the classes
  std::string standInProblem_;
  FoundClasses found_;
  bool mayShare_ = false; // whether a process of the compiler may serve other sources, too
  Words files_;
};

/// Returns false if a flag puts a file of the user before everything else.
bool allowsHeads(const CodeletOptions &options) {
  const Words flags = splitFlags(options.flags);
  return std::none_of(flags.begin(), flags.end(), [](const std::string &flag) {
    return flag.rfind("-include", 0) == 0 || flag == "-imacros" || flag.rfind("-fmodules", 0) == 0;
  });
}

std::string keyOfHead(const CompileTools &tools, const std::string &kind, const Words &command) {
  ContentHash hash;
  std::error_code none;
  hash.add(kind).add(kInstantiateInHeader).add(tools.version).add(fs::current_path(none).string());
  for (const std::string &word : command)
    hash.add(word);
  return hash.hex();
}

} // namespace

UnitHeads prepareHeads(const CompileTools &tools, const Words &known, const CodeletSource &source,
                       const CodeletOptions &options, bool often, bool parses, Threads threads) {
  if (source.isC)
    return {};
  CodeletSource any = source;
  any.folder = ""; // has no effect on the text before the source
  const Words language = languageArguments(any, options, tools.toolchain);
  const bool allowed = allowsHeads(options);
  const PrecompiledHeaders headers(tools.cache);
  const bool make = allowed && (headers.usedBefore(keyOfHead(tools, "used", language)) || often);
  UnitHeads heads;
  const auto prepare = [&](PrecompiledHeader &head, const char *kind, const Words &command, const std::string &text,
                           const Precompile &precompile) {
    // A command without heads gets a unique key.
    head = headers.find(keyOfHead(tools, allowed ? kind : "none", command), text, make, precompile);
  };
  const auto compiler = [&known](const Words &command) {
    return [&command, &known](const std::string &header, const std::string &output) {
      return precompileWith(command, known, header, output);
    };
  };
  const Words host = hostCommand(language, tools.toolchain),
              standIn = standInCommand(tools.toolchain, standInArguments(any, options, tools.toolchain), tools.cache);
  const std::function<void()> all[] = {
      [&] {
        if (parses)
          prepare(heads.parser, "parser", language, vertexHeaderText(),
                  [&](const std::string &header, const std::string &output) {
                    return precompileForParser(header, language, known, output);
                  });
      },
      [&] { prepare(heads.host, "host", host, unitHead(), compiler(host)); },
      [&] { prepare(heads.standIn, "stand-in", standIn, unitHead(), compiler(standIn)); },
  };
  parallelFor(threads, whyNoStandIn().empty() ? 3 : 2, [&](std::size_t i) { all[i](); });
  return heads;
}

class SourceCompilation::Impl : public Compilation {
public:
  using Compilation::Compilation;
};

SourceCompilation::SourceCompilation(const CompileTools &tools, const CodeletSource &source,
                                     const CodeletOptions &options, const UnitHeads &heads, const WorkFolder &work,
                                     const EarlierUnits &earlier)
    : impl_(std::make_unique<Impl>(tools, source, options, heads, work, earlier)) {}
SourceCompilation::~SourceCompilation() = default;

void SourceCompilation::parse() { impl_->begin(); }
std::vector<WaitingUnit *> SourceCompilation::waiting() { return impl_->waiting(); }
CompiledUnits SourceCompilation::finish(Threads threads) { return impl_->finish(threads); }

std::string preprocessedUnits(const CompileTools &tools, const CodeletSource &source, const CodeletOptions &options,
                              const WorkFolder &work) {
  const Words language = languageArguments(source, options, tools.toolchain);
  Words rest = {"-E"};
  if (!source.isC)
    append(rest, {"-include", tools.cache.keep(unitHead(), ".hpp")});
  rest.push_back(writeText(source, work, "source"));
  std::string text;
  for (Words command :
       {hostCommand(language, tools.toolchain),
        standInCommand(tools.toolchain, standInArguments(source, options, tools.toolchain), tools.cache)}) {
    append(command, rest);
    const ProcessResult result = runProcess(command);
    if (result.exitCode != 0)
      return "";
    text += result.output;
  }
  return text;
}

std::vector<std::string> whyNoVertices(const CodeletSource &source, const CodeletOptions &options) {
  const CompileTools tools = findCompileTools();
  return findNearMisses(source, languageArguments(source, options, tools.toolchain));
}

namespace {

/// Returns whether a compute() may be hidden. This is possible if the text calls or declares a function with a similar
/// name, or if the last access specifier before compute( is private, protected or the default of a class.
bool mayHideCompute(const std::string &text) {
  for (std::size_t open = text.find('('); open != std::string::npos; open = text.find('(', open + 1)) {
    const std::size_t end = text.find_last_not_of(" \t\n", open == 0 ? 0 : open - 1) + 1;
    std::size_t begin = end;
    while (begin > 0 && isWordChar(text[begin - 1]))
      --begin;
    const std::string name = text.substr(begin, end - begin);
    if (name != "compute" && name.size() < 12 && !nearest("compute", {name}).empty())
      return true;
  }
  for (std::size_t at = text.find("compute("); at != std::string::npos; at = text.find("compute(", at + 1)) {
    const auto last = [&](const char *word) {
      const std::size_t found = text.rfind(word, at);
      return found == std::string::npos ? 0 : found + 1;
    };
    const std::size_t open = std::max(last("public:"), last("struct "));
    if (std::max({last("private:"), last("protected:"), last("class ")}) > open)
      return true;
  }
  return false;
}

} // namespace

std::vector<std::string> hiddenComputes(const CodeletSource &source, const CodeletOptions &options) {
  if (!mayHideCompute(source.text))
    return {};
  const CompileTools tools = findCompileTools();
  return findHiddenComputes(source, languageArguments(source, options, tools.toolchain));
}

ViewedCodelets viewOfCodelets(const CodeletSource &source, const CodeletOptions &options, CodeletView view) {
  const CompileTools tools = findCompileTools();
  const bool compiles = view != CodeletView::Preprocessed;
  const UnitHeads heads =
      compiles ? prepareHeads(tools, knownFolders(tools), source, options, false, true, {}) : UnitHeads();
  for (SourceForHost forHost{source};;) { // as in compileLibrary
    const WorkFolder work(tools.cache.folder());
    try {
      Compilation compilation(tools, forHost.source, options, heads, work);
      return {compiles ? compilation.view(view) : compilation.preprocessed(), forHost.warnings};
    } catch (const poplar::graph_program_compilation_error &error) {
      if (!forHost.takeTileOnlyOut(error.what(), options, tools.toolchain))
        throw;
    }
  }
}

} // namespace popscope
