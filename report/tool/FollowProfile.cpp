#include "report/tool/FollowProfile.hpp"

#include "report/html/WriteHtml.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pop/ReplaceFile.hpp"
#include "report/tool/LoopbackServer.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <system_error>

namespace popscope {
namespace {

namespace fs = std::filesystem;

/// Returns a text that changes whenever the file or its log changes, or "" if there is no file.
std::string stateOf(const std::string &file) {
  std::string state;
  for (const char *part : {"", "-wal"}) {
    std::error_code error;
    const auto size = fs::file_size(file + part, error);
    if (error)
      continue;
    const auto changed = fs::last_write_time(file + part, error).time_since_epoch().count();
    state += part + std::to_string(size) + "@" + std::to_string(changed) + " ";
  }
  return state;
}

std::string bytesOf(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// Returns the contents of an address: the page, "state", "profile", "answers" (about the profile that was sent last)
/// or "debug".
Answer answerTo(const std::string &path, const std::string &profile, const std::string &page,
                const FollowCallbacks &callbacks, std::string &sent) {
  if (path.empty())
    return {200, "text/html; charset=utf-8", page};
  const std::string file = followedFile(profile);
  if (path == "state")
    return {200, "text/plain; charset=utf-8", file.empty() ? "" : stateOf(file)};
  if (path == "debug") {
    const fs::path debug = fs::path(file).parent_path() / "debug.cbor";
    return fs::is_regular_file(debug) ? Answer{200, "application/octet-stream", bytesOf(debug.string())}
                                      : Answer{404, "text/plain", "There is no debug.cbor yet.\n"};
  }
  if (path == "answers")
    return {200, "application/json", sent.empty() ? "" : callbacks.answers(sent)};
  if (path != "profile")
    return {404, "text/plain", "There is nothing here.\n"};
  try { // the file may not exist yet, or may just be renamed: the page asks again
    sent = popImage(*openPop(file));
    return {200, "application/octet-stream", sent};
  } catch (const std::exception &problem) {
    return {503, "text/plain; charset=utf-8", std::string(problem.what()) + "\n"};
  }
}

} // namespace

std::string followedFile(const std::string &profile) {
  const fs::path given(profile);
  std::error_code error;
  const bool folder = fs::is_directory(given, error);
  const std::string stem = folder ? "" : given.stem().string();
  std::string newest;
  fs::file_time_type latest = fs::file_time_type::min();
  for (const fs::directory_entry &entry :
       fs::directory_iterator(folder ? given : fs::absolute(given, error).parent_path(), error)) {
    const fs::path &path = entry.path();
    const std::string name = path.stem().string();
    const bool ours = path.extension() == ".pop" && (folder || name == stem || name.rfind(stem + "_", 0) == 0 ||
                                                     isTemporaryName(path.filename().string()));
    if (!ours || !entry.is_regular_file(error))
      continue;
    auto changed = entry.last_write_time(error);
    if (const auto log = fs::last_write_time(path.string() + "-wal", error); !error)
      changed = std::max(changed, log);
    if (changed > latest) {
      latest = changed;
      newest = path.string();
    }
  }
  return newest;
}

void followProfile(const std::string &profile, const std::string &viewer, const FollowCallbacks &callbacks,
                   std::ostream &out) {
  const std::string page = followingPage(viewer, fs::path(profile).filename().string());
  std::string sent; // the image of the profile
  serveLoopback([&](const std::string &path) { return answerTo(path, profile, page, callbacks, sent); },
                [&](const std::string &address) {
                  out << address << std::endl; // flushed now, because a browser may take over the terminal
                  if (!callbacks.open(address))
                    out << "No browser could be started here: open this address in one. Ctrl-C ends the command."
                        << std::endl;
                });
}

} // namespace popscope
