// ProfileValue as JSON and CBOR.
#include "base/JsonText.hpp"

#include <nlohmann/json.hpp>
#include <poplar/ProfileValue.hpp>

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

nlohmann::json toJson(const ProfileValue &v) {
  switch (v.type()) {
  case ProfileValue::Type::BOOL: return v.asBool();
  case ProfileValue::Type::NUMBER: return numberToJson(v);
  case ProfileValue::Type::STRING: return v.asString();
  case ProfileValue::Type::VECTOR: {
    auto array = nlohmann::json::array();
    for (const ProfileValue &entry : v.asVector())
      array.push_back(toJson(entry));
    return array;
  }
  case ProfileValue::Type::MAP: break;
  }
  auto object = nlohmann::json::object();
  for (const auto &entry : v.asMap())
    object[entry.first] = toJson(entry.second);
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
