#include "base/EditDistance.hpp"
#include "base/Version.hpp"
#include "report/tool/Command.hpp"
#include "report/tool/RunTool.hpp"

#include <CLI/CLI.hpp>
#include <optional>

namespace {

// CLI11 only says that some sub-command is required, not which word was none.
std::optional<std::string> unknownCommand(int argc, char **argv) {
  if (argc < 2 || argv[1][0] == '-')
    return std::nullopt;
  const std::string word = argv[1];
  std::vector<std::string> known;
  for (const auto &row : popscope::commands()) {
    if (word == row.name)
      return std::nullopt;
    known.emplace_back(row.name);
  }
  return "unknown sub-command \"" + word + "\"." + popscope::didYouMean(word, known) + " popscope --help lists all";
}

} // namespace

int main(int argc, char **argv) {
  if (const auto problem = unknownCommand(argc, argv))
    return popscope::usageError("popscope", *problem);
  CLI::App app{"Profiles of tile machines: further views than those of profile_summary.", "popscope"};
  app.set_version_flag("--version", popscope::kVersionText);
  app.require_subcommand(1);
  popscope::CommandAction chosen;
  std::string name = "popscope";
  for (const auto &row : popscope::commands()) {
    CLI::App *sub = app.add_subcommand(row.name, row.help);
    sub->callback([&chosen, &name, sub, action = row.make(*sub)] {
      chosen = action;
      name = "popscope " + sub->get_name();
    });
  }
  int exitCode = 0;
  return popscope::parseArguments(app, argc, argv, exitCode) ? popscope::runTool(name, chosen) : exitCode;
}
