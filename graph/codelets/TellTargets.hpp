// TellTargets: decides whether the meaning of a source can depend on the target for which it is compiled. Targets
// differ in one macro of the compiler's arguments, POPSCOPE_IPU_ARCH, from which headers of poplar define other macros.
// A file has the same meaning for all targets if it contains none of these macros, and no words from which ## could
// form the name of one of these macros. The same method decides whether the meaning can depend on the number of bytes
// of a half.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

/// The argument by which targets differ, without its number. The host has no such argument.
constexpr std::string_view kTargetArgument = "-DPOPSCOPE_IPU_ARCH=";

/// Returns the folders in the form that liesIn takes: each as it is and, in addition, with symbolic links resolved.
std::vector<std::string> normalFolders(const std::vector<std::string> &folders);
/// Returns whether the path (absolute, normal) lies in one of `folders` (normalFolders). Compares names only.
bool liesIn(const std::string &path, const std::vector<std::string> &folders);

/// Returns whether liesIn(path, folders) is true for each path of `paths`.
bool lieIn(const std::vector<std::string> &paths, const std::vector<std::string> &folders);

/// Returns false only if preprocessing gives the same result for every target. `files` are all files that `text` reads
/// for one target. `known` lists folders (normalFolders). The caller guarantees that files in these folders use the
/// macro of kTargetArgument only in directives. Returns true if `text`, `flags` or a file outside of these folders may
/// use this macro, or a name that is defined by a file in these folders that contains the macro.
bool mayTellTargets(const std::string &text, const std::string &flags, const std::vector<std::string> &files,
                    const std::vector<std::string> &known);

/// Returns false only if nothing in `text` and `files` names a half, so that the number of bytes of a half cannot
/// change their meaning.
bool mayTellHalves(const std::string &text, const std::string &flags, const std::vector<std::string> &files,
                   const std::vector<std::string> &known);

} // namespace popscope
