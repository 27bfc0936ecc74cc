// Named sets of engine options and exports: what POPSCOPE_PROFILE=NAME and popscope run --template NAME switch on.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace popscope {

struct ProfileTemplate {
  const char *name, *help;
  const char *cost;                                           // measured on examples/mlp, see docs/CONFIGURATION.md
  std::vector<std::pair<const char *, const char *>> options; // engine options
  const char *formats; // of popscope export, separated by commas, when an engine ends; "" = none
  bool summary;        // summary.txt beside the profile
};
/// "default", which POPSCOPE_PROFILE=1 means, is the first.
[[nodiscard]] const std::vector<ProfileTemplate> &profileTemplates();
/// null = there is none of this name.
[[nodiscard]] const ProfileTemplate *findProfileTemplate(const std::string &name);

} // namespace popscope
