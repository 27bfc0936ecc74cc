// TellTargets: decides whether the meaning of a source can depend on the target for which it is compiled. Targets
// differ in one macro of the compiler's arguments, POPSCOPE_IPU_ARCH, from which headers of poplar define other macros.
// A file has the same meaning for all targets if it names none of these macros and has no words that ## could join to
// such a name. The same method decides whether the meaning can depend on the number of bytes of a half.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

/// The argument by which targets differ, without its number; the host has none.
constexpr std::string_view kTargetArgument = "-DPOPSCOPE_IPU_ARCH=";

/// Folders in the form that liesIn takes, also with links followed.
std::vector<std::string> normalFolders(const std::vector<std::string> &folders);
/// Returns whether the absolute, normal path lies in one of normalFolders, by name.
bool liesIn(const std::string &path, const std::vector<std::string> &folders);

/// Returns whether all `paths` lie in one of `folders`, as liesIn decides.
bool lieIn(const std::vector<std::string> &paths, const std::vector<std::string> &folders);

/// Returns false only if preprocessing `text` and `files`, all files read for one target, gives the same result for
/// every target. `known` lists normalFolders of headers in which every use of the macro is in a file with only
/// directives, whose definitions no other file uses.
bool mayTellTargets(const std::string &text, const std::string &flags, const std::vector<std::string> &files,
                    const std::vector<std::string> &known);

/// Returns false only if nothing in `text` and `files` names a half, so that the kind of half cannot change their
/// meaning.
bool mayTellHalves(const std::string &text, const std::string &flags, const std::vector<std::string> &files,
                   const std::vector<std::string> &known);

} // namespace popscope
