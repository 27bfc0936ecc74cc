#include "graph/codelets/TileOnly.hpp"

#include "base/ReadNumber.hpp"
#include "graph/codelets/Libclang.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <sstream>

namespace popscope {
namespace {

struct CompilerError {
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

/// Returns the errors of a message about code for a tile. Returns nothing if an error is fatal, of another kind or in
/// another file.
std::optional<std::vector<CompilerError>> errorsOfTheTile(const std::string &file, const std::string &message) {
  std::vector<CompilerError> errors;
  std::istringstream in(message);
  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.find(": error: ");
    if (line.find(": fatal error: ") != std::string::npos)
      return std::nullopt;
    if (at == std::string::npos)
      continue;
    CompilerError error;
    error.text = line;
    std::string_view place = std::string_view(line).substr(0, at);
    if (place.substr(0, file.size() + 1) != file + ":" || !isOfTheTile(line))
      return std::nullopt;
    place.remove_prefix(file.size() + 1);
    const auto row = takeWhole(place);
    if (!row || place.empty() || place[0] != ':')
      return std::nullopt;
    place.remove_prefix(1);
    const auto column = takeWhole(place);
    if (!column)
      return std::nullopt;
    error.line = static_cast<unsigned>(*row);
    error.column = static_cast<unsigned>(*column);
    errors.push_back(std::move(error));
  }
  return errors.empty() ? std::nullopt : std::optional(errors);
}

struct Place {
  unsigned line = 0, column = 0, offset = 0;
};

struct Body {
  std::string function;
  Place begin, end; // the braces: `end` is after the second brace
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

/// The bodies of functions that the file itself defines.
class BodyFinder {
public:
  BodyFinder(const CodeletSource &source, const std::vector<std::string> &language) {
    std::vector<const char *> arguments;
    for (const std::string &word : language)
      arguments.push_back(word.c_str());
    // Without these options, the parser guesses a name or a type, and then reports errors that follow from the guess.
    arguments.insert(arguments.end(), {"-fno-spell-checking", "-Xclang", "-fno-recovery-ast-type", "-ferror-limit=0"});
    CXUnsavedFile unsaved{source.file.c_str(), source.text.c_str(), source.text.size()};
    if (libclang().parseTranslationUnit2(index_, source.file.c_str(), arguments.data(),
                                         static_cast<int>(arguments.size()), &unsaved, 1, CXTranslationUnit_KeepGoing,
                                         &unit_) == CXError_Success)
      visit(libclang().getTranslationUnitCursor(unit_));
  }
  ~BodyFinder() {
    if (unit_ != nullptr)
      libclang().disposeTranslationUnit(unit_);
    libclang().disposeIndex(index_);
  }
  BodyFinder(const BodyFinder &) = delete;
  BodyFinder &operator=(const BodyFinder &) = delete;

  /// Returns the errors in the form of the compiler's output.
  [[nodiscard]] std::string errors() const {
    std::string text;
    if (unit_ == nullptr)
      return text;
    for (const std::string &error : parserErrors(unit_))
      text += error + "\n";
    return text;
  }

  /// Returns the innermost body around the place.
  [[nodiscard]] const Body *around(unsigned line, unsigned column) const {
    const Body *found = nullptr;
    for (const Body &body : bodies_) {
      const bool begins = std::pair(body.begin.line, body.begin.column) <= std::pair(line, column),
                 ends = std::pair(line, column) < std::pair(body.end.line, body.end.column);
      if (begins && ends && (found == nullptr || found->begin.offset < body.begin.offset))
        found = &body;
    }
    return found;
  }

private:
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
    if (file != mainFile())
      return;
    bodies_.push_back({takeText(libclang().getCursorSpelling(function)), placeOf(libclang().getRangeStart(extent)),
                       placeOf(libclang().getRangeEnd(extent))});
  }
  CXFile mainFile() {
    CXFile file = nullptr;
    const CXSourceRange all = libclang().getCursorExtent(libclang().getTranslationUnitCursor(unit_));
    libclang().getFileLocation(libclang().getRangeStart(all), &file, nullptr, nullptr, nullptr);
    return file;
  }

  CXIndex index_ = libclang().createIndex(0, 0);
  CXTranslationUnit unit_ = nullptr;
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

std::optional<TextForHost> withoutTileOnly(const CodeletSource &source, const std::string &message,
                                           const std::vector<std::string> &language) {
  if (source.isC || !namesTheTile(message))
    return std::nullopt;
  const BodyFinder finder(source, language);
  // If the source itself has no error, the message is about an instance of a template, or about assembly.
  const std::string own = finder.errors();
  const auto errors = errorsOfTheTile(source.file, own.empty() ? message : own);
  if (!errors)
    return std::nullopt;
  std::map<unsigned, std::pair<const Body *, const CompilerError *>> taken; // by offset of the body: the first error of
                                                                            // each body
  for (const CompilerError &error : *errors) {
    const Body *body = finder.around(error.line, error.column);
    if (body == nullptr || body->end.offset > source.text.size())
      return std::nullopt;
    taken.emplace(body->begin.offset, std::pair(body, &error));
  }
  TextForHost result{source.text, ""};
  for (auto at = taken.rbegin(); at != taken.rend(); ++at) { // backwards, so that earlier offsets stay valid
    const auto &[body, error] = at->second;
    const std::size_t begin = body->begin.offset, length = body->end.offset - begin;
    const std::string old = result.text.substr(begin, length);
    result.text.replace(begin, length,
                        "{ POPSCOPE_TILE_ONLY(" + quoted(error->text) + ") }" +
                            std::string(static_cast<std::size_t>(std::count(old.begin(), old.end(), '\n')), '\n'));
  }
  for (const auto &[offset, one] : taken) {
    std::string text = one.second->text;
    text.replace(text.find(": error: "), 9, ": warning: only a tile can run this: ");
    result.warnings += fmt::format("{}; a vertex that calls '{}' ends the run\n", text, one.first->function);
  }
  return result;
}

} // namespace popscope
