// Options and arguments that more than one tool or sub-command has.
#pragma once
#include "base/ReadNumber.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI
namespace popscope {

/// Adds an option that takes a whole number in the range. Any other value is a usage error, which names the range.
CLI::Option *addWhole(CLI::App &app, const std::string &names, std::optional<std::uint64_t> &value, NumberRange range,
                      const std::string &help);

/// Returns a check for an option. The check refuses every value that is not one of `values`.
[[nodiscard]] std::function<std::string(const std::string &)> oneOf(std::vector<std::string> values);

/// Returns the names of all templates as the type of an option: "default|light|...".
[[nodiscard]] std::string templateNames();
/// Returns the names of all formats of `popscope export` as the type of an option.
[[nodiscard]] std::string formatNames();

/// Adds --color[=WHEN] and --colour[=WHEN]. WHEN is "auto", "always" or "never". Without WHEN, `when` is "true", which
/// means the same as "always". Without the option, `when` is "auto".
CLI::Option *addColour(CLI::App &app, std::shared_ptr<std::string> when);

/// Adds the argument for the profile that a command reads. "-" is a usage error, because a database cannot be read from
/// a pipe.
std::shared_ptr<std::string> profileArgument(CLI::App &app, bool required = true);
/// Adds the argument for the folder that a command reads.
std::shared_ptr<std::string> folderArgument(CLI::App &app);

/// Returns the path of a profile's debug information. If `asked` is not empty, returns `asked` without a check. If
/// `asked` is empty, returns the path of the debug.cbor next to the profile, or "" if there is no such file. If the
/// debug.cbor is damaged or was not written with the profile, prints a line on stderr and returns "". If the profile
/// itself cannot be read, returns the path of the debug.cbor and prints nothing, because the code that opens the
/// profile reports this error.
[[nodiscard]] std::string debugFileOf(const std::string &profile, const std::string &asked = std::string());

} // namespace popscope
