#include "report/tool/Command.hpp"

#include "base/EngineOptionTable.hpp"
#include "report/pop/PopReader.hpp"
#include "report/pop/RunSql.hpp"
#include "report/pop/Schema.hpp"
#include "report/summary/Style.hpp"
#include "report/summary/TargetView.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

namespace popscope {
namespace {

CommandAction makeInfo(CLI::App &app) {
  auto path = std::make_shared<std::string>();
  app.add_option("profile", *path, "Profile to read")->required()->type_name("FILE");
  return [path] {
    const pva::Report report = pva::openReport(*path);
    const Style plain(false);
    std::cout << "Profile: written by " << report.poplarVersion().string() << ", format "
              << report.version().majorVer() << ", " << (report.popscope().complete() ? "complete" : "not completed")
              << "\n\n";
    printText(std::cout, collectTarget(report), plain);
    std::cout << "\n";
    printText(std::cout, collectGraph(report), plain);
    std::cout << "\nRuns: " << report.execution().runs().size() << "\n";
    for (const auto &run : report.execution().runs())
      std::cout << "  " << (run.name().empty() ? "<anonymous>" : run.name()) << ": " << run.steps().size()
                << " steps, " << run.totalCycles().total() << " cycles" << (run.complete() ? "" : ", not completed")
                << "\n";
    return 0;
  };
}

CommandAction makeSql(CLI::App &app) {
  struct Arguments { std::string path, sql; bool csv = false, json = false, expand = false; };
  auto a = std::make_shared<Arguments>();
  app.add_option("profile", a->path, "Profile to read")->required()->type_name("FILE");
  app.add_option("sql", a->sql, "A SELECT statement")->required()->type_name("SQL");
  auto *csv = app.add_flag("--csv", a->csv, "Print comma-separated values");
  app.add_flag("--json", a->json, "Print JSON")->excludes(csv);
  app.add_flag("--expand", a->expand, "Decode per-tile blobs");
  return [a] {
    const auto file = openPop(a->path);
    printSql(std::cout, runSql(*file, a->sql, a->expand),
             a->csv ? SqlFormat::Csv : a->json ? SqlFormat::Json : SqlFormat::Text);
    return 0;
  };
}

CommandAction makeSchema(CLI::App &app) {
  auto markdown = std::make_shared<bool>(false);
  app.add_flag("--markdown", *markdown, "Print the documentation instead of the SQL");
  return [markdown] {
    std::cout << (*markdown ? schemaMarkdown() : schemaDdl());
    return 0;
  };
}

CommandAction makeOptions(CLI::App &) {
  return [] {
    for (const auto &row : engineOptionTable().rows())
      std::cout << row.key << "\n    " << describeValues(row) << "; default " << row.defaultValue
                << (row.unit.empty() ? "" : " " + row.unit) << "\n    " << row.help << " (since " << row.since << ")\n";
    return 0;
  };
}

} // namespace

const std::vector<CommandRow> &commands() {
  static const std::vector<CommandRow> rows = {
      {"info", "What a profile holds", makeInfo},
      {"sql", "Query a profile", makeSql},
      {"options", "List the engine options", makeOptions},
      {"schema", "Describe the profile format", makeSchema},
  };
  return rows;
}

} // namespace popscope
