#include "report/pva/DebugRecords.hpp"

#include "base/JsonText.hpp"
#include "report/pop/PopFile.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

namespace pva {
namespace detail {
namespace {

using Json = nlohmann::json;
constexpr std::size_t kMaxDepth = 64; // the parser recurses once per level

[[noreturn]] void refuse(const std::string &path, const std::string &what) {
  throw popscope::ProfileError(path + ": " + what);
}

/// Returns whether arrays and maps nest no deeper than kMaxDepth. Stops at malformed CBOR, which the parser reports.
bool isShallow(const std::string &bytes) {
  std::vector<std::uint64_t> open; // the number of items that each open array or map still expects
  for (std::size_t at = 0; at < bytes.size();) {
    const auto head = static_cast<unsigned char>(bytes[at++]);
    const unsigned major = head >> 5, extra = head & 31;
    std::uint64_t value = extra;
    if (extra >= 24 && extra <= 27) {
      const std::size_t width = std::size_t(1) << (extra - 24);
      value = 0;
      for (std::size_t i = 0; i < width && at < bytes.size(); ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[at++]);
    } else if (extra == 31 && major >= 2 && major <= 5) {
      return false; // an indefinite length: the streamer writes none
    }
    if (major == 2 || major == 3)
      at = value > bytes.size() - at ? bytes.size() : at + value;
    if (!open.empty())
      --open.back();
    if (major == 4 || major == 5)
      open.push_back(major == 5 ? 2 * value : value);
    if (major == 6) // a tag belongs to the next item
      open.push_back(1);
    while (!open.empty() && open.back() == 0)
      open.pop_back();
    if (open.size() > kMaxDepth)
      return false;
  }
  return true;
}

std::string textOf(const Json &object, const char *key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}
std::uint64_t numberOf(const Json &object, const char *key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_number_integer() && *it >= 0 ? it->get<std::uint64_t>() : 0;
}

/// Returns a discarded value for bytes that are no CBOR. The library throws for a stated length beyond any memory, even
/// if the call disables exceptions.
Json cborOf(const std::string &bytes) {
  try {
    return Json::from_cbor(bytes, true, false);
  } catch (const Json::out_of_range &) {
    return Json(Json::value_t::discarded);
  }
}

DebugRecord recordOf(const Json &object) {
  DebugRecord r;
  r.id = numberOf(object, "id");
  r.parent = numberOf(object, "parentId");
  r.layer = textOf(object, "layer");
  r.name = textOf(object, "name");
  if (const auto location = object.find("location"); location != object.end() && location->is_object()) {
    r.file = textOf(*location, "fileName");
    r.function = textOf(*location, "functionName");
    r.line = numberOf(*location, "lineNumber");
  }
  r.json = popscope::jsonText(object);
  return r;
}

} // namespace

DebugRecords readDebugRecords(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    refuse(path, "the debug information cannot be opened");
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!isShallow(bytes))
    refuse(path, "is not debug information: it nests too deeply, or states no lengths");
  const Json root = cborOf(bytes);
  if (root.is_discarded() || !root.is_object() || !root.contains("contexts") || !root["contexts"].is_array())
    refuse(path, "is not debug information: no CBOR map with an array \"contexts\"");
  DebugRecords records;
  records.profile = textOf(root, "profile");
  for (const Json &object : root["contexts"]) {
    if (!object.is_object())
      refuse(path, "is corrupt: a context is no map");
    DebugRecord record = recordOf(object);
    if (record.parent >= record.id || !records.byId.emplace(record.id, records.rows.size()).second)
      refuse(path,
             "is corrupt: context " + std::to_string(record.id) + " comes twice or before the one that it was made in");
    records.rows.push_back(std::move(record));
  }
  return records;
}

} // namespace detail
} // namespace pva
