// What a user asks of profiles from outside of the program: the layers, in the order in which a later one wins.
//
//   default < template < user's file < POPSCOPE_CONFIG < (program) < POPLAR_RUNTIME_OPTIONS < POPLAR_ENGINE_OPTIONS <
//   popscope run
//
// Nothing is on without POPSCOPE_PROFILE, POPSCOPE_CONFIG, POPSCOPE_TRACE=FILE (a trace, to that file) or popscope run.
// POPSCOPE_PROFILE takes the template (1 = "default") and the user's file, $XDG_CONFIG_HOME/popscope/config.json;
// POPSCOPE_CONFIG alone means what its file says and nothing else.
//
//   { // JSON, with comments
//     "template": "memory", "directory": "reports", "formats": ["svg", "csv"], "summary": true,
//     "engine": {"autoReport.executionProfileProgramRunCount": 5},     or a text: "{\"autoReport...\": 5}"
//     "engines": {"2": {"debug.instrument": false}}                    of the second engine of the process alone
//   }
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace popscope {

/// A mistake in a configuration: one line that names the file, the line and the nearest key.
class ConfigurationError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

struct ConfiguredValue {
  std::string value, origin;
};
using ConfiguredValues = std::map<std::string, ConfiguredValue>;

/// One source, as it was read.
struct ConfigurationLayer {
  std::string origin;                              // "template memory", a path ...
  ConfiguredValues session;                        // template, directory, formats, summary, trace
  ConfiguredValues engine;                         // engine options
  std::map<std::size_t, ConfiguredValues> engines; // of the n-th engine, from 1
};
/// Throws ConfigurationError.
[[nodiscard]] ConfigurationLayer readConfiguration(const std::string &text, const std::string &origin);
/// Whether the layer alone, without POPSCOPE_PROFILE and the program's own options, makes an engine write a profile:
/// by a template, or an option that asks for one.
[[nodiscard]] bool asksForProfile(const ConfigurationLayer &layer);
/// What to write where none is asked for; for the end of a message.
inline constexpr const char *kHowToAskForProfile =
    "write \"template\": \"default\" into it, or \"engine\": {\"autoReport.all\": true}, or set POPSCOPE_PROFILE=1";
/// The same of a file. Throws ConfigurationError, also when it cannot be read.
[[nodiscard]] ConfigurationLayer readConfigurationFile(const std::string &path);

struct Configuration {
  bool on = false;                              // a session: profiles are written when engines end
  ConfiguredValues session;                     // template (only if there is one), directory, formats, summary
  std::vector<ConfigurationLayer> below, above; // the program's own options, in the order in which a later one wins
  /// Engine options of these layers for the n-th engine, from 1; those of no engine in particular for 0.
  [[nodiscard]] static ConfiguredValues engineValues(const std::vector<ConfigurationLayer> &layers, std::size_t engine);
};
using VariableLookup = std::function<std::optional<std::string>(const std::string &)>;
/// Reads environment and files. Throws ConfigurationError.
[[nodiscard]] Configuration readEnvironmentConfiguration(const VariableLookup &variable);
/// Where the user's file is looked for; "" without a home.
[[nodiscard]] std::string userConfigurationPath(const VariableLookup &variable);

} // namespace popscope
