#include "report/pop/DebugFile.hpp"

#include "report/pop/PopFile.hpp"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <vector>

namespace popscope {
namespace {
constexpr std::size_t kMaxDepth = 64; // the parser recurses once per level
}

CborScan scanCbor(const std::string &bytes) {
  constexpr CborScan kDeep{false, false};
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

void checkDebugFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const bool isMap = !bytes.empty() && static_cast<unsigned char>(bytes[0]) >> 5 == 5;
  if (!isMap || !scanCbor(bytes).whole || bytes.find("contexts") == std::string::npos)
    throw ProfileError(path + ": is damaged: it is not one whole CBOR map with \"contexts\"");
}

} // namespace popscope
