#include "base/settings/Configuration.hpp"

#include "base/CommaList.hpp"
#include "base/EditDistance.hpp"
#include "base/Environment.hpp"
#include "base/FileErrors.hpp"
#include "base/JsonEvents.hpp"
#include "base/ReadNumber.hpp"
#include "base/ShownText.hpp"
#include "base/settings/EngineOptionTable.hpp"
#include "base/settings/ForeignWords.hpp"
#include "base/settings/ProfileTemplates.hpp"

#include <poplar/OptionFlags.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace popscope {
namespace {

constexpr const char *kDefaultOrigin = "default";

/// Returns the sentences about a name that is no template. `known`: the names that are allowed besides the templates.
std::string noTemplate(const std::string &name, std::vector<std::string> known = {}) {
  for (const ProfileTemplate &one : profileTemplates())
    known.emplace_back(one.name);
  return "there is no template \"" + name + "\"." + didYouMean(name, known) + " popscope config templates lists them";
}

/// Receives the parser's events. path_ is "engine" or "engines" while that object is open, and otherwise "".
class Reader : public JsonEvents {
public:
  Reader(ConfigurationLayer &layer, const JsonPlace &place, OriginLines lines, const FormatProblem &formatProblem)
      : layer_(layer), place_(place), lines_(lines), formatProblem_(formatProblem) {}
  void beginObject() override {
    if (depth_ != 0 && !(depth_ == 1 && (key_ == "engine" || key_ == "engines")) &&
        !(depth_ == 2 && path_ == "engines"))
      fail("\"" + key_ + "\" is an object; write a single value");
    if (depth_ == 1)
      path_ = key_;
    ++depth_;
  }
  void endObject() override {
    if (--depth_ == 1)
      path_.clear();
  }
  void key(const std::string &name, bool again) override {
    key_ = name;
    keyLine_ = place_.line; // at the end of a number, the parser is already behind the next character
    keyIsUnknown_ = false;
    if (again)
      return unknownKey("the key \"" + name + "\" appears twice; leave one of them out");
    if (depth_ == 1 && std::find(sessionKeys().begin(), sessionKeys().end(), name) == sessionKeys().end() &&
        name != "engine" && name != "engines") {
      if (engineOptionTable().find(name) != nullptr)
        return unknownKey("\"" + name + "\" is an engine option; it belongs into \"engine\": {...}");
      std::vector<std::string> known = sessionKeys();
      known.insert(known.end(), {"engine", "engines"});
      const std::string foreign = foreignWord(name);
      unknownKey("there is no key \"" + name + "\"." + (foreign.empty() ? didYouMean(name, known) : foreign));
    }
    if (depth_ == 2 && path_ == "engines") {
      const auto number = readWhole(name, {1, 1000000});
      if (!number || name != std::to_string(*number)) // "01" would be the same engine as "1"
        mistake("\"engines\" selects engines by their number, from 1, not \"" + name + "\"");
      engine_ = static_cast<std::size_t>(number.value_or(0)); // 0: the object is read only to find its mistakes
    }
  }
  void boolean(bool v) override { noText(v ? "true" : "false"); }
  void number(const std::string &spelling) override { noText(spelling); }
  void string(const std::string &v) override { value(v); }
  void null() override { fail("\"" + key_ + "\" is null; leave it out instead"); }
  void beginArray() override {
    if (depth_ != 1 || key_ != "formats" || list_)
      fail(depth_ == 0 ? "a configuration is an object" : "\"" + key_ + "\" is an array; write a single value");
    list_.emplace();
  }
  void endArray() override {
    if (!keyIsUnknown_)
      layer_.session[key_] = {*list_, origin()};
    list_.reset();
  }
  [[noreturn]] void noJson(const JsonError &e) override {
    keyLine_ = place_.line;
    keyIsUnknown_ = false;
    fail(e.what());
  }
  /// Throws ConfigurationError with every mistake so far, one per line, if there is any.
  void throwMistakes() const {
    if (!mistakes_.empty())
      throw ConfigurationError(mistakes_);
  }

private:
  /// Reads a number, true or false. Names of templates, formats, files and folders are texts.
  void noText(const std::string &text) {
    if (depth_ == 1 && key_ != "summary" && !keyIsUnknown_ &&
        std::find(sessionKeys().begin(), sessionKeys().end(), key_) != sessionKeys().end())
      return mistake("\"" + key_ + "\" is a text: write \"" + text + "\" in quotes, or another name");
    value(text);
  }
  void value(const std::string &text) {
    if (depth_ == 0)
      fail("a configuration is an object");
    if (keyIsUnknown_)
      return;
    if (list_) {
      checkFormats(text);
      *list_ += (list_->empty() ? "" : ",") + text;
      return;
    }
    const ConfiguredValue configured{text, origin()};
    if (depth_ == 1 && key_ == "engine")
      readText(text, layer_.engine);
    else if (depth_ == 1 && key_ == "engines")
      fail("\"engines\" is an object: {\"2\": {...}}");
    else if (depth_ == 1)
      session(text, configured);
    else if (path_ == "engine")
      option(key_, configured, layer_.engine);
    else if (depth_ == 2)
      readText(text, layer_.engines[engine_]);
    else
      option(key_, configured, layer_.engines[engine_]);
  }
  [[nodiscard]] std::string origin() const {
    return lines_ == OriginLines::None ? layer_.origin : layer_.origin + ":" + std::to_string(keyLine_);
  }
  /// Reads options from a text that contains JSON.
  void readText(const std::string &text, ConfiguredValues &to) {
    poplar::OptionFlags flags;
    try {
      poplar::readJSON(text, flags);
    } catch (const poplar::poplar_error &e) {
      return mistake("\"" + key_ + "\": " + e.what());
    }
    for (const auto &flag : flags)
      option(flag.first, {flag.second, origin()}, to);
  }
  void session(const std::string &text, const ConfiguredValue &configured) {
    if (key_ == "summary" && text != "true" && text != "false")
      return mistake("\"summary\" is true or false, not \"" + text + "\"");
    if ((key_ == "directory" || key_ == "trace") && text.empty())
      return mistake("\"" + key_ + "\" is empty; name a " + (key_ == "trace" ? "file" : "folder"));
    if (key_ == "template" && findProfileTemplate(text) == nullptr)
      return mistake(noTemplate(text));
    if (key_ == "formats")
      checkFormats(text);
    layer_.session[key_] = configured;
  }
  /// Notes the mistakes in names that are separated by commas.
  void checkFormats(const std::string &names) {
    for (const std::string &name : commaList(names))
      if (const std::string problem = formatProblem_ ? formatProblem_(name) : ""; !problem.empty())
        mistake(problem);
  }
  /// Reads one option; the option table reports mistakes.
  void option(const std::string &name, const ConfiguredValue &configured, ConfiguredValues &to) {
    poplar::OptionFlags one;
    one.set(name, configured.value);
    try {
      (void)engineOptionTable().parse(one);
    } catch (const poplar::poplar_error &e) {
      return mistake(e.what());
    }
    to[name] = configured;
  }
  /// Notes a mistake. Reading continues, so that a user learns of all mistakes at once.
  void mistake(const std::string &what) { mistakes_.push_back(fmt::format("{}: {}", origin(), what)); }
  /// Notes that the present key is unknown or appears twice; the reader then ignores the key's value.
  void unknownKey(const std::string &what) {
    mistake(what);
    keyIsUnknown_ = true;
  }
  /// Notes a mistake after which the rest cannot be read, and throws all mistakes.
  [[noreturn]] void fail(const std::string &what) {
    if (!keyIsUnknown_)
      mistake(what);
    throw ConfigurationError(mistakes_);
  }

