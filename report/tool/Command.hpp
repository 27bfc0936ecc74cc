// The sub-commands of popscope: one row each.
#pragma once
#include <functional>
#include <vector>

namespace CLI {
class App;
}
namespace popscope {

/// What a parsed sub-command does; its result is the exit code.
using CommandAction = std::function<int()>;
struct CommandRow {
  const char *name, *help;
  CommandAction (*make)(CLI::App &app); // adds the command's options and returns what runs it
};
[[nodiscard]] const std::vector<CommandRow> &commands();

} // namespace popscope
