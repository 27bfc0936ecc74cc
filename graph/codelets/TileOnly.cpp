#include "graph/codelets/TileOnly.hpp"

#include "base/ReadNumber.hpp"
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/HeaderHints.hpp"
#include "graph/codelets/ParsedUnit.hpp"
#include "graph/codelets/Words.hpp"
#include "graph/codelets/standin/CompileStandIn.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <sstream>

namespace popscope {
namespace {

struct CompilerError {
  std::string file;
  unsigned line = 0, column = 0;
  std::string text; // "FILE:LINE:COLUMN: error: ..."
};

constexpr std::string_view kError = ": error: ", kFatalError = ": fatal error: ";

/// The file that the compiler names in an error about assembly outside of functions.
constexpr const char *kInlineAssembly = "<inline asm>";

bool isFailedAssertion(const std::string &message) {
  return message.find("static_assert failed") != std::string::npos ||
         message.find("static assertion failed") != std::string::npos; // since clang 16
}

/// Returns whether the error means that the code is for a tile, rather than that the code is wrong.
bool isOfTheTile(const std::string &message) {
  // Messages of the host's assembler and of clang's constraint parser about assembly of another machine.
  static constexpr std::array<const char *, 14> kAssembly = {"invalid instruction mnemonic",
                                                             "unrecognized instruction mnemonic",
                                                             "invalid operand for instruction",
                                                             "unexpected token in argument list",
                                                             "unknown token in expression",
                                                             "unknown use of instruction mnemonic",
                                                             "too few operands for instruction",
                                                             "invalid register name",
                                                             "register expected",
                                                             "unknown register name",
                                                             "in asm",
                                                             "in inline asm",
                                                             "invalid operand in inline asm",
                                                             "couldn't allocate"};
  static constexpr std::array<const char *, 5> kNames = {"'__builtin_ipu_", "'__builtin_colossus_", "'CSR_", "'TEXCH_",
                                                         "'TMEM_"};
  const auto has = [&](const char *part) { return message.find(part) != std::string::npos; };
  if (message.rfind(kInlineAssembly, 0) == 0)
    return true;
  if (std::any_of(kAssembly.begin(), kAssembly.end(), has))
    return true;
  if (std::any_of(kNames.begin(), kNames.end(), has))
    return has("undeclared identifier") || has("no matching function") || has("unknown type name");
  return has("cast from pointer to smaller type");
}

/// Returns whether a line of the message is an error about code for a tile.
bool namesTheTile(const std::string &message) {
  std::istringstream in(message);
  for (std::string line; std::getline(in, line);)
    if (line.find(kError) != std::string::npos && (isOfTheTile(line) || isFailedAssertion(line)))
      return true;
  return false;
}

/// Removes the number at the end of `text` and the colon before it. Returns no value if there is no such number.
std::optional<unsigned> takeNumberAtEnd(std::string_view &text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos)
    return std::nullopt;
  std::string_view digits = text.substr(colon + 1);
  const auto number = takeWhole(digits);
  if (!number || !digits.empty())
    return std::nullopt;
  text = text.substr(0, colon);
  return static_cast<unsigned>(*number);
}

/// The assertions (static_assert) of a source as the stand-in sees them. Pointers of the stand-in have 32 bits, like a
/// tile's pointers.
class TileAssertions {
public:
  TileAssertions(const CodeletSource &source, const CodeletOptions &options, const CodeletToolchain &toolchain)
      : source_(source), options_(options), toolchain_(toolchain) {}

  /// Returns whether the assertion that fails at this place for the host holds for the stand-in.
  [[nodiscard]] bool hold(const std::string &place) {
    if (!failed_)
      failed_ = failedOnes();
    return !failed_->unknown &&
           std::find(failed_->places.begin(), failed_->places.end(), place) == failed_->places.end();
  }

private:
  struct Failed {
    bool unknown = false; // the stand-in cannot be parsed
    std::vector<std::string> places;
  };
  /// Parses for the stand-in with the host's kind of half, so that only the pointers differ.
  [[nodiscard]] Failed failedOnes() const {
    std::vector<std::string> command =
        standInCommand(toolchain_, languageArguments(source_, options_, toolchain_), CompileCache(toolchain_.cacheDir));
    command.erase(command.begin()); // the compiler
    command.insert(command.end(), {"-fno-spell-checking", "-ferror-limit=0"});
    const ParsedUnit parsed(source_, command, CXTranslationUnit_KeepGoing);
    Failed failed{parsed.code != CXError_Success, {}};
    if (failed.unknown)
      return failed;
    for (const std::string &error : parserErrors(parsed.unit)) {
      failed.unknown = failed.unknown || error.find(kFatalError) != std::string::npos;
      if (isFailedAssertion(error))
        failed.places.push_back(error.substr(0, error.find(kError)));
    }
    return failed;
  }

