// profile_summary (also installed as poplar_profile_summary): the text summary of a saved profile.
#include "base/Environment.hpp"
#include "report/summary/Style.hpp"
#include "report/summary/Summary.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <unistd.h>

int main(int argc, char **argv) {
  CLI::App app{"Prints a summary of a profile (.pop)."};
  std::string profile;
  popscope::SummaryOptions options;
  std::optional<bool> colours;
  app.add_option("--profile,profile", profile, "Profile to read")->required()->type_name("FILE");
  app.add_flag("--show-execution-steps", options.showExecutionSteps, "Show execution steps");
  app.add_flag("--show-optimizations", options.showOptimizations, "Show optimisation information");
  app.add_flag("--show-per-ipu-memory-usage", options.showPerIpuMemoryUsage, "Report the memory usage for each IPU");
  app.add_flag("--show-var-storage", options.showVarStorage, "Show liveness information for each program");
  app.add_flag("--colours", colours, "Colour the output; default: on a supported terminal");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  try {
    options.colours = popscope::decideColour(colours, ::isatty(STDOUT_FILENO) == 1, popscope::environmentVariable);
    popscope::printSummary(std::cout, pva::openReport(profile), options);
    return std::cout.flush() ? 0 : 2;
  } catch (const std::exception &e) {
    std::cerr << "profile_summary: " << e.what() << "\n";
    return 2;
  }
}
