#include "engine/session/NotedProfiles.hpp"

#include "base/TerminalText.hpp"

#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>

namespace popscope {
namespace {

struct Noted {
  std::mutex mutex;
  std::map<std::string, unsigned> engines; // by path
};

Noted &noted() {
  static auto *all = new Noted; // NOLINT: never destroyed, because engines of static duration begin and end late
  return *all;
}

std::string whereIs(const std::string &path) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(path, ignored).string();
}

} // namespace

void noteProfile(const std::string &path) {
  const std::string where = whereIs(path);
  const std::lock_guard lock(noted().mutex);
  if (++noted().engines[where] == 2)
    printMessage(
        "Popscope: several engines of this program write their profiles to " + path +
        ", and the profile of the engine that ends last stays. Give "
        "each engine a folder of its own (the option autoReport.directory; in Python the argument directory of "
        "popscope.profile), or leave the folder out and set POPSCOPE_PROFILE=1, which gives each engine a "
        "folder.");
}

void forgetProfile(const std::string &path) {
  const std::string where = whereIs(path);
  const std::lock_guard lock(noted().mutex);
  noted().engines.erase(where);
}

} // namespace popscope
