#include "report/tool/Command.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

int main(int argc, char **argv) {
  CLI::App app{"Profiles of tile machines."};
  app.require_subcommand(1);
  int result = 0;
  for (const auto &row : popscope::commands()) {
    CLI::App *sub = app.add_subcommand(row.name, row.help);
    sub->callback([&result, action = row.make(*sub)] { result = action(); });
  }
  try {
    app.parse(argc, argv);
    return std::cout.flush() ? result : 2;
  } catch (const CLI::ParseError &e) {
    return app.exit(e) == 0 ? 0 : 2;
  } catch (const std::exception &e) {
    std::cerr << "popscope: " << e.what() << "\n";
    return 2;
  }
}
