#include "base/DebugSites.hpp"

#include <mutex>
#include <set>
#include <string_view>
#include <vector>

namespace popscope {
namespace {

// Reads a private member. The public class has no accessor for its location, because every program includes its header.
template <poplar::SourceLocation poplar::DebugContext::*Member> struct Location {
  friend const poplar::SourceLocation &locationOf(const poplar::DebugContext &context) { return context.*Member; }
};
const poplar::SourceLocation &locationOf(const poplar::DebugContext &context);
template struct Location<&poplar::DebugContext::location_>;

/// Returns `at`, or an invalid location if `at` is not in the user's code. Constructors in our header make some
/// contexts themselves, and containers of the standard library construct programs (emplace_back).
poplar::SourceLocation usersPlace(const poplar::SourceLocation &at) {
  const std::string file = at.isValid() ? at.getFileName().cloneAsString() : std::string();
  const bool ours = std::string_view(file).ends_with("poplar/Program.hpp");
  const bool library = file.find("/include/c++/") != std::string::npos;
  return ours || library ? poplar::SourceLocation() : at;
}

struct Site {
  std::string name;
  const std::string *function, *file;
  unsigned line;
};

constexpr std::size_t kMaxSites = std::size_t(1) << 20;

struct Sites {
  std::mutex mutex;
  std::vector<Site> rows; // by id
  std::set<std::string> texts;
};

Sites &sites() {
  static Sites *instance = new Sites; // NOLINT: never destroyed, because programs of other statics may outlive main
  return *instance;
}

} // namespace

poplar::DebugId debugIdOf(const poplar::DebugContext &context) {
  if (context.getParentId() != 0)
    return context.getParentId();
  const poplar::SourceLocation at = usersPlace(locationOf(context));
  if (!at.isValid() && context.getPathName().empty())
    return 0;
  Sites &s = sites();
  const std::lock_guard<std::mutex> lock(s.mutex);
  if (s.rows.size() >= kMaxSites)
    return 0;
  const auto kept = [&](const poplar::StringRef &text) { return &*s.texts.insert(text.cloneAsString()).first; };
  s.rows.push_back({context.getPathName(), kept(at.getFunctionName()), kept(at.getFileName()),
                    at.isValid() ? at.getLineNumber() : 0});
  return kFirstDebugSite + s.rows.size() - 1;
}

std::optional<DebugSite> debugSite(poplar::DebugId id) {
  Sites &s = sites();
  const std::lock_guard<std::mutex> lock(s.mutex);
  if (!isDebugSite(id) || id - kFirstDebugSite >= s.rows.size())
    return std::nullopt;
  const Site &site = s.rows[id - kFirstDebugSite];
  return DebugSite{site.name, *site.function, *site.file, site.line};
}

} // namespace popscope
