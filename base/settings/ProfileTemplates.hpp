// Templates: named sets of engine options and exports. POPSCOPE_PROFILE=NAME and popscope run --template NAME select a
// template.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace popscope {

struct ProfileTemplate {
  const char *name, *help;
  const char *cost;                                           // CPU time and size of all files, measured on
                                                              // examples/mlp; see docs/CONFIGURATION.md
  std::vector<std::pair<const char *, const char *>> options; // engine options
  /// Formats of popscope export in which the profile is written when an engine ends, separated by commas; "" if there
  /// are none.
  const char *formats;
  bool summary; // true: summary.txt is written next to the profile
};
/// Returns the templates. The first template is "default", which POPSCOPE_PROFILE=1 selects unless a configuration file
/// names a template.
[[nodiscard]] const std::vector<ProfileTemplate> &profileTemplates();
/// Returns the template of this name, or null.
[[nodiscard]] const ProfileTemplate *findProfileTemplate(const std::string &name);

} // namespace popscope
