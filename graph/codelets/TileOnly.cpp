#include "graph/codelets/TileOnly.hpp"

#include "base/ReadNumber.hpp"
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/ParsedUnit.hpp"

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
    if (line.find(": error: ") != std::string::npos && isOfTheTile(line))
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

/// Returns the errors of a message about code for a tile. Returns no value if an error is fatal or has another cause
/// than code for a tile, or if there is no error.
std::optional<std::vector<CompilerError>> errorsOfTheTile(const std::string &message) {
  std::vector<CompilerError> errors;
  std::istringstream in(message);
  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.find(": error: ");
    if (line.find(": fatal error: ") != std::string::npos)
      return std::nullopt;
    if (at == std::string::npos)
      continue;
    std::string_view place = std::string_view(line).substr(0, at);
    const auto column = takeNumberAtEnd(place), row = takeNumberAtEnd(place);
    if (!isOfTheTile(line) || !column || !row)
      return std::nullopt;
    errors.push_back({std::string(place), *row, *column, line});
  }
  return errors.empty() ? std::nullopt : std::optional(errors);
}

struct Place {
  unsigned line = 0, column = 0, offset = 0;
};

struct Body {
  std::string function;
  std::string header; // the absolute, normal path of the header that contains the body; "" = the source
  Place begin, end;   // the braces: `end` is after the second brace
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

/// The bodies of the functions that the source and the user's headers define.
class BodyFinder {
public:
  BodyFinder(const CodeletSource &source, const std::vector<std::string> &language)
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

  /// Returns the innermost body around the place of the error.
  [[nodiscard]] const Body *around(const CompilerError &error) const {
    const std::string header = headerOf(error.file);
    const std::pair place(error.line, error.column);
    const Body *found = nullptr;
    for (const Body &body : bodies_) {
      const bool begins = std::pair(body.begin.line, body.begin.column) <= place,
                 ends = place < std::pair(body.end.line, body.end.column);
      if (body.header == header && begins && ends && (found == nullptr || found->begin.offset < body.begin.offset))
        found = &body;
    }
    return found;
  }

private:
  /// Adds options without which the parser guesses a name or a type, and then reports errors that follow from the
  /// guess.
  static std::vector<std::string> withoutGuesses(std::vector<std::string> language) {
    language.insert(language.end(), {"-fno-spell-checking", "-Xclang", "-fno-recovery-ast-type", "-ferror-limit=0"});
    return language;
  }
  void visit(CXCursor cursor) {
    libclang().visitChildren(
        cursor,
        [](CXCursor child, CXCursor parent, CXClientData data) {
          auto &self = *static_cast<BodyFinder *>(data);
          const CXCursorKind kind = libclang().getCursorKind(child);
          if (libclang().Location_isInSystemHeader(libclang().getCursorLocation(child)) != 0)
            return CXChildVisit_Continue;
          if (kind == CXCursor_CompoundStmt && isFunction(libclang().getCursorKind(parent)))
            self.add(child, parent);
          return CXChildVisit_Recurse;
        },
        this);
  }
  void add(CXCursor body, CXCursor function) {
    const CXSourceRange extent = libclang().getCursorExtent(body);
    CXFile file = nullptr;
    libclang().getFileLocation(libclang().getRangeStart(extent), &file, nullptr, nullptr, nullptr);
    bodies_.push_back({takeText(libclang().getCursorSpelling(function)),
                       headerOf(takeText(libclang().getFileName(file))), placeOf(libclang().getRangeStart(extent)),
                       placeOf(libclang().getRangeEnd(extent))});
  }
  /// Returns Body::header for a file as the compiler names it.
  [[nodiscard]] std::string headerOf(const std::string &file) const {
    return file == source_.file ? "" : std::filesystem::absolute(file).lexically_normal().string();
  }

  const CodeletSource &source_;
  ParsedUnit parsed_;
  std::vector<Body> bodies_;
};

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

} // namespace

bool SourceForHost::takeTileOnlyOut(const std::string &message, const CodeletOptions &options,
                                    const CodeletToolchain &toolchain) {
  constexpr unsigned kMaxAttempts = 16;
  if (attempts == kMaxAttempts || source.isC || !namesTheTile(message))
    return false;
  const BodyFinder finder(source, languageArguments(source, options, toolchain));
  // If the source itself has no error, the message is about an instance of a template, or about assembly.
  const std::string own = finder.errors();
  const auto errors = errorsOfTheTile(own.empty() ? message : own);
  if (!errors)
    return false;
  CodeletSource changed = source;
  changed.isForHost = true;
  std::map<std::pair<std::string, unsigned>, std::pair<const Body *, const CompilerError *>>
      taken; // by header and offset of the body: the first error of each body
  for (const CompilerError &error : *errors) {
    const Body *body = finder.around(error);
    if (body == nullptr)
      return false;
    taken.emplace(std::pair(body->header, body->begin.offset), std::pair(body, &error));
    if (!body->header.empty() && changed.headers.count(body->header) == 0)
      changed.headers[body->header] = readFile(body->header).value_or("");
  }
  for (auto at = taken.rbegin(); at != taken.rend(); ++at) { // backwards, so that earlier offsets stay valid
    const auto &[body, error] = at->second;
    std::string &text = body->header.empty() ? changed.text : changed.headers[body->header];
    if (body->end.offset > text.size())
      return false;
    const std::size_t begin = body->begin.offset, length = body->end.offset - begin;
    const std::string old = text.substr(begin, length);
    text.replace(begin, length,
                 "{ POPSCOPE_TILE_ONLY(" + quoted(error->text) + ") }" +
                     std::string(static_cast<std::size_t>(std::count(old.begin(), old.end(), '\n')), '\n'));
  }
  for (const auto &[place, one] : taken) {
    std::string text = one.second->text;
    text.replace(text.find(": error: "), 9, ": warning: only a tile can run this: ");
    warnings += fmt::format("{}; a vertex that calls '{}' ends the run\n", text, one.first->function);
  }
  source = std::move(changed);
  ++attempts;
  return true;
}

} // namespace popscope
