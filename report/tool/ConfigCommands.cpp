#include "report/tool/ConfigCommands.hpp"

#include "base/EditDistance.hpp"
#include "base/Environment.hpp"
#include "base/FileErrors.hpp"
#include "base/JsonText.hpp"
#include "base/ShownText.hpp"
#include "base/WholeFile.hpp"
#include "base/settings/Configuration.hpp"
#include "base/settings/EngineOptionTable.hpp"
#include "base/settings/ProfileTemplates.hpp"
#include "report/answers/PrintRows.hpp"
#include "report/export/WriteExports.hpp"
#include "report/tool/Arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <system_error>

namespace popscope {
namespace {

/// Returns the reason why `name` is not a name of formats, or "" for a valid name. Serves as the FormatProblem of
/// readConfiguration().
std::string formatProblem(const std::string &name) {
  try {
    (void)exportNamed(name, "\"formats\"");
    return "";
  } catch (const AnswerError &e) {
    return e.what();
  }
}

Rows templateRows() {
  Rows rows("config");
  rows.counted = false;
  Table table{"templates",
              "Templates: POPSCOPE_PROFILE=NAME, or popscope run --template NAME",
              {{"name", "Name"}, {"help", "What"}, {"cost", "Cost"}, {"formats", "Formats"}}};
  rows.picture.emplace_back("Templates: POPSCOPE_PROFILE=NAME, or popscope run --template NAME");
  for (const ProfileTemplate &one : profileTemplates()) {
    const std::string formats =
        std::string(one.summary ? "summary.txt" : "") + (one.summary && *one.formats != '\0' ? "," : "") + one.formats;
    table.rows.push_back({std::string(one.name), std::string(one.help), std::string(one.cost), formats});
    rows.picture.insert(rows.picture.end(), {one.name, std::string("    ") + one.help, std::string("    ") + one.cost,
                                             "    next to profile.pop: " + (formats.empty() ? "nothing" : formats)});
  }
  rows.drawn = true;
  rows.tables.push_back(std::move(table));
  rows.notes.emplace_back(
      "the cost is the CPU time of examples/mlp, relative to a run without a profile, and the size of all files "
      "(docs/CONFIGURATION.md); popscope config show --template NAME lists the engine options");
  return rows;
}

/// Returns the sentence that states whether profiled programs read the user's file, which is at `path`.
std::string userFileText(const Configuration &configuration, const std::string &path) {
  if (configuration.userFileRead)
    return "The user's file {userFile} is read.";
  if (path.empty())
    return "There is no user's file: neither XDG_CONFIG_HOME nor HOME is set.";
  return !userConfigurationFile(environmentVariable).empty()
             ? "The user's file {userFile} is not read, because POPSCOPE_PROFILE is not set."
             : "The user's file {userFile} does not exist.";
}

/// Returns the values that a program would find, with their origins. Values that the program itself sets are not known
/// here.
Rows showRows(const std::string &templateName, bool all) {
  const VariableLookup variables = [&](const std::string &name) -> std::optional<std::string> {
    return name == "POPSCOPE_PROFILE" && !templateName.empty() ? std::optional(templateName)
                                                               : environmentVariable(name);
  };
  const Configuration configuration =
      readEnvironmentConfiguration(variables, templateName.empty() ? "POPSCOPE_PROFILE" : "--template");
  Rows rows("config");
  rows.counted = false;
  rows.fact("on", configuration.on);
  const std::string userFile = userConfigurationPath(variables);
  rows.fact("userFile", userFile);
  rows.fact("userFileRead", configuration.userFileRead);
  rows.lines.emplace_back(configuration.on ? "Programs are profiled. " + userFileText(configuration, userFile)
                                           : "Nothing is profiled from outside: POPSCOPE_PROFILE, POPSCOPE_CONFIG and "
                                             "POPSCOPE_TRACE are not set, or POPSCOPE_PROFILE is 0.");
  if (!configuration.on && !userConfigurationFile(variables).empty())
    rows.lines.emplace_back("The user's file {userFile} is read only by popscope run, or if POPSCOPE_PROFILE is set.");
  Table session{"session", "Session", {{"key", "Key"}, {"value", "Value"}, {"origin", "From"}}};
  for (const auto &[key, value] : configuration.session)
    session.rows.push_back({key, value.value, value.origin});
  Table engine{"engine", "Engine options", {{"key", "Key"}, {"value", "Value"}, {"origin", "From"}}};
  ConfiguredValues values = Configuration::engineValues(configuration.below, 0);
  for (const char *variable : {"POPLAR_RUNTIME_OPTIONS", "POPLAR_ENGINE_OPTIONS"})
    if (const std::string text = variables(variable).value_or(""); !text.empty())
      for (const auto &[key, value] :
           readConfiguration("{\"engine\":" + jsonText(nlohmann::json(text)) + "}", variable).engine)
        values[key] = {value.value, variable};
  for (const auto &[key, value] : Configuration::engineValues(configuration.above, 0))
    values[key] = value;
  if (all)
    for (const OptionRow &row : engineOptionTable().rows())
      values.emplace(row.key, ConfiguredValue{row.defaultValue, "default"});
  for (const auto &[key, value] : values)
    engine.rows.push_back({key, value.value, value.origin});
  rows.tables = {std::move(session), std::move(engine)};
  rows.notes.emplace_back("options that a program sets override templates and files; POPLAR_*_OPTIONS and popscope run "
                          "override the program; the profile contains the values in force");
  return rows;
}

/// Checks the file. If `file` is empty, checks the user's file and the file of POPSCOPE_CONFIG. Prints a line for each
/// result. If `json` is true, prints an object whose table `results` has a row for each result.
int checkFiles(std::ostream &out, const std::string &file, bool json) {
  std::vector<std::string> paths;
  const std::string named = environmentVariable("POPSCOPE_CONFIG").value_or("");
  if (!file.empty())
    paths.push_back(homePath(file));
  else {
    if (const std::string user = userConfigurationFile(environmentVariable); !user.empty())
      paths.push_back(user);
    if (!named.empty())
      paths.push_back(homePath(named));
  }
  int code = kDone;
  Rows rows("config");
  Table results{"results", "Results", {{"file", "File"}, {"result", "Result"}, {"text", "Text"}}};
  const auto result = [&](const std::string &path, const char *kind, const std::string &text) {
    results.rows.push_back({path.empty() ? Cell(Unknown()) : Cell(path), std::string(kind), text});
    if (!json)
      out << text << "\n";
  };
  for (const std::string &path : paths)
    try {
      const ConfigurationLayer layer = readConfigurationFile(path, formatProblem);
      result(path, "good", shownText(path) + ": good");
      if (!asksForProfile(layer) && (!named.empty() || !file.empty()))
        result(path, "note",
               shownText(path) + ": by itself it requests no profile, so nothing would be written; " +
                   kHowToAskForProfile);
    } catch (const ConfigurationFileError &e) {
      code = usageError("popscope config", e.what());
    } catch (const ConfigurationError &e) {
      result(path, "mistakes", e.what());
      code = std::max(code, kFinding);
    }
  if (paths.empty())
    result("", "note",
           "no file to check: " + userConfigurationPath(environmentVariable) +
               " does not exist, and POPSCOPE_CONFIG is not set");
  if (json) {
    rows.finding = code == kFinding;
    rows.tables.push_back(std::move(results));
    out << toJson(rows);
  }
  return code;
}

using Json = nlohmann::ordered_json;

/// Returns the present contents of the file, or an empty object if the file does not exist. Refuses a file with
/// comments, because the comments would be lost.
Json readForChange(const std::string &path) {
  std::string text;
  try {
    text = contentsOf(path);
  } catch (const std::system_error &e) {
    if (e.code() == std::errc::no_such_file_or_directory)
      return Json::object();
    throw ConfigurationError(path + ": cannot be read: " + e.code().message());
  }
  (void)readConfiguration(text, path, OriginLines::Named, formatProblem); // reports mistakes in the words of `check`
  const Json json = orderedJsonOf(text);
  if (json.is_discarded())
    throw ConfigurationError(path +
                             ": has comments, which would be lost; edit the file, or give --fresh to replace it");
  return json;
}

bool isSessionKey(const std::string &key) {
  return std::find(sessionKeys().begin(), sessionKeys().end(), key) != sessionKeys().end();
}

/// Throws ConfigurationError for a key that is no engine option and resembles another key, and for the keys of objects
/// that contain engine options. The option table reports other unknown engine options.
void refuseMisspeltKey(const std::string &key) {
  if (key == "engine" || key == "engines")
    throw ConfigurationError("config set: \"" + key +
                             "\" is an object; set an engine option by its name, or as 2:OPTION for the second engine");
  const std::string near =
      isSessionKey(key) || engineOptionTable().find(key) != nullptr ? "" : didYouMean(key, sessionKeys());
  if (!near.empty())
    throw ConfigurationError("config set: there is no key \"" + key + "\"." + near);
}

/// Returns the place of a setting such as "directory", "popscope.profileRuns" or "2:popscope.profileRuns": the object
/// that contains the setting, and the key in this object. Creates the object if it is missing.
std::pair<Json *, std::string> placeOf(Json &file, const std::string &key) {
  if (isSessionKey(key))
    return {&file, key};
  const auto objectOf = [](Json &parent, const std::string &name) {
    Json &member = parent[name];
    if (member.is_string()) // a text that contains an object
      member = orderedJsonOrThrow(member.get<std::string>());
    return &member;
  };
  const std::size_t colon = key.find(':');
  if (colon == std::string::npos)
    return {objectOf(file, "engine"), key};
  return {objectOf(*objectOf(file, "engines"), key.substr(0, colon)), key.substr(colon + 1)};
}

/// Returns the value that KEY=TEXT gets in the file. The value of "formats" is a text or, if TEXT is a JSON list in
/// brackets, this list.
Json valueOf(const std::string &key, const std::string &text) {
  Json value = orderedJsonOf(text);
  const bool formats = key == "formats";
  if (formats && !text.empty() && text.front() == '[' && !value.is_array())
    throw ConfigurationError("config set: formats=" + text +
                             " is no list; give names separated by commas (formats=csv,svg) or a JSON list "
                             "('formats=[\"csv\",\"svg\"]')");
  return (formats ? value.is_array() : value.is_boolean() || value.is_number()) ? value : Json(text);
}

/// Executes `config set` and `config unset`: writes the file if the result is valid.
int changeFile(std::ostream &out, const std::string &named, const std::vector<std::string> &words, bool sets,
               bool fresh) {
  const std::string path = named.empty() ? userConfigurationPath(environmentVariable) : named;
  if (path.empty())
    throw ConfigurationError("there is no user's file without HOME or XDG_CONFIG_HOME; name a file with --file");
  if (words.empty())
    throw ConfigurationError(std::string("config ") + (sets ? "set: give KEY=VALUE" : "unset: give keys"));
  Json file = fresh ? Json::object() : readForChange(path);
  for (const std::string &word : words) {
    const std::size_t equal = word.find('=');
    if (sets != (equal != std::string::npos))
      throw ConfigurationError("config " + std::string(sets ? "set" : "unset") + ": \"" + word + "\" is no " +
                               (sets ? "KEY=VALUE" : "key"));
    const auto [object, key] = placeOf(file, word.substr(0, equal));
    if (!sets) {
      if (!object->is_object() || object->erase(key) == 0)
        throw ConfigurationError(path + ": has no \"" + word + "\"");
      continue;
    }
    refuseMisspeltKey(word.substr(0, equal));
    const std::string text = word.substr(equal + 1);
    (*object)[key] = valueOf(key, text);
  }
  const std::string text = jsonText(file, 2) + "\n";
  (void)readConfiguration(text, std::string("config ") + (sets ? "set" : "unset"), OriginLines::None,
                          formatProblem); // the present contents have no mistakes
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(fs::absolute(path).parent_path(), error);
  try {
    writeWholeFile(path, text);
  } catch (const std::system_error &e) {
    throw ConfigurationError(path + ": cannot be written: " + e.code().message());
  }
  out << shownText(path) << ": written\n";
  return kDone;
}

} // namespace

CommandAction makeConfig(CLI::App &app) {
  struct Arguments {
    std::string action, file, templateName;
    std::vector<std::string> words;
    bool json = false, all = false, fresh = false;
  };
  auto a = std::make_shared<Arguments>();
  app.add_option("action", a->action,
                 "show: print the settings in force and their origin; check: list the mistakes in a file; templates: "
                 "list the templates; path: print the path of the user's file; set, unset: change a file")
      ->required()
      ->type_name("show|check|templates|path|set|unset")
      ->check([](const std::string &text) {
        const std::vector<std::string> actions = {"show", "check", "templates", "path", "set", "unset"};
        return std::find(actions.begin(), actions.end(), text) != actions.end()
                   ? std::string()
                   : "there is no action \"" + text + "\"." + didYouMean(text, actions) +
                         " Give show, check, templates, path, set or unset";
      });
  app.add_option(
         "words", a->words,
         "check: the file; default: the user's file and the file in POPSCOPE_CONFIG; set: KEY=VALUE; unset: KEY. "
         "Keys are template, directory, formats (csv,svg or '[\"csv\",\"svg\"]'), summary, trace and engine options "
         "(2:OPTION is for the second engine)")
      ->type_name("WORDS");
  auto *file = app.add_option("--file", a->file, "set, unset: file to change; default: the user's file");
  file->type_name("FILE");
  auto *fresh = app.add_flag("--fresh", a->fresh, "set: discard the present contents of the file");
  auto *assumed =
      app.add_option("--template", a->templateName, "show: template to assume; default: the value of POPSCOPE_PROFILE");
  assumed->type_name(templateNames());
  auto *all = app.add_flag("--all", a->all, "show: also list options that have their defaults");
  auto *json = app.add_flag("--json", a->json, "show, check, templates: print a JSON object");
  const std::vector<std::pair<const CLI::Option *, std::vector<std::string>>> actionsOf = {
      {file, {"set", "unset"}},
      {fresh, {"set"}},
      {assumed, {"show"}},
      {all, {"show"}},
      {json, {"show", "check", "templates"}}};
  return [a, actionsOf](std::ostream &out, const Screen &screen) {
    for (const auto &[option, actions] : actionsOf)
      if (option->count() != 0 && std::find(actions.begin(), actions.end(), a->action) == actions.end())
        throw AnswerError(fmt::format("config {}: there is no {} here; it belongs to config {}", a->action,
                                      option->get_name(), fmt::join(actions, ", ")));
    if (a->action == "set" || a->action == "unset")
      try {
        return changeFile(out, a->file, a->words, a->action == "set", a->fresh);
      } catch (const ConfigurationError &e) {
        throw AnswerError(e.what());
      }
    if (a->words.size() > (a->action == "check" ? 1 : 0))
      throw AnswerError("config " + a->action + ": \"" + a->words.back() + "\" is too much");
    if (a->action == "check")
      return checkFiles(out, a->words.empty() ? "" : a->words.front(), a->json);
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
