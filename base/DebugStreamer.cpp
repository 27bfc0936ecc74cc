#include "base/DebugStreamer.hpp"

#include <atomic>
#include <fstream>
#include <mutex>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

struct Streamer {
  std::mutex mutex;
  std::ofstream file;
  std::string fileName;
  poplar::DebugSerializationFormat format = poplar::DebugSerializationFormat::CBOR;
  std::map<poplar::DebugId, poplar::ProfileValue> records;
};

Streamer &streamer() {
  static Streamer *instance = new Streamer; // never destroyed: DebugInfos of other statics may outlive main
  return *instance;
}

} // namespace

poplar::DebugId nextDebugId() {
  static std::atomic<poplar::DebugId> last{0};
  return ++last;
}

void recordDebugInfo(poplar::ProfileValue::Map &&record) noexcept {
  try {
    Streamer &s = streamer();
    const std::lock_guard<std::mutex> lock(s.mutex);
    if (!s.file.is_open())
      return;
    const poplar::DebugId id = record.at("id").asUint64();
    s.records.emplace(id, std::move(record));
  } catch (const std::bad_alloc &) { // called from a destructor: a record is lost rather than the program
  }
}

void openDebugStreamer(const std::string &fileName, poplar::DebugSerializationFormat format) {
  Streamer &s = streamer();
  const std::lock_guard<std::mutex> lock(s.mutex);
  if (s.file.is_open())
    throw poplar::poplar_error("a debug-information file is open already: " + s.fileName +
                               ". Call DebugInfo::closeStreamer() first.");
  s.file.open(fileName, std::ios::binary);
  if (!s.file)
    throw poplar::file_load_error("cannot write debug-information file " + fileName +
                                  ". Check that its folder exists and is writable.");
  s.fileName = fileName;
  s.format = format;
}

void closeDebugStreamer() {
  Streamer &s = streamer();
  const std::lock_guard<std::mutex> lock(s.mutex);
  if (!s.file.is_open())
    return;
  poplar::ProfileValue::Vector contexts;
  for (auto &entry : s.records)
    contexts.push_back(std::move(entry.second));
  s.records.clear();
  poplar::ProfileValue root;
  root["contexts"] = poplar::ProfileValue(std::move(contexts));
  if (s.format == poplar::DebugSerializationFormat::JSON)
    poplar::serializeToJSON(s.file, root, true);
  else
    poplar::serializeToCBOR(s.file, root);
  s.file.close();
  if (!s.file)
    throw poplar::poplar_error("writing debug-information file " + s.fileName + " failed. Is the disk full?");
}

} // namespace popscope