  ConfigurationLayer &layer_;
  const JsonPlace &place_;
  OriginLines lines_;
  const FormatProblem &formatProblem_;
  std::string key_, path_;
  std::vector<std::string> mistakes_;
  std::optional<std::string> list_;
  bool keyIsUnknown_ = false;
  std::size_t depth_ = 0, engine_ = 0, keyLine_ = 1;
};

ConfigurationLayer layerOf(const ProfileTemplate &one) {
  ConfigurationLayer layer;
  layer.origin = std::string("template ") + one.name;
  for (const auto &[key, value] : one.options)
    layer.engine[key] = {value, layer.origin};
  layer.session["formats"] = {one.formats, layer.origin};
  layer.session["summary"] = {one.summary ? "true" : "false", layer.origin};
  return layer;
}

/// Returns whether the value of POPSCOPE_PROFILE switches profiles on without the name of a template.
bool isOnOnly(const std::string &profile) { return profile == "1" || profile == "true" || profile == "on"; }

const ProfileTemplate &templateOf(const std::string &name, const std::string &where) {
  const ProfileTemplate *found = findProfileTemplate(isOnOnly(name) ? "default" : name);
  if (found != nullptr)
    return *found;
  throw ConfigurationError(where + ": " + noTemplate(name, {"1", "0"}));
}

/// Returns the mistakes with `between` between each two. Control characters in each mistake are escaped.
std::string joined(const std::vector<std::string> &mistakes, const char *between) {
  std::string all;
  for (const std::string &mistake : mistakes)
    all += (all.empty() ? "" : between) + shownText(mistake);
  return all;
}
} // namespace

ConfigurationError::ConfigurationError(const std::vector<std::string> &mistakes)
    : std::runtime_error(joined(mistakes, "\n")), inOneLine_(joined(mistakes, "; ")) {}

const std::vector<std::string> &sessionKeys() {
  static const std::vector<std::string> keys = {"template", "directory", "formats", "summary", "trace"};
  return keys;
}

ConfigurationLayer readConfiguration(const std::string &text, const std::string &origin, OriginLines lines,
                                     const FormatProblem &formatProblem) {
  ConfigurationLayer layer;
  layer.origin = origin;
  JsonPlace place;
  Reader reader(layer, place, lines, formatProblem);
  readJsonEvents(text, reader, place, true);
  reader.throwMistakes();
  return layer;
}