  const CodeletSource &source_;
  const CodeletOptions &options_;
  const CodeletToolchain &toolchain_;
  std::optional<Failed> failed_;
};

/// Returns the errors of a message if all of them are about code for a tile. Returns no value if an error is fatal or
/// has another cause, or if there is no error.
std::optional<std::vector<CompilerError>> errorsOfTheTile(const std::string &message, TileAssertions &assertions) {
  std::vector<CompilerError> errors;
  std::istringstream in(message);
  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.find(kError);
    if (line.find(kFatalError) != std::string::npos)
      return std::nullopt;
    if (at == std::string::npos)
      continue;
    std::string_view place = std::string_view(line).substr(0, at);
    const bool isOne = isFailedAssertion(line) ? assertions.hold(std::string(place)) : isOfTheTile(line);
    const auto column = takeNumberAtEnd(place), row = takeNumberAtEnd(place);
    if (!isOne || !column || !row)
      return std::nullopt;
    errors.push_back({std::string(place), *row, *column, line});
  }
  return errors.empty() ? std::nullopt : std::optional(errors);
}

struct Place {
  unsigned line = 0, column = 0, offset = 0;
};

/// A part of the source that Popscope can leave out.
struct Part {
  enum class Kind { Body, Assertion, Assembly }; // body of a function; static_assert and assembly outside of bodies
  Kind kind = Kind::Body;
  std::string function; // the function whose body this is
  std::string header;   // the absolute, normal path of the header that contains the part; "" = the source
  Place begin, end;     // the braces of a body: `end` is after the second brace
};

Place placeOf(CXSourceLocation location) {
  Place place;
  CXFile file = nullptr;
  libclang().getFileLocation(location, &file, &place.line, &place.column, &place.offset);
  return place;
}

bool isFunction(CXCursorKind kind) {
  return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
         kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction || kind == CXCursor_FunctionTemplate;
}

/// The parts of the source and of the user's headers that Popscope can leave out.
class PartFinder {
public:
  PartFinder(const CodeletSource &source, const std::vector<std::string> &language)
      : source_(source), parsed_(source, withoutGuesses(language), CXTranslationUnit_KeepGoing) {
    if (parsed_.code == CXError_Success)
      visit(libclang().getTranslationUnitCursor(parsed_.unit));
  }

  /// Returns the errors in the form of the compiler's output.
  [[nodiscard]] std::string errors() const {
    std::string text;
    if (parsed_.code != CXError_Success)
      return text;
    for (const std::string &error : parserErrors(parsed_.unit))
      text += error + "\n";
    return text;
  }

  /// Returns the part that the error is about: the innermost body around its place, or else the assertion there. The
  /// compiler does not report the place of an error about assembly outside of functions. For such an error, returns all
  /// assembly outside of functions.
  [[nodiscard]] std::vector<const Part *> of(const CompilerError &error) const {
    std::vector<const Part *> found;
    if (error.file == kInlineAssembly) {
      for (const Part &part : parts_)
        if (part.kind == Part::Kind::Assembly)
          found.push_back(&part);
      return found;
    }
    const std::string header = headerOf(error.file);
    const std::pair place(error.line, error.column);
    const Part *innermost = nullptr;
    for (const Part &part : parts_) {
      const bool begins = std::pair(part.begin.line, part.begin.column) <= place,
                 ends = place < std::pair(part.end.line, part.end.column);
      if (part.header == header && begins && ends && part.kind != Part::Kind::Assembly &&
          (innermost == nullptr || innermost->begin.offset < part.begin.offset))
        innermost = &part;
    }
    if (innermost != nullptr)
      found.push_back(innermost);
    return found;
  }

private:
  /// Adds options that stop the parser from guessing names and types. After a guess, the parser would report errors
  /// that follow from the guess.
  static std::vector<std::string> withoutGuesses(std::vector<std::string> language) {
    language.insert(language.end(), {"-fno-spell-checking", "-Xclang", "-fno-recovery-ast-type", "-ferror-limit=0"});
    return language;
  }
  void visit(CXCursor cursor) {
    libclang().visitChildren(
        cursor,
        [](CXCursor child, CXCursor parent, CXClientData data) {
          auto &self = *static_cast<PartFinder *>(data);
          const CXCursorKind kind = libclang().getCursorKind(child), outer = libclang().getCursorKind(parent);
          if (libclang().Location_isInSystemHeader(libclang().getCursorLocation(child)) != 0)
            return CXChildVisit_Continue;
          if (kind == CXCursor_CompoundStmt && isFunction(outer))
            self.add(Part::Kind::Body, child, takeText(libclang().getCursorSpelling(parent)));
          if (outer == CXCursor_DeclStmt || outer == CXCursor_CompoundStmt)
            return CXChildVisit_Recurse; // inside of a body
          if (kind == CXCursor_StaticAssert)
            self.add(Part::Kind::Assertion, child);
          if (kind == CXCursor_UnexposedDecl)
            self.add(Part::Kind::Assembly, child);
          return CXChildVisit_Recurse;
        },
        this);
  }
  /// Adds the part at the cursor. Adds no declaration whose text begins with another word than static_assert or asm:
  /// such a declaration is of another kind, or comes from a macro.
  void add(Part::Kind kind, CXCursor cursor, const std::string &function = "") {
    const CXSourceRange extent = libclang().getCursorExtent(cursor);
    CXFile file = nullptr;
    libclang().getFileLocation(libclang().getRangeStart(extent), &file, nullptr, nullptr, nullptr);
    const Part part{kind, function, headerOf(takeText(libclang().getFileName(file))),
                    placeOf(libclang().getRangeStart(extent)), placeOf(libclang().getRangeEnd(extent))};
    if (kind == Part::Kind::Body || beginsWithItsWord(part))
      parts_.push_back(part);
  }
  [[nodiscard]] bool beginsWithItsWord(const Part &part) const {
    static constexpr std::array<std::string_view, 2> kAssertion = {"static_assert", "_Static_assert"};
    static constexpr std::array<std::string_view, 3> kAssembly = {"asm", "__asm", "__asm__"};
    std::string word = textOf(part.header).erase(0, part.begin.offset);
    word.erase(std::find_if_not(word.begin(), word.end(), isWordChar), word.end());
    return part.kind == Part::Kind::Assertion
               ? std::find(kAssertion.begin(), kAssertion.end(), word) != kAssertion.end()
               : std::find(kAssembly.begin(), kAssembly.end(), word) != kAssembly.end();
  }
  /// Returns Part::header for a file as the compiler names it.
  [[nodiscard]] std::string headerOf(const std::string &file) const {
    return file == source_.file ? "" : std::filesystem::absolute(file).lexically_normal().string();
  }
  [[nodiscard]] std::string textOf(const std::string &header) const {
    const auto replaced = source_.headers.find(header);
    return header.empty()                      ? source_.text
           : replaced != source_.headers.end() ? replaced->second
                                               : readFile(header).value_or("");
  }

