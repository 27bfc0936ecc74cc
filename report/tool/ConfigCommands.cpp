#include "report/tool/ConfigCommands.hpp"

#include "base/Configuration.hpp"
#include "base/EditDistance.hpp"
#include "base/EngineOptionTable.hpp"
#include "base/Environment.hpp"
#include "base/ProfileTemplates.hpp"
#include "report/answers/PrintRows.hpp"
#include "report/export/Formats.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

namespace popscope {
namespace {

void checkFormats(const std::string &formats, const std::string &origin) {
  for (std::size_t from = 0; from < formats.size();) {
    const std::size_t to = std::min(formats.find(',', from), formats.size());
    try {
      (void)exportFormat(formats.substr(from, to - from));
    } catch (const AnswerError &e) {
      throw ConfigurationError(origin + ": \"formats\": " + e.what());
    }
    from = to + 1;
  }
}

Rows templateRows() {
  Rows rows;
  rows.view = "config";
  rows.counted = false;
  Table table{"templates",
              "Templates: POPSCOPE_PROFILE=NAME, or popscope run --template NAME",
              {{"name", "Name"}, {"help", "What"}, {"cost", "Cost"}, {"formats", "Formats"}},
              {}};
  for (const ProfileTemplate &one : profileTemplates())
    table.rows.push_back({std::string(one.name), std::string(one.help), std::string(one.cost),
                          std::string(one.summary ? "summary.txt" : "") +
                              (one.summary && *one.formats != '\0' ? "," : "") + one.formats});
  rows.tables.push_back(std::move(table));
  rows.notes.emplace_back("cost: of examples/mlp, see docs/CONFIGURATION.md; popscope config show --template NAME "
                          "lists the engine options");
  return rows;
}

/// The values that a program would find, and where each is from. What the program itself sets is not known here.
Rows showRows(const std::string &templateName, bool all) {
  const Variables variables = [&](const std::string &name) -> std::optional<std::string> {
    return name == "POPSCOPE_PROFILE" && !templateName.empty() ? std::optional(templateName)
                                                               : environmentVariable(name);
  };
  const Configuration configuration = readEnvironmentConfiguration(variables);
  Rows rows;
  rows.view = "config";
  rows.counted = false;
  rows.fact("on", configuration.on);
  rows.fact("userFile", userConfigurationPath(variables));
  rows.lines.emplace_back(configuration.on
                              ? "Programs are profiled; the user's file is {userFile}."
                              : "Nothing is profiled from outside: POPSCOPE_PROFILE and POPSCOPE_CONFIG are not set.");
  Table session{"session", "Session", {{"key", "Key"}, {"value", "Value"}, {"origin", "From"}}, {}};
  for (const auto &[key, value] : configuration.session)
    session.rows.push_back({key, value.value, value.origin});
  Table engine{"engine", "Engine options", {{"key", "Key"}, {"value", "Value"}, {"origin", "From"}}, {}};
  ConfiguredValues values = Configuration::engineValues(configuration.below, 0);
  for (const char *variable : {"POPLAR_RUNTIME_OPTIONS", "POPLAR_ENGINE_OPTIONS"})
    if (const std::string text = variables(variable).value_or(""); !text.empty())
      for (const auto &[key, value] :
           readConfiguration("{\"engine\":" + nlohmann::json(text).dump() + "}", variable).engine)
        values[key] = {value.value, variable};
  for (const auto &[key, value] : Configuration::engineValues(configuration.above, 0))
    values[key] = value;
  if (all)
    for (const OptionRow &row : engineOptionTable().rows())
      values.emplace(row.key, ConfiguredValue{row.defaultValue, "default"});
  for (const auto &[key, value] : values)
    engine.rows.push_back({key, value.value, value.origin});
  rows.tables = {std::move(session), std::move(engine)};
  rows.notes.emplace_back("what a program sets itself wins over templates and files, and loses against "
                          "POPLAR_*_OPTIONS and popscope run; the profile holds what counted");
  return rows;
}

int checkFiles(std::ostream &out, const std::string &file) {
  std::vector<std::string> paths;
  if (!file.empty())
    paths.push_back(file);
  else {
    if (const std::string user = userConfigurationPath(environmentVariable);
        !user.empty() && std::ifstream(user).is_open())
      paths.push_back(user);
    if (const std::string named = environmentVariable("POPSCOPE_CONFIG").value_or(""); !named.empty())
      paths.push_back(named);
  }
  int code = kDone;
  for (const std::string &path : paths)
    try {
      const ConfigurationLayer layer = readConfigurationFile(path);
      if (const auto formats = layer.session.find("formats"); formats != layer.session.end())
        checkFormats(formats->second.value, formats->second.origin);
      out << path << ": good\n";
    } catch (const ConfigurationError &e) {
      out << e.what() << "\n";
      code = kFinding;
    }
  if (paths.empty())
    out << "no file to check: " << userConfigurationPath(environmentVariable)
        << " does not exist, and POPSCOPE_CONFIG is not set\n";
  return code;
}

} // namespace

CommandAction makeConfig(CLI::App &app) {
  struct Arguments {
    std::string action, file, templateName;
    bool json = false, all = false;
  };
  auto a = std::make_shared<Arguments>();
  app.add_option("action", a->action,
                 "show: what counts, and where it is from; check: mistakes of a file; templates; path: the user's file")
      ->required()
      ->type_name("ACTION")
      ->check([](const std::string &text) {
        const std::vector<std::string> actions = {"show", "check", "templates", "path"};
        return std::find(actions.begin(), actions.end(), text) != actions.end()
                   ? std::string()
                   : "there is no action \"" + text + "\"." + didYouMean(text, actions) +
                         " Give show, check, templates or path";
      });
  app.add_option("file", a->file, "check: this file; default: the user's file and that of POPSCOPE_CONFIG")
      ->type_name("FILE");
  app.add_option("--template", a->templateName, "show: as if POPSCOPE_PROFILE were this")->type_name("NAME");
  app.add_flag("--all", a->all, "show: options with their defaults, too");
  app.add_flag("--json", a->json, "Print a JSON object");
  return [a](std::ostream &out, const Screen &screen) {
    if (a->action == "check")
      return checkFiles(out, a->file);
    if (a->action == "path") {
      out << userConfigurationPath(environmentVariable) << "\n";
      return kDone;
    }
    const Rows rows = a->action == "templates" ? templateRows() : showRows(a->templateName, a->all);
    a->json ? void(out << toJson(rows)) : printText(out, rows, screen.style, screen.columns);
    return kDone;
  };
}

} // namespace popscope
