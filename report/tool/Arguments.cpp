#include "report/tool/Arguments.hpp"

#include "base/DebugStreamer.hpp"
#include "base/TerminalText.hpp"
#include "base/settings/ProfileTemplates.hpp"
#include "report/answers/Selection.hpp"
#include "report/export/Formats.hpp"
#include "report/pop/DebugFile.hpp"
#include "report/pop/PopReader.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <utility>

namespace popscope {

namespace {

/// Returns whether the text is a whole number that is larger than any number that readWhole accepts.
bool isTooLarge(const std::string &text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos && !readWhole(text);
}

} // namespace

CLI::Option *addWhole(CLI::App &app, const std::string &names, std::optional<std::uint64_t> &value, NumberRange range,
                      const std::string &help) {
  return app
      .add_option_function<std::string>(
          names,
          [&value, range, names](const std::string &text) {
            value = readWhole(text, range);
            if (!value)
              throw CLI::ValidationError(names.substr(names.find("--") == std::string::npos ? 0 : names.find("--")),
                                         "\"" + text + "\" is not allowed; give " +
                                             (isTooLarge(text) ? "a whole number from " + std::to_string(range.min) +
                                                                     " to " + std::to_string(range.max)
                                                               : describeRange(range)));
          },
          help)
      ->type_name("N");
}

std::function<std::string(const std::string &)> oneOf(std::vector<std::string> values) {
  return [values = std::move(values)](const std::string &text) { return notOneOf(values, text); };
}

std::string templateNames() {
  std::string names;
  for (const ProfileTemplate &one : profileTemplates())
    names += (names.empty() ? "" : "|") + std::string(one.name);
  return names;
}

std::string formatNames() {
  std::string names;
  for (const FormatRow &row : exportFormats())
    names += std::string(row.name) + "|";
  return names + kMsprof;
}

CLI::Option *addColour(CLI::App &app, std::shared_ptr<std::string> when) {
  *when = "auto";
  return app
      .add_flag("--color,--colour", *when,
                "Colour the output: --color=auto, always or never; --color alone means always; CLICOLOR_FORCE=1 and "
                "CLICOLOR=0 take precedence; default auto")
      ->type_name("auto|always|never")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->check([when](const std::string &text) { // keeps `when` alive as long as the option
        const bool good = text == "auto" || text == "always" || text == "never" || text == "true";
        return good ? std::string() : "\"" + text + "\" is not allowed; give auto, always or never";
      });
}

std::shared_ptr<std::string> profileArgument(CLI::App &app, bool required) {
  auto path = std::make_shared<std::string>();
  app.add_option("profile", *path, "Profile to read")
      ->required(required)
      ->type_name("FILE")
      ->check([path](const std::string &text) {
        return text == "-" ? std::string("a profile is read from a file, not from standard input") : std::string();
      });
  return path;
}

std::string debugFileOf(const std::string &profile, const std::string &asked) {
  namespace fs = std::filesystem;
  if (!asked.empty())
    return asked;
  std::error_code error;
  const fs::path beside = fs::path(profile).parent_path() / "debug.cbor";
  if (!fs::is_regular_file(beside, error))
    return "";
  try {
    checkDebugFile(beside.string());
  } catch (const ProfileError &e) {
    std::cerr << messageText(std::string("Popscope: ") + e.what() + "; names and places in the code are left out.")
              << "\n";
    return "";
  }
  const std::string id = readDebugInfoId(beside.string());
  try {
    const std::string ofProfile = id.empty() ? "" : readMeta(*openPop(profile)).debugInfo;
    if (ofProfile != id) {
      std::cerr << messageText(ofProfile.empty()
                                   ? "Popscope: " + profile + " has no debug ids, so " + beside.string() +
                                         " is not used."
                                   : "Popscope: " + beside.string() + " belongs to another profile than " + profile +
                                         "; names and places in the code are left out.")
                << "\n";
      return "";
    }
  } catch (const ProfileError &) { // the code that opens the profile reports its faults
  }
  return beside.string();
}

std::shared_ptr<std::string> folderArgument(CLI::App &app) {
  auto path = std::make_shared<std::string>();
  app.add_option("folder", *path, "Folder of profiles, with its subfolders")->required()->type_name("DIR");
  return path;
}

} // namespace popscope
