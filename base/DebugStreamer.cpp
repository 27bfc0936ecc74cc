#include "base/DebugStreamer.hpp"

#include "base/WholeFile.hpp"

#include <atomic>
#include <fstream>
#include <map>
#include <mutex>
#include <poplar/exceptions.hpp>
#include <sstream>
#include <system_error>

namespace popscope {
namespace {

constexpr const char *kIdKey = "profile"; // first, so that readers of the key need not read the whole file
constexpr std::size_t kKeptBytes = std::size_t(64) << 20;

struct Streamer {
  std::mutex mutex;
  bool isOpen = false;
  std::string fileName;
  poplar::DebugSerializationFormat format = poplar::DebugSerializationFormat::CBOR;
  std::map<poplar::DebugId, poplar::ProfileValue> records;
  // The CBOR of each record, for writeDebugInfo(). CBOR is much smaller than the record's tree.
  std::map<poplar::DebugId, std::string> ended, going;
  std::size_t endedBytes = 0, dropped = 0;
};

Streamer &streamer() {
  static Streamer *instance = new Streamer; // NOLINT: never destroyed, because DebugInfos of other statics may outlive
                                            // main
  return *instance;
}

std::string cborOf(const poplar::ProfileValue::Map &record) {
  std::ostringstream bytes;
  poplar::serializeToCBOR(bytes, poplar::ProfileValue(record));
  return bytes.str();
}

/// Returns the head of a CBOR item: its major type and its number (RFC 8949, section 3).
std::string cborHead(unsigned major, std::uint64_t number) {
  const auto first = [major](unsigned extra) { return std::string(1, static_cast<char>(major << 5 | extra)); };
  if (number < 24)
    return first(static_cast<unsigned>(number));
  std::string head = first(27);
  for (int shift = 56; shift >= 0; shift -= 8)
    head.push_back(static_cast<char>(number >> shift & 0xFF));
  return head;
}

/// The table of texts in a file of initializeStreamer(). As in Poplar's file, a location contains the numbers of its
/// texts.
class StringTable {
public:
  /// Replaces the texts of the record's location by their numbers.
  void numberLocation(poplar::ProfileValue::Map &record) {
    const auto location = record.find("location");
    if (location == record.end())
      return;
    poplar::ProfileValue::Map &map = location->second.asMap();
    for (const char *key : {"fileName", "functionName"})
      if (const auto text = map.find(key); text != map.end())
        text->second = poplar::ProfileValue(numberOf(text->second.asString()));
  }
  poplar::ProfileValue::Vector texts;

private:
  std::uint64_t numberOf(const std::string &text) {
    const auto [at, added] = numbers_.emplace(text, texts.size());
    if (added)
      texts.emplace_back(text);
    return at->second;
  }
  std::map<std::string, std::uint64_t> numbers_;
};

std::string cborText(const std::string &text) { return cborHead(3, text.size()) + text; }

} // namespace

poplar::DebugId nextDebugId() {
  static std::atomic<poplar::DebugId> last{0};
  return ++last;
}

void recordDebugInfo(poplar::ProfileValue::Map &&record) noexcept {
  try {
    Streamer &s = streamer();
    const std::lock_guard<std::mutex> lock(s.mutex);
    const poplar::DebugId id = record.at("id").asUint64();
    s.going.erase(id);
    if (std::string bytes = cborOf(record); s.endedBytes + bytes.size() <= kKeptBytes) {
      s.endedBytes += bytes.size();
      s.ended.emplace(id, std::move(bytes));
    } else {
      ++s.dropped;
    }
    if (!s.isOpen)
      return;
    s.records.emplace(id, std::move(record));
  } catch (const std::bad_alloc &) { // a destructor calls this, and losing the record is better than ending the program
  }
}

void beginDebugInfo(const poplar::ProfileValue::Map &record) {
  Streamer &s = streamer();
  const std::lock_guard<std::mutex> lock(s.mutex);
  s.going.emplace(record.at("id").asUint64(), cborOf(record));
}

DebugInfoRecords debugInfoRecords(const std::vector<poplar::ProfileValue::Map> &more) {
  Streamer &s = streamer();
  const std::lock_guard<std::mutex> lock(s.mutex);
  std::map<poplar::DebugId, const std::string *> all; // sorted by id, because a record refers only to earlier records
  for (const auto *records : {&s.ended, &s.going})
    for (const auto &[id, bytes] : *records)
      all.emplace(id, &bytes);
  DebugInfoRecords result;
  for (const auto &[id, bytes] : all)
    result.bytes += *bytes;
  for (const poplar::ProfileValue::Map &record : more)
    result.bytes += cborOf(record);
  result.count = all.size() + more.size();
  result.dropped = s.dropped;
  return result;
}

void writeDebugInfo(const std::string &path, const DebugInfoRecords &records, const std::string &id) {
  NewFile file(path);
  file.stream() << cborHead(5, records.dropped == 0 ? 2 : 3) << cborText(kIdKey) << cborText(id) << cborText("contexts")
                << cborHead(4, records.count) << records.bytes;
  if (records.dropped != 0)
    file.stream() << cborText("dropped") << cborHead(0, records.dropped);
  file.publish();
}

std::string readDebugInfoId(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes(1 + cborText(kIdKey).size() + 9 + 256, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  const std::string key = cborText(kIdKey);
  if (bytes.size() < key.size() + 2 || bytes.compare(1, key.size(), key) != 0)
    return "";
  for (std::size_t length = 0; length <= 256; ++length)
    if (const std::string head = cborHead(3, length); bytes.compare(1 + key.size(), head.size(), head) == 0)
      return bytes.substr(1 + key.size() + head.size(), length);
  return "";
}

void openDebugStreamer(const std::string &fileName, poplar::DebugSerializationFormat format) {
  Streamer &s = streamer();
  const std::lock_guard<std::mutex> lock(s.mutex);
  if (s.isOpen)
    throw poplar::poplar_error("a debug-information file is open already: " + s.fileName +
                               ". Call DebugInfo::closeStreamer() first.");
  try {
    const NewFile probe(fileName); // the file keeps its contents until the new ones are complete
  } catch (const std::system_error &e) {
    throw poplar::file_load_error("cannot write debug-information file " + fileName + " (" + e.code().message() +
                                  "). Check that its folder exists and is writable.");
  }
  s.isOpen = true;
  s.fileName = fileName;
  s.format = format;
}

void closeDebugStreamer() {
  Streamer &s = streamer();
  const std::lock_guard<std::mutex> lock(s.mutex);
  if (!s.isOpen)
    return;
  StringTable table;
  poplar::ProfileValue::Vector contexts;
  for (auto &entry : s.records) {
    table.numberLocation(entry.second.asMap());
    contexts.push_back(std::move(entry.second));
  }
  s.records.clear();
  poplar::ProfileValue root;
  root["contexts"] = poplar::ProfileValue(std::move(contexts));
  root["stringTable"] = poplar::ProfileValue(std::move(table.texts));
  std::ostringstream bytes;
  if (s.format == poplar::DebugSerializationFormat::JSON)
    poplar::serializeToJSON(bytes, root, true);
  else
    poplar::serializeToCBOR(bytes, root);
  s.isOpen = false;
  try {
    writeWholeFile(s.fileName, bytes.str());
  } catch (const std::system_error &e) {
    throw poplar::poplar_error("debug-information file " + s.fileName + " cannot be written: " + e.code().message() +
                               ". Check the folder and its free space");
  }
}

} // namespace popscope
