// TellTargets: whether code can tell for which target it is compiled. Targets differ in one macro of the compile's
// arguments, POPSCOPE_IPU_ARCH. Headers of poplar define others by it; files that name none of them, and have no words
// that could be put together (##) to such a name, mean the same for all targets. In the same way, whether it can tell
// how many bytes a half has.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

/// The argument by which targets differ, but for its number; the host has none.
constexpr std::string_view kTargetArgument = "-DPOPSCOPE_IPU_ARCH=";

/// Folders in the form that liesIn takes, also with links followed.
std::vector<std::string> normalFolders(const std::vector<std::string> &folders);
/// Returns whether the absolute, normal path lies in one of normalFolders, by name.
bool liesIn(const std::string &path, const std::vector<std::string> &folders);

/// Returns whether all of them do.
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
