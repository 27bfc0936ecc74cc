#include "report/tool/Command.hpp"
#include "report/tool/ConfigCommands.hpp"
#include "report/tool/ExportCommand.hpp"
#include "report/tool/HtmlCommands.hpp"

#include "base/FileErrors.hpp"
#include "base/ShownText.hpp"
#include "base/TerminalText.hpp"
#include "base/WholeFile.hpp"
#include "base/settings/EngineOptionTable.hpp"
#include "base/settings/OptionTableText.hpp"
#include "report/answers/OptionsAnswer.hpp"
#include "report/answers/PrintRows.hpp"
#include "report/pop/MeasuredCycles.hpp"
#include "report/pop/PopReader.hpp"
#include "report/pop/RunSql.hpp"
#include "report/pop/Schema.hpp"
#include "report/tool/Arguments.hpp"
#include "report/tool/ViewCommand.hpp"
#include "report/whatif/WhatIfAnswers.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <system_error>

namespace popscope {
namespace {

CommandAction makeSql(CLI::App &app) {
  struct Arguments {
    std::string sql;
    bool csv = false, json = false, expand = false;
  };
  const auto path = profileArgument(app);
  auto a = std::make_shared<Arguments>();
  app.add_option("sql", a->sql, "One SELECT statement; popscope schema lists tables, views and columns")
      ->required()
      ->type_name("SQL");
  auto *csv = app.add_flag("--csv", a->csv, "Print comma-separated values");
  app.add_flag("--json", a->json, "Print a JSON array of objects")->excludes(csv);
  app.add_flag("--expand", a->expand, "Decode packed per-tile values to one number per tile");
  return [path, a](std::ostream &out, const Screen &) {
    const auto file = openPop(*path);
    printSql(out, runSql(*file, a->sql, a->expand),
             a->csv    ? SqlFormat::Csv
             : a->json ? SqlFormat::Json
                       : SqlFormat::Text);
    return kDone;
  };
}

/// Returns the action of a command that writes another file from a profile.
CommandAction makeRewrite(CLI::App &app, const char *suffix,
                          void (*rewrite)(const std::string &, const std::string &)) {
  const auto path = profileArgument(app);
  auto to = std::make_shared<std::string>();
  app.add_option("-o,--output", *to,
                 std::string("File to write; default: the profile's name with ") + suffix + " before .pop")
      ->type_name("FILE");
  return [path, to, suffix, rewrite](std::ostream &out, const Screen &) {
    const std::filesystem::path from(*path);
    const std::string target = to->empty() ? (from.parent_path() / from.stem()).string() + suffix + ".pop" : *to;
    if (target == "-")
      throw std::runtime_error("a profile is a database and cannot be written to standard output; give a file to -o");
    rewrite(*path, target);
    out << shownText(target) << "\n";
    return kDone;
  };
}

/// Writes the readable part of a profile to `to`. Reports on stderr if the profile was complete.
void recover(const std::string &from, const std::string &to) {
  recoverPop(from, to);
  if (readMeta(*openPop(to)).complete)
    std::cerr << messageText("popscope recover: " + from + " is complete, so " + to + " is a copy of the same profile")
              << "\n";
}
CommandAction makeRecover(CLI::App &app) { return makeRewrite(app, ".recovered", recover); }

std::string textOfCsv(const std::string &path) {
  constexpr std::size_t kMaxBytes = std::size_t(1) << 30; // a row for each step on each tile of a large model
  try {
    return contentsOf(path, kMaxBytes);
  } catch (const std::system_error &e) {
    throw std::runtime_error(path + ": cannot be read: " + e.code().message());
  }
}

CommandAction makeImportCycles(CLI::App &app) {
  const auto path = profileArgument(app);
  const auto csv = std::make_shared<std::string>(), source = std::make_shared<std::string>(),
             to = std::make_shared<std::string>();
  app.add_option("csv", *csv,
                 "File of comma-separated values with the column cycles, some of the columns step, compute_set and "
                 "vertex_type (each row has a value in one of them), and optionally the column tile")
      ->required()
      ->type_name("CSV");
  app.add_option("--source", *source, "Place of the measurement, which the profile records; default: the name of CSV")
      ->type_name("TEXT");
  app.add_option("-o,--output", *to,
                 "File to write, which may be the profile; default: the profile's name with .measured before .pop")
      ->type_name("FILE");
  return [path, csv, source, to](std::ostream &out, const Screen &) {
    const std::filesystem::path from(*path);
    const std::string target = to->empty() ? (from.parent_path() / from.stem()).string() + ".measured.pop" : *to;
    checkOutputIsNoInput(target, std::array{*csv});
    std::istringstream in(textOfCsv(*csv));
    const auto rows = readMeasuredCsv(
        in, *csv, source->empty() ? std::filesystem::path(*csv).filename().string() : *source, *openPop(*path));
    importMeasured(*path, target, rows);
    out << target << "\n";
    return kDone;
  };
}

CommandAction makeSchema(CLI::App &app) {
  auto markdown = std::make_shared<bool>(false), typeScript = std::make_shared<bool>(false);
  app.add_flag("--markdown", *markdown, "Print docs/FORMAT-pop.md instead of the SQL");
  app.add_flag("--typescript", *typeScript, "Print the tables for the viewer's decoder instead")
      ->excludes("--markdown");
  return [markdown, typeScript](std::ostream &out, const Screen &) {
    if (*markdown)
      out << schemaMarkdown();
    else if (*typeScript)
      out << schemaTypeScript();
    else
      out << schemaDdl() << "-- Views of popscope sql, not in the file.\n" << schemaViewsDdl();
    return kDone;
  };
}

CommandAction makeOptions(CLI::App &app) {
  struct Arguments {
    bool markdown = false, json = false, csv = false;
    Selection selection;
  };
  auto a = std::make_shared<Arguments>();
  addWhole(app, "-n", a->selection.count, {}, "Number of options to print; 0 prints all; default all");
  app.add_option("--name", a->selection.name,
                 "Keep names that contain this text; with * or ?, names that match the whole pattern; default all")
      ->type_name("PATTERN");
  auto *json = app.add_flag("--json", a->json, "Print a JSON object");
  auto *csv = app.add_flag("--csv", a->csv, "Print comma-separated values")->excludes(json);
  app.add_flag("--markdown", a->markdown, "Print Markdown; without -n and --name, the page docs/OPTIONS.md")
      ->excludes(json)
      ->excludes(csv);
  return [a](std::ostream &out, const Screen &screen) {
    if (a->markdown && a->selection.name.empty() && !a->selection.count) {
      out << optionsMarkdown(engineOptionTable());
      return kDone;
    }
    const Rows rows = collectOptionsAnswer(a->selection.name, a->selection.countOr(~std::size_t(0)));
    if (a->json || a->csv || a->markdown)
      out << (a->json ? toJson(rows) : a->csv ? toCsv(rows) : toMarkdown(rows));
    else
      printText(out, rows, screen.style, screen.columns);
    return kDone;
  };
}

/// A heading of --help and the commands under it, in order.
struct Group {
  const char *title;
  std::vector<std::string> commands;
};
const std::vector<Group> &groups() {
  static const std::vector<Group> all = {
      {"Look",
       {"info", "top", "operators", "stats", "tree", "runs", "peak", "live", "vars", "tile", "exchange", "measured",
        "view", "html", "sql"}},
      {"Ask why", {"loss", "why", "oom", "gap", "fit", "advise", "sources", "overhead"}},
      {"Compare", {"diff", "check", "numbers", "history"}},
      {"What if", {"whatif", "sensitivity"}},
      {"Export", {"export", "recover", "import-cycles", "schema"}},
      {"Record and configure", {"run", "config", "options"}},
  };
  return all;
}

/// Returns the command's place in --help. A command in no group comes after all groups; a test finds such a command.
std::size_t placeOf(const std::string &command) {
  std::size_t place = 0;
  for (const Group &group : groups())
    for (const std::string &one : group.commands) {
      if (one == command)
        return place;
      ++place;
    }
  return place;
}

} // namespace

std::string helpGroupOf(const std::string &command) {
  for (const Group &group : groups())
    if (std::find(group.commands.begin(), group.commands.end(), command) != group.commands.end())
      return group.title;
  return "Other";
}

const std::vector<CommandRow> &commands() {
  static const std::vector<CommandRow> rows = [] {
    std::vector<CommandRow> all;
    for (const std::vector<ViewRow> *rooms : {&views(), &whatIfViews()})
      for (const ViewRow &view : *rooms)
        all.push_back(
            {view.name, view.help, [&view](CLI::App &app) { return makeViewCommand(app, view); }, view.examples});
    const std::vector<CommandRow> others = {
        {"html",
         "Write a self-contained page that shows a profile in any browser",
         makeHtml,
         {"html profile.pop -o profile.html", "html -o viewer.html"}},
        {"view", "Open a profile in the browser", makeView, {"view profile.pop", "view --follow runs/today.pop"}},
        {"export", "Convert a profile to the formats of other tools", makeExport},
        {"run", "Run an unmodified program and record a profile of each of its engines", makeRun},
        {"config",
         "Show or change the settings that come from files and environment variables",
         makeConfig,
         {"config show", "config templates --json"}},
        {"sql",
         "Run a read-only SQL query on a profile",
         makeSql,
         {"sql profile.pop 'SELECT * FROM compute_set_cycles LIMIT 5'",
          "sql profile.pop 'SELECT tile, total FROM memory_by_tile' --csv"}},
        {"recover",
         "Repair the profile of a program that was stopped",
         makeRecover,
         {"recover profile.pop", "recover profile.pop -o whole.pop"}},
        {"import-cycles",
         "Add cycles measured on a real machine to a profile",
         makeImportCycles,
         {"import-cycles profile.pop cycles.csv --source 'M2000 no. 3, SDK 3.3'",
          "import-cycles profile.pop cycles.csv -o profile.pop"}},
        {"options", "List the engine options", makeOptions, {"options", "options --name 'debug.*' --csv"}},
        {"schema", "Print the tables and views of a profile as SQL", makeSchema, {"schema", "schema --markdown"}},
    };
    all.insert(all.end(), others.begin(), others.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const CommandRow &a, const CommandRow &b) { return placeOf(a.name) < placeOf(b.name); });
    return all;
  }();
  return rows;
}

} // namespace popscope
