// The sub-commands of popscope: one row each.
#pragma once
#include <functional>
#include <iosfwd>
#include <vector>

namespace CLI {
class App;
}
namespace popscope {

/// What a parsed sub-command prints. Throws when it cannot.
using CommandAction = std::function<void(std::ostream &out)>;
struct CommandRow {
  const char *name, *help;
  CommandAction (*make)(CLI::App &app); // adds the command's options and returns what runs it
};
[[nodiscard]] const std::vector<CommandRow> &commands();

} // namespace popscope
