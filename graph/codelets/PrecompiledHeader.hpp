// PrecompiledHeader: compiles the common beginning of many texts once for each set of flags, and keeps the result in
// the cache. The precompiled header only saves time: if a source does not compile with the precompiled header, Popscope
// compiles the source with the text of the header.
//
//   <cache>/precompiled/<hash>.hpp   the text
//   <cache>/precompiled/<key>.pch    the compiled text; an empty file means that the text must not be precompiled
//   <cache>/precompiled/<key>.json   the entry of the .pch file (CompileCache.hpp)
//   <cache>/precompiled/<key>.used   an empty file, which the first call of usedBefore(<key>) creates
#pragma once
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/Process.hpp"

#include <functional>
#include <string>
#include <vector>

namespace popscope {

struct PrecompiledHeader {
  std::string text; // path of the file with the header's text
  std::string made; // path of the precompiled file; "" if there is no such file
};

enum class Precompiled : std::uint8_t { Yes, Failed, Never };
/// A function that compiles `header` to `output`. Returns Never if `header` includes a header of the user, because the
/// next compilation must see changes of the user's headers.
using Precompile = std::function<Precompiled(const std::string &header, const std::string &output)>;

class PrecompiledHeaders {
public:
  explicit PrecompiledHeaders(const CompileCache &cache) : cache_(cache.folder() + "/precompiled") {}

  /// Returns whether this function was called before for `key`, by any process that uses the same cache. Records this
  /// call.
  [[nodiscard]] bool usedBefore(const std::string &key) const;
  /// Returns the header. Two calls may have the same `key` only if `precompile` gives the same result for both. If
  /// `make` is true, creates a missing header.
  [[nodiscard]] PrecompiledHeader find(const std::string &key, const std::string &text, bool make,
                                       const Precompile &precompile) const;

private:
  CompileCache cache_;
};

/// Removes the precompiled file of `header`. Call this function if the file is out of date, for example because a file
/// that the header includes has changed. A later request creates the precompiled file again.
void dropPrecompiled(const PrecompiledHeader &header);

/// The flag that instantiates the header's templates in the precompiled file. Without this flag, each unit instantiates
/// the templates again, which takes half of the compile time of a small unit.
constexpr const char *kInstantiateInHeader = "-fpch-instantiate-templates";

/// Makes the precompiled header for units that `command` compiles. `command` begins with the compiler. Returns Never if
/// the header includes a file outside of the folders `known` (a result of normalFolders).
Precompiled precompileWith(const std::vector<std::string> &command, const std::vector<std::string> &known,
                           const std::string &header, const std::string &output);

/// Runs `command` followed by `rest`. The compiler includes the precompiled header before the source. If the
/// precompiled header is missing or does not work, the compiler includes the text of the header instead.
ProcessResult runBehind(const PrecompiledHeader &header, const std::vector<std::string> &command,
                        const std::vector<std::string> &rest);

/// Returns the paths after the target of a make rule "target: a b \<newline> c". The paths are absolute, sorted and
/// without repetitions. In the rule, a backslash precedes each blank inside a path. The returned paths do not contain
/// these backslashes.
std::vector<std::string> parseDependencies(const std::string &rule);

} // namespace popscope
