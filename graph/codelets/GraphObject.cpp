#include "graph/codelets/GraphObject.hpp"

#include "base/JsonText.hpp"
#include "graph/codelets/ContentHash.hpp"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <poplar/exceptions.hpp>
#include <set>

namespace popscope {
namespace {

using Json = nlohmann::json;
constexpr char kMagic[] = "POPSCPGP";
constexpr std::size_t kHeaderBytes = 20;
constexpr std::uint32_t kVersion = 1;

void putNumber(std::string &out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i, value >>= 8)
    out += static_cast<char>(value & 0xff);
}

std::uint64_t getNumber(const std::string &in, std::size_t at, int bytes) {
  std::uint64_t value = 0;
  for (int i = bytes; i-- > 0;)
    value = (value << 8) | static_cast<unsigned char>(in[at + static_cast<std::size_t>(i)]);
  return value;
}

class BlobWriter {
public:
  int add(const std::string &content) {
    if (content.empty())
      return -1;
    const auto [at, added] = known_.insert({content, static_cast<int>(index.size())});
    if (added) {
      index.push_back({{"offset", blobs.size()}, {"size", content.size()}, {"hash", ContentHash().add(content).hex()}});
      blobs += content;
    }
    return at->second;
  }
  Json index = Json::array();
  std::string blobs;

private:
  std::map<std::string, int> known_; // content -> number; a content that targets share is stored once
};

[[noreturn]] void refuse(const std::string &name, const std::string &why) {
  throw poplar::graph_object_load_error(name + ": " + why + "; make the graph object again with popc");
}

std::string readBlob(const std::string &name, const std::string &bytes, std::size_t begin, const Json &index,
                     int number) {
  if (number < 0)
    return "";
  const Json &blob = index.at(static_cast<std::size_t>(number));
  const auto offset = blob.at("offset").get<std::uint64_t>(), size = blob.at("size").get<std::uint64_t>();
  const std::uint64_t available = bytes.size() - begin;
  if (offset > available || size > available - offset)
    refuse(name, "the file is cut off");
  std::string content = bytes.substr(begin + offset, size);
  if (ContentHash().add(content).hex() != blob.at("hash").get<std::string>())
    refuse(name, "the file is damaged");
  return content;
}

} // namespace

std::string writeGraphObject(const std::vector<GraphObjectEntry> &entries) {
  BlobWriter blobs;
  Json objects = Json::array();
  for (const GraphObjectEntry &e : entries)
    objects.push_back({{"source", e.source},
                       {"sourceHash", ContentHash().add(e.text).hex()},
                       {"classes", blobs.add(e.classes)},
                       {"target", e.target},
                       {"architecture", e.architecture.empty() ? e.target : e.architecture},
                       {"halfAsFloat", e.halfAsFloat},
                       {"flags", e.flags},
                       {"standInProblem", e.standInProblem},
                       {"missing", e.missing},
                       {"sharedObject", blobs.add(e.sharedObject)},
                       {"standInImage", blobs.add(e.standInImage)},
                       {"hostObject", blobs.add(e.hostObject)},
                       {"standInObject", blobs.add(e.standInObject)},
                       {"hostFunctions", blobs.add(e.hostFunctions)},
                       {"standInFunctions", blobs.add(e.standInFunctions)},
                       {"text", blobs.add(e.text)}});
  const std::string index =
      Json{{"objects", objects}, {"blobs", blobs.index}}.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out(kMagic, 8);
  putNumber(out, kVersion, 4);
  putNumber(out, index.size(), 8);
  return out + index + blobs.blobs;
}

namespace {

struct Archive {
  std::size_t begin = 0;
  Json index;
};

Archive openArchive(const std::string &name, const std::string &bytes) {
  if (bytes.size() < kHeaderBytes || bytes.compare(0, 8, kMagic) != 0)
    refuse(name, "not a graph object of Popscope");
  if (getNumber(bytes, 8, 4) != kVersion)
    refuse(name, "the graph object has format version " + std::to_string(getNumber(bytes, 8, 4)) +
                     ", this library reads " + std::to_string(kVersion));
  const std::uint64_t length = getNumber(bytes, 12, 8);
  if (length > bytes.size() - kHeaderBytes)
    refuse(name, "the file is cut off");
  return {kHeaderBytes + length, jsonOf(bytes.substr(kHeaderBytes, length))};
}

GraphObjectEntry readEntry(const std::string &name, const std::string &bytes, const Archive &archive,
                           const Json &object, bool withText) {
  const Json &blobs = archive.index.at("blobs");
  const auto read = [&](const char *field) {
    return readBlob(name, bytes, archive.begin, blobs, object.at(field).get<int>());
  };
  GraphObjectEntry e;
  e.source = object.at("source").get<std::string>();
  e.sourceHash = object.at("sourceHash").get<std::string>();
  e.target = object.at("target").get<std::string>();
  e.architecture = object.at("architecture").get<std::string>();
  e.halfAsFloat = object.at("halfAsFloat").get<bool>();
  e.flags = object.at("flags").get<std::string>();
  e.classes = read("classes");
  e.standInProblem = object.at("standInProblem").get<std::string>();
  e.sharedObject = read("sharedObject");
  e.standInImage = read("standInImage");
  e.hostObject = read("hostObject");
  e.standInObject = read("standInObject");
  e.hostFunctions = read("hostFunctions");
  e.standInFunctions = read("standInFunctions");
  e.missing = object.at("missing").get<std::vector<std::string>>();
  if (!withText)
    return e;
  e.text = read("text");
  if (ContentHash().add(e.text).hex() != e.sourceHash)
    refuse(name, "the source of " + e.source + " is not the one that was compiled");
  return e;
}

} // namespace

std::vector<GraphObjectEntry> readGraphObject(const std::string &name, const std::string &bytes) {
  const Archive archive = openArchive(name, bytes);
  std::vector<GraphObjectEntry> entries;
  try {
    for (const Json &object : archive.index.at("objects"))
      entries.push_back(readEntry(name, bytes, archive, object, true));
  } catch (const Json::exception &) {
    refuse(name, "its index is damaged");
  }
  return entries;
}

std::vector<GraphObjectEntry> readGraphObject(const std::string &name, const std::string &bytes,
                                              const std::string &target, bool halfAsFloat,
                                              std::vector<std::string> &targets) {
  const Archive archive = openArchive(name, bytes);
  std::vector<GraphObjectEntry> entries;
  std::set<std::string> names;
  try {
    for (const Json &object : archive.index.at("objects")) {
      names.insert(object.at("target").get<std::string>());
      if (object.at("target").get<std::string>() == target && object.at("halfAsFloat").get<bool>() == halfAsFloat)
        entries.push_back(readEntry(name, bytes, archive, object, false));
    }
  } catch (const Json::exception &) {
    refuse(name, "its index is damaged");
  }
  targets.assign(names.begin(), names.end());
  return entries;
}

} // namespace popscope
