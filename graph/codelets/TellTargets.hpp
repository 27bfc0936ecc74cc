// TellTargets: decides whether the meaning of a source can depend on the target for which it is compiled. The
// compiler's arguments for two targets differ only in the macro __IPU_ARCH_VERSION__. The headers of Poplar use this
// macro, too. With POPSCOPE_DEVICE_PATHS=1, the arguments for IPU targets also define __IPU__, which TellTargets does
// not consider. A file may have a different meaning for each target if the file contains __IPU_ARCH_VERSION__, a name
// that depends on this macro, or words from which ## could form such a name. Any other file has the same meaning for
// all targets. The same method decides whether the meaning can depend on the number of bytes of a half.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

/// The compiler argument by which targets differ, without the number at the end of the argument. Neither Popscope nor
/// Poplar passes this argument for the target "cpu".
constexpr std::string_view kTargetArgument = "-D__IPU_ARCH_VERSION__=";

/// Returns the folders in the form that liesIn takes: each folder as given and, in addition, with symbolic links
/// resolved.
std::vector<std::string> normalFolders(const std::vector<std::string> &folders);
/// Returns whether the path (absolute, normal) lies in one of `folders` (normalFolders). Compares names only.
bool liesIn(const std::string &path, const std::vector<std::string> &folders);

/// Returns whether liesIn(path, folders) is true for each path of `paths`.
bool lieIn(const std::vector<std::string> &paths, const std::vector<std::string> &folders);

/// Returns whether preprocessing may give different results for different targets. `files` are all files that `text`
/// includes for one target. `known` lists folders (normalFolders). The caller guarantees that files in these folders
/// use the macro of kTargetArgument only in directives. If a file in these folders contains the macro, all names that
/// the file defines count as dependent on the target. Returns true if a file cannot be read. Also returns true if
/// `text`, `flags` or a file outside of these folders may use the macro or a name that depends on the target.
bool mayTellTargets(const std::string &text, const std::string &flags, const std::vector<std::string> &files,
                    const std::vector<std::string> &known);

/// Returns whether the number of bytes of a half may change the meaning of the source. Returns true if `text`, `flags`
/// or a file outside of `known` contains a word that may name a half, or ## (or its alternative spelling %:%:). Also
/// returns true if a file outside of `known` cannot be read.
bool mayTellHalves(const std::string &text, const std::string &flags, const std::vector<std::string> &files,
                   const std::vector<std::string> &known);

} // namespace popscope
