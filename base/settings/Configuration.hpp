// Settings that come from outside a program and request profiles. "(program)" stands for the options that the program
// itself sets. The layers of settings, in ascending order of precedence:
//
//   default < template < user's file < POPSCOPE_CONFIG < (program) < POPLAR_RUNTIME_OPTIONS < POPLAR_ENGINE_OPTIONS
//           < popscope run
//
// POPSCOPE_TRACE=FILE writes a trace to FILE. If POPSCOPE_PROFILE is not set and no file names a template,
// POPSCOPE_TRACE selects the template "trace". Without popscope run, and without the variables POPSCOPE_PROFILE,
// POPSCOPE_CONFIG and POPSCOPE_TRACE, only these layers apply: default, (program), POPLAR_RUNTIME_OPTIONS and
// POPLAR_ENGINE_OPTIONS. POPSCOPE_PROFILE names the template. The values 1, true and on select the template that a file
// names or, if no file names one, the template "default". If POPSCOPE_PROFILE is set and does not turn profiles off,
// Popscope also reads the user's file. This file is $XDG_CONFIG_HOME/popscope/config.json or, if XDG_CONFIG_HOME is not
// set, ~/.config/popscope/config.json. If only POPSCOPE_CONFIG is set, the user's file is not read. The values 0, false
// and off of POPSCOPE_PROFILE also turn POPSCOPE_CONFIG and POPSCOPE_TRACE off. However, popscope run treats these
// values as 1.
//
//   { // JSON, with comments
//     "template": "memory", "directory": "reports", "formats": ["svg", "csv"], "summary": true,
//     "engine": {"autoReport.executionProfileProgramRunCount": 5},     or a text: "{\"autoReport...\": 5}"
//     "engines": {"2": {"debug.instrument": false}}                    only for the second engine of the process
//   }
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace popscope {

/// The error for mistakes in a configuration. The message has one line for each mistake. For a mistake in a file, this
/// line contains the path of the file and the line number. For an unknown key, the line also contains the nearest key,
/// if a key is near enough.
class ConfigurationError : public std::runtime_error {
public:
  explicit ConfigurationError(const std::string &mistake) : ConfigurationError(std::vector<std::string>{mistake}) {}
  explicit ConfigurationError(const std::vector<std::string> &mistakes);
  /// Returns the message in one line, with "; " between two mistakes.
  [[nodiscard]] const std::string &inOneLine() const { return inOneLine_; }

private:
  std::string inOneLine_;
};

/// The error for a configuration file that cannot be read.
class ConfigurationFileError : public ConfigurationError {
public:
  using ConfigurationError::ConfigurationError;
};

struct ConfiguredValue {
  std::string value, origin;
};
using ConfiguredValues = std::map<std::string, ConfiguredValue>;

/// The settings from one source.
struct ConfigurationLayer {
  std::string origin;                              // name of the source for messages: "template memory", a path ...
  ConfiguredValues session;                        // template, directory, formats, summary, trace
  ConfiguredValues engine;                         // engine options
  std::map<std::size_t, ConfiguredValues> engines; // options of single engines, by the number of the engine, counted
                                                   // from 1
};
/// The choice whether messages and the origins of values contain line numbers. OriginLines::None is for texts that
/// Popscope itself wrote.
enum class OriginLines : std::uint8_t { Named, None };
/// Returns the message about an unknown name of a format, or "" for a known format. The caller passes this function,
/// because the module `report` has the list of formats, and this module cannot include `report`.
using FormatProblem = std::function<std::string(const std::string &name)>;
/// Reads a configuration from text. `origin` is the name of the text in messages. If the text has mistakes, throws
/// ConfigurationError with all of them. Without `formatProblem`, "formats" may contain any names.
[[nodiscard]] ConfigurationLayer readConfiguration(const std::string &text, const std::string &origin,
                                                   OriginLines lines = OriginLines::Named,
                                                   const FormatProblem &formatProblem = {});
/// The origin of values from the command line of popscope run.
inline constexpr const char *kRunOrigin = "popscope run";
/// Returns whether this layer alone makes an engine write a profile, by a template or by an option that requests a
/// profile. POPSCOPE_PROFILE and the program's own options are not considered.
[[nodiscard]] bool asksForProfile(const ConfigurationLayer &layer);
/// The end of a message to a user whose configuration does not request a profile.
inline constexpr const char *kHowToAskForProfile =
    "write \"template\": \"default\" into it, or \"engine\": {\"autoReport.all\": true}, or set POPSCOPE_PROFILE=1";
/// Reads a configuration file. Throws ConfigurationFileError if the file cannot be read, and ConfigurationError for
/// mistakes in the file.
[[nodiscard]] ConfigurationLayer readConfigurationFile(const std::string &path,
                                                       const FormatProblem &formatProblem = {});
/// Returns the keys of a configuration file, except "engine" and "engines".
[[nodiscard]] const std::vector<std::string> &sessionKeys();

struct Configuration {
  bool on = false;                              // true: the process is a session, whose engines write the requested
                                                // profiles
  bool userFileRead = false;                    // whether the user's file was read
  ConfiguredValues session;                     // directory, formats, summary; if requested, template and trace
  std::vector<ConfigurationLayer> below, above; // layers below and above the program's own options, in ascending order
                                                // of precedence
  /// Returns the engine options of these layers for engine number `engine`, counted from 1. If `engine` is 0, returns
  /// the options that apply to all engines.
  [[nodiscard]] static ConfiguredValues engineValues(const std::vector<ConfigurationLayer> &layers, std::size_t engine);
};
/// Returns whether this value of POPSCOPE_PROFILE turns profiles off.
[[nodiscard]] bool turnsProfilesOff(const std::string &profile);
using VariableLookup = std::function<std::optional<std::string>(const std::string &)>;
/// Reads the configuration from the environment and from the files that the environment names. Throws
/// ConfigurationError for a mistake in the variables or in a file. Also throws ConfigurationError if the file of
/// POPSCOPE_CONFIG cannot be read, or if the user's file exists but cannot be read. `profileOrigin` is the name of the
/// setting from which the value of POPSCOPE_PROFILE comes. Messages and the origins of values contain this name.
[[nodiscard]] Configuration readEnvironmentConfiguration(const VariableLookup &variable,
                                                         const std::string &profileOrigin = "POPSCOPE_PROFILE");
/// Returns the name of the setting that chose the folder of profiles, for a message. Examples are "--directory of
/// popscope run" and "\"directory\" of settings.json:3". Returns "" for the default folder.
[[nodiscard]] std::string directorySetting(const ConfiguredValue &directory);
/// Returns the path of the user's file, whether the file exists or not. Returns "" if neither XDG_CONFIG_HOME nor HOME
/// is set.
[[nodiscard]] std::string userConfigurationPath(const VariableLookup &variable);
/// Returns userConfigurationPath() if a file or a link exists at this path, and otherwise "".
[[nodiscard]] std::string userConfigurationFile(const VariableLookup &variable);

} // namespace popscope
