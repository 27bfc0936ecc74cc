// ProfileValue as JSON and CBOR.
#include "base/CheckedSize.hpp"
#include "base/JsonText.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poplar/ProfileValue.hpp>
#include <poplar/exceptions.hpp>

namespace poplar {
namespace {

nlohmann::json numberToJson(const ProfileValue &v) {
  switch (v.numberKind()) {
  case ProfileValue::NumberKind::SIGNED: return v.asInt64();
  case ProfileValue::NumberKind::UNSIGNED: return v.asUint64();
  case ProfileValue::NumberKind::DOUBLE: break;
  }
  return v.asDouble();
}

/// `level` is the number of vectors and maps around the value.
nlohmann::json toJson(const ProfileValue &v, std::uint32_t level = 0) {
  if (level > popscope::kMaxNesting)
    throw poplar_error(fmt::format("a profile value is nested more than {} deep; JSON and CBOR are written only for "
                                   "values that are less deep",
                                   popscope::kMaxNesting));
  switch (v.type()) {
  case ProfileValue::Type::BOOL: return v.asBool();
  case ProfileValue::Type::NUMBER: return numberToJson(v);
  case ProfileValue::Type::STRING: return v.asString();
  case ProfileValue::Type::VECTOR: {
    auto array = nlohmann::json::array();
    for (const ProfileValue &entry : v.asVector())
      array.push_back(toJson(entry, level + 1));
    return array;
  }
  case ProfileValue::Type::MAP: break;
  }
  auto object = nlohmann::json::object();
  for (const auto &entry : v.asMap())
    object[entry.first] = toJson(entry.second, level + 1);
  return object;
}

} // namespace

void serializeToJSON(std::ostream &out, const ProfileValue &val, bool prettyPrint) {
  out << popscope::jsonText(toJson(val), prettyPrint ? 2 : -1);
}

void serializeToCBOR(std::ostream &out, const ProfileValue &val) {
  const std::vector<std::uint8_t> bytes = nlohmann::json::to_cbor(toJson(val));
  out.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::ostream &operator<<(std::ostream &os, const ProfileValue &v) {
  serializeToJSON(os, v);
  return os;
}

} // namespace poplar