ConfigurationLayer readConfigurationFile(const std::string &path, const FormatProblem &formatProblem) {
  std::string text;
  try {
    text = contentsOf(path);
  } catch (const std::system_error &e) {
    throw ConfigurationFileError(path + ": cannot be read: " + e.code().message());
  }
  return readConfiguration(text, path, OriginLines::Named, formatProblem);
}

std::string directorySetting(const ConfiguredValue &directory) {
  return directory.origin == kRunOrigin       ? "--directory of popscope run"
         : directory.origin == kDefaultOrigin ? ""
                                              : "\"directory\" of " + directory.origin;
}

std::string userConfigurationPath(const VariableLookup &variable) {
  const std::string folder = variable("XDG_CONFIG_HOME").value_or("");
  const std::string home = variable("HOME").value_or("");
  return !folder.empty() ? folder + "/popscope/config.json"
         : home.empty()  ? ""
                         : home + "/.config/popscope/config.json";
}

std::string userConfigurationFile(const VariableLookup &variable) {
  std::string path = userConfigurationPath(variable);
  std::error_code error; // for example, the folder may not be searched
  return !path.empty() && std::filesystem::exists(std::filesystem::symlink_status(path, error)) ? path : "";
}

bool asksForProfile(const ConfigurationLayer &layer) {
  if (layer.session.count("template") != 0)
    return true;
  const auto asks = [](const ConfiguredValues &values) {
    return std::any_of(values.begin(), values.end(), [](const auto &value) {
      return value.second.value == "true" &&
             (value.first == "autoReport.all" || value.first == "autoReport.outputGraphProfile" ||
              value.first == "autoReport.outputExecutionProfile");
    });
  };
  return asks(layer.engine) || std::any_of(layer.engines.begin(), layer.engines.end(),
                                           [&](const auto &engine) { return asks(engine.second); });
}

bool turnsProfilesOff(const std::string &profile) { return profile == "0" || profile == "false" || profile == "off"; }

// Reads the layers in order; a later layer wins. The template, the user's file and POPSCOPE_CONFIG lie below the
// program's options. The layer of `popscope run` lies above these options.
Configuration readEnvironmentConfiguration(const VariableLookup &variable, const std::string &profileOrigin) {
  Configuration result;
  result.session["directory"] = {"popscope-profiles", kDefaultOrigin};
  result.session["formats"] = {"", kDefaultOrigin};
  result.session["summary"] = {"false", kDefaultOrigin};
  const std::string profile = variable("POPSCOPE_PROFILE").value_or(""),
                    file = variable("POPSCOPE_CONFIG").value_or(""),
                    run = variable("POPSCOPE_RUN_OPTIONS").value_or(""),
                    trace = variable("POPSCOPE_TRACE").value_or("");
  if (turnsProfilesOff(profile))
    return result; // the variable explicitly turns profiling off
  const bool named = !profile.empty();
  std::vector<ConfigurationLayer> files;
  if (named)
    if (const std::string path = userConfigurationFile(variable); !path.empty()) {
      files.push_back(readConfigurationFile(path));
      result.userFileRead = true;
    }
  if (!file.empty())
    files.push_back(readConfigurationFile(homePath(file)));
  if (!run.empty())
    result.above.push_back(readConfiguration(run, kRunOrigin, OriginLines::None));
  result.on = named || !file.empty() || !run.empty() || !trace.empty();
  ConfiguredValue chosen; // the template that POPSCOPE_PROFILE names, or else the template of the last layer that names
                          // one
  if (!trace.empty())
    chosen = {"trace", "POPSCOPE_TRACE"};
  if (named)
    chosen = {profile, profileOrigin};
  for (const ConfigurationLayer &layer : files)
    if (const auto at = layer.session.find("template"); at != layer.session.end() && (isOnOnly(profile) || !named))
      chosen = at->second;
  if (!chosen.value.empty()) {
    const ProfileTemplate &one = templateOf(chosen.value, chosen.origin);
    result.below.push_back(layerOf(one));
    chosen.value = one.name;
  }
  result.below.insert(result.below.end(), files.begin(), files.end());
  for (const auto *layers : {&result.below, &result.above})
    for (const ConfigurationLayer &layer : *layers)
      for (const auto &[key, value] : layer.session)
        result.session[key] = value;
  if (!trace.empty())
    result.session["trace"] = {trace, "POPSCOPE_TRACE"};
  result.session.erase("template");
  if (!chosen.value.empty())
    result.session["template"] = chosen;
  return result;
}

ConfiguredValues Configuration::engineValues(const std::vector<ConfigurationLayer> &layers, std::size_t engine) {
  ConfiguredValues values;
  for (const ConfigurationLayer &layer : layers) {
    for (const auto &[key, value] : layer.engine)
      values[key] = value;
    if (const auto own = layer.engines.find(engine); own != layer.engines.end())
      for (const auto &[key, value] : own->second)
        values[key] = value;
  }
  return values;
}

} // namespace popscope
