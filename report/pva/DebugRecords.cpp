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

struct Scan {
  bool shallow = true; // arrays and maps nest no deeper than kMaxDepth, and state their lengths
  bool whole = false;  // the bytes are one item, and no byte is missing or left over
};

/// Scans CBOR without building its values. Does not detect all malformed CBOR; the parser reports the rest.
Scan scan(const std::string &bytes) {
  constexpr Scan kDeep{false, false};
  std::vector<std::uint64_t> open; // the number of items that each open array or map still expects
  for (std::size_t at = 0; at < bytes.size();) {
    const auto head = static_cast<unsigned char>(bytes[at++]);
    const unsigned major = head >> 5, extra = head & 31;
    std::uint64_t value = extra;
    if (extra >= 24 && extra <= 27) {
      const std::size_t width = std::size_t(1) << (extra - 24);
      value = 0;
      if (width > bytes.size() - at)
        return {};
      for (std::size_t i = 0; i < width; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[at++]);
    } else if (extra == 31 && major >= 2 && major <= 5) {
      return kDeep; // an indefinite length: the streamer writes none
    }
    if (major == 2 || major == 3) {
      if (value > bytes.size() - at)
        return {};
      at += value;
    }
    if (!open.empty())
      --open.back();
    if (major == 4 || major == 5)
      open.push_back(major == 5 ? 2 * value : value);
    if (major == 6) // a tag belongs to the next item
      open.push_back(1);
    while (!open.empty() && open.back() == 0)
      open.pop_back();
    if (open.size() > kMaxDepth)
      return kDeep;
    if (open.empty())
      return {true, at == bytes.size()};
  }
  return {};
}

std::string bytesOf(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    refuse(path, "the debug information cannot be opened");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
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

void checkDebugFile(const std::string &path) {
  const std::string bytes = bytesOf(path);
  const bool isMap = !bytes.empty() && static_cast<unsigned char>(bytes[0]) >> 5 == 5;
  if (!isMap || !scan(bytes).whole || bytes.find("contexts") == std::string::npos)
    refuse(path, "is damaged: it is not one whole CBOR map with \"contexts\"");
}

DebugRecords readDebugRecords(const std::string &path) {
  const std::string bytes = bytesOf(path);
  if (!scan(bytes).shallow)
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