  const CodeletSource &source_;
  ParsedUnit parsed_;
  std::vector<Part> parts_;
};

/// Returns the text that stands in the place of the part `old`. Keeps the number of lines.
std::string replacement(const Part &part, const CompilerError &error, const std::string &old) {
  const std::string lines(static_cast<std::size_t>(std::count(old.begin(), old.end(), '\n')), '\n');
  return part.kind == Part::Kind::Body ? "{ POPSCOPE_TILE_ONLY(" + literalOf(error.text) + ") }" + lines : lines;
}

std::string warningAbout(const Part &part, const CompilerError &error, const std::string &file) {
  const std::size_t at = error.text.find(kError);
  const std::string place =
      part.kind == Part::Kind::Assembly
          ? fmt::format("{}:{}:{}", part.header.empty() ? file : part.header, part.begin.line, part.begin.column)
          : error.text.substr(0, at);
  const std::string text = place + ": warning: only a tile can run this: " + error.text.substr(at + kError.size());
  switch (part.kind) {
  case Part::Kind::Assertion: return text + "; the assertion holds for 32-bit pointers and is left out\n";
  case Part::Kind::Assembly: return text + "; the assembly is left out\n";
  case Part::Kind::Body: break;
  }
  return text + fmt::format("; a vertex that calls '{}' ends the run\n", part.function);
}

} // namespace

bool SourceForHost::takeTileOnlyOut(const std::string &message, const CodeletOptions &options,
                                    const CodeletToolchain &toolchain) {
  constexpr unsigned kMaxAttempts = 16;
  if (attempts == kMaxAttempts || source.isC || !namesTheTile(message))
    return false;
  const PartFinder finder(source, languageArguments(source, options, toolchain));
  TileAssertions assertions(source, options, toolchain);
  // If the source itself has no error, the message is about an instance of a template, or about assembly.
  const std::string own = finder.errors();
  auto errors = errorsOfTheTile(own.empty() ? message : own, assertions);
  if (!errors)
    return false;
  CodeletSource changed = source;
  changed.isForHost = true;
  std::map<std::pair<std::string, unsigned>, std::pair<const Part *, const CompilerError *>>
      taken; // by header and offset of the part: the first error of each part
  for (CompilerError &error : *errors) {
    if (const std::string hint = headerHint(error.text, toolchain.includeDirs); !hint.empty())
      error.text += "; " + hint;
    const std::vector<const Part *> parts = finder.of(error);
    if (parts.empty())
      return false;
    for (const Part *part : parts) {
      taken.emplace(std::pair(part->header, part->begin.offset), std::pair(part, &error));
      if (!part->header.empty() && changed.headers.count(part->header) == 0)
        changed.headers[part->header] = readFile(part->header).value_or("");
    }
  }
  for (auto at = taken.rbegin(); at != taken.rend(); ++at) { // backwards, so that earlier offsets stay valid
    const auto &[part, error] = at->second;
    std::string &text = part->header.empty() ? changed.text : changed.headers[part->header];
    if (part->end.offset > text.size())
      return false;
    const std::size_t begin = part->begin.offset, length = part->end.offset - begin;
    text.replace(begin, length, replacement(*part, *error, text.substr(begin, length)));
  }
  for (const auto &[place, one] : taken)
    warnings += warningAbout(*one.first, *one.second, source.file);
  source = std::move(changed);
  ++attempts;
  return true;
}

} // namespace popscope
