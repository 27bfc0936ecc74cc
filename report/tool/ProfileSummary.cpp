// profile_summary (also installed as poplar_profile_summary): the text summary of a saved profile.
#include "base/Version.hpp"
#include "report/summary/Summary.hpp"
#include "report/tool/Arguments.hpp"
#include "report/tool/RunTool.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>

int main(int argc, char **argv) {
  // The name by which the program was called, without the folder.
  const std::string called = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  const std::string name = called == "poplar_profile_summary" ? called : "profile_summary";
  CLI::App app{name + " prints a summary of a profile (.pop): memory, liveness and cycles of a program for a tile "
                      "machine, as Engine::printProfileSummary does.",
               name};
  app.set_version_flag("--version", popscope::versionOf(name));
  std::string profile;
  popscope::SummaryOptions options;
  bool colours = false;
  app.add_option("--profile,profile", profile, "Profile to read; --profile may be left out")
      ->required()
      ->type_name("FILE");
  app.add_flag("--show-execution-steps", options.showExecutionSteps, "Show execution steps");
  app.add_flag("--show-optimizations", options.showOptimizations, "Show optimisation information");
  app.add_flag("--show-per-ipu-memory-usage", options.showPerIpuMemoryUsage, "Report the memory usage for each IPU");
  app.add_flag("--show-var-storage", options.showVarStorage, "Show liveness information for each program");
  app.add_flag("--tile-averages", options.executionAverages,
               "Show cycles averaged over tiles for each run instead of totals");
  CLI::Option *coloursFlag =
      app.add_flag("--colours", colours,
                   "Use colours; --colours=false uses none; default: colours on a terminal that supports them");
  const auto when = std::make_shared<std::string>();
  popscope::addColour(app, when)->excludes(coloursFlag);
  app.footer(
      "Examples:\n  profile_summary profile.pop\n  profile_summary profile.pop --show-execution-steps --color=never");
  int exitCode = 0;
  if (!popscope::parseArguments(app, popscope::wordsOf(argc, argv), exitCode))
    return exitCode;
  return popscope::runTool(name, [&](std::ostream &out) {
    options.colours = popscope::screenOf(coloursFlag->count() == 0 ? *when
                                         : colours                 ? "always"
                                                                   : "never")
                          .style.coloured();
    popscope::printSummary(out, pva::openReport(profile), options);
    return popscope::kDone;
  });
}
