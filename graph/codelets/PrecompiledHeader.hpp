// PrecompiledHeader: compiles the common beginning of many texts once for each set of flags, and keeps the result in
// the cache. It only saves time: a text that does not compile after the header is compiled after the header's text.
//
//   <cache>/precompiled/<hash>.hpp   the text
//   <cache>/precompiled/<key>.json   its entry (CompileCache.hpp)
//   <cache>/precompiled/<key>.pch    the text, compiled; empty = not to be precompiled
//   <cache>/precompiled/<key>.used   these flags were used once
#pragma once
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/Process.hpp"

#include <functional>
#include <string>
#include <vector>

namespace popscope {

struct PrecompiledHeader {
  std::string text; // path of the file that it was made from
  std::string made; // path; "" = there is none
};

enum class Precompiled : std::uint8_t { Yes, Failed, Never };
/// Compiles `header` to `output`. The result says Never if the header would contain headers of the user, whose changes
/// must have an effect.
using Precompile = std::function<Precompiled(const std::string &header, const std::string &output)>;

class PrecompiledHeaders {
public:
  explicit PrecompiledHeaders(const CompileCache &cache) : cache_(cache.folder() + "/precompiled") {}

  /// Returns whether any process requested `key` before.
  [[nodiscard]] bool usedBefore(const std::string &key) const;
  /// Returns the header. `key` covers everything that `precompile` makes of `text`. Creates a missing header if `make`.
  [[nodiscard]] PrecompiledHeader find(const std::string &key, const std::string &text, bool make,
                                       const Precompile &precompile) const;
  [[nodiscard]] const std::string &folder() const { return cache_.folder(); }

private:
  CompileCache cache_;
};

/// Removes a header that is out of date, because one of its files has changed. The next request makes it again.
void dropPrecompiled(const PrecompiledHeader &header);

/// Templates that the header uses are instantiated in it; otherwise each unit would instantiate them again, which takes
/// half the time of a small unit.
constexpr const char *kInstantiateInHeader = "-fpch-instantiate-templates";

/// Makes the precompiled header for units that are compiled by `command`, which begins with the compiler. Makes none if
/// the header includes a file outside of the folders `known` (normalFolders).
Precompiled precompileWith(const std::vector<std::string> &command, const std::vector<std::string> &known,
                           const std::string &header, const std::string &output);

/// Runs `command` and `rest` with the header in front, or without the header if it has no text.
ProcessResult runBehind(const PrecompiledHeader &header, const std::vector<std::string> &command,
                        const std::vector<std::string> &rest);

/// Returns the paths of a make rule "target: a b \<newline> c", absolute, sorted, each once; blanks in names are
/// escaped.
std::vector<std::string> parseDependencies(const std::string &rule);

} // namespace popscope
