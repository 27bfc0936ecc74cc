#include "report/pva/DebugRecords.hpp"

#include "base/FileErrors.hpp"
#include "base/JsonText.hpp"
#include "report/pop/DebugFile.hpp"
#include "report/pop/PopFile.hpp"

#include <nlohmann/json.hpp>

#include <system_error>

namespace pva {
namespace detail {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string &path, const std::string &what) {
  throw popscope::ProfileError(path + ": " + what);
}

std::string bytesOf(const std::string &path) {
  constexpr std::size_t kMaxBytes = std::size_t(1) << 34;
  try {
    return popscope::contentsOf(path, kMaxBytes);
  } catch (const std::system_error &e) {
    refuse(path, "the debug information cannot be read: " + e.code().message());
  }
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

/// Returns a text of a location: the text itself, or the entry of the table whose number the location contains.
std::string placeOf(const Json &location, const char *key, const Json &table) {
  const auto it = location.find(key);
  if (it == location.end() || !it->is_number_unsigned() || *it >= table.size())
    return textOf(location, key);
  const Json &text = table[it->get<std::size_t>()];
  return text.is_string() ? text.get<std::string>() : std::string();
}

/// Returns the record of a JSON object. `table` is the array "stringTable" of the file, or an empty array.
DebugRecord recordOf(const Json &object, const Json &table) {
  DebugRecord r;
  r.id = numberOf(object, "id");
  r.parent = numberOf(object, "parentId");
  r.layer = textOf(object, "layer");
  r.name = textOf(object, "name");
  if (const auto location = object.find("location"); location != object.end() && location->is_object()) {
    r.file = placeOf(*location, "fileName", table);
    r.function = placeOf(*location, "functionName", table);
    r.line = numberOf(*location, "lineNumber");
  }
  r.json = popscope::jsonText(object);
  return r;
}

} // namespace

DebugRecords readDebugRecords(const std::string &path) {
  const std::string bytes = bytesOf(path);
  if (!popscope::scanCbor(bytes).shallow)
    refuse(path, "is not debug information: it nests too deeply, or states no lengths");
  const Json root = cborOf(bytes);
  if (root.is_discarded() || !root.is_object() || !root.contains("contexts") || !root["contexts"].is_array())
    refuse(path, "is not debug information: no CBOR map with an array \"contexts\"");
  DebugRecords records;
  records.profile = textOf(root, "profile");
  const Json none = Json::array();
  const bool hasTable = root.contains("stringTable") && root["stringTable"].is_array();
  const Json &table = hasTable ? root["stringTable"] : none;
  for (const Json &object : root["contexts"]) {
    if (!object.is_object())
      refuse(path, "is corrupt: a context is no map");
    DebugRecord record = recordOf(object, table);
    if (record.parent >= record.id || !records.byId.emplace(record.id, records.rows.size()).second)
      refuse(path,
             "is corrupt: context " + std::to_string(record.id) + " comes twice or before the one that it was made in");
    records.rows.push_back(std::move(record));
  }
  return records;
}

} // namespace detail
} // namespace pva
