#include <poplar/DebugContext.hpp>

#include "base/CheckedSize.hpp"
#include "base/DebugStreamer.hpp"
#include "base/ShownText.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <poplar/exceptions.hpp>

namespace poplar {
namespace {

std::string joinPath(const std::string &parent, StringRef name) {
  if (parent.empty() || name.empty())
    return parent + name;
  return parent + "/" + name;
}

std::string joinPath(std::initializer_list<StringRef> names) {
  std::string path;
  for (const StringRef &name : names)
    path = joinPath(path, name);
  return path;
}

ProfileValue toProfileValue(const SourceLocation &location) {
  ProfileValue::Map map;
  map.emplace("functionName", location.getFunctionName().cloneAsString());
  map.emplace("fileName", location.getFileName().cloneAsString());
  map.emplace("lineNumber", location.getLineNumber());
  return map;
}

// Records of DebugInfos contain the values, and are themselves values of at most kMaxNesting levels.
constexpr std::uint32_t kMaxDepth = popscope::kMaxNesting / 2;

/// Returns whether vectors and maps are nested more than `levels` deep in a value. Recurses at most `levels` deep.
bool isDeeper(const ProfileValue &value, std::uint32_t levels) {
  const bool isVector = value.type() == ProfileValue::Type::VECTOR, isMap = value.type() == ProfileValue::Type::MAP;
  if (levels == 0)
    return isVector || isMap;
  const auto below = [&](const ProfileValue &entry) { return isDeeper(entry, levels - 1); };
  return (isVector && std::any_of(value.asVector().begin(), value.asVector().end(), below)) ||
         (isMap && std::any_of(value.asMap().begin(), value.asMap().end(),
                               [&](const auto &entry) { return below(entry.second); }));
}

} // namespace

DebugNameAndId::DebugNameAndId(std::string name, DebugId debugId, std::string parentPath)
    : path_(joinPath(parentPath, name)), id_(debugId) {}
DebugNameAndId::DebugNameAndId(const char *name) : path_(name), id_(0) {}
DebugNameAndId::DebugNameAndId(DebugId debugId) : id_(debugId) {}
DebugNameAndId::DebugNameAndId(const DebugInfo &debugInfo, std::string name)
    : path_(joinPath(debugInfo.getPathName(), name)), id_(debugInfo.getId()) {}
DebugNameAndId::DebugNameAndId(const DebugNameAndId &parent, StringRef name)
    : path_(joinPath(parent.path_, name)), id_(parent.id_) {}

DebugContext::DebugContext(SourceLocation loc) : parent_(0), location_(loc) {}
DebugContext::DebugContext(const char *name, SourceLocation loc) : path_(name), parent_(0), location_(loc) {}
DebugContext::DebugContext(StringRef name, SourceLocation loc) : path_(name), parent_(0), location_(loc) {}
DebugContext::DebugContext(std::string name, SourceLocation loc) : path_(std::move(name)), parent_(0), location_(loc) {}
DebugContext::DebugContext(const DebugInfo &debugInfo, std::string name, SourceLocation loc)
    : path_(joinPath(debugInfo.getPathName(), name)), parent_(debugInfo.getId()), location_(loc) {}
DebugContext::DebugContext(const DebugNameAndId &nameAndId, std::string name, SourceLocation loc)
    : path_(joinPath(nameAndId.path_, name)), parent_(nameAndId.id_), location_(loc) {}
DebugContext::DebugContext(std::initializer_list<StringRef> names, SourceLocation loc)
    : path_(joinPath(names)), parent_(0), location_(loc) {}
DebugContext::DebugContext(const DebugInfo &debugInfo, std::string name, DebugId debugId, SourceLocation loc)
    : path_(joinPath(debugInfo.getPathName(), name)), parent_(debugId), location_(loc) {}
DebugContext::DebugContext(const DebugContext &debugContext, StringRef name)
    : path_(joinPath(debugContext.path_, name)), parent_(debugContext.parent_), location_(debugContext.location_) {}
DebugContext::DebugContext(const DebugContext &) = default;
DebugContext::DebugContext(DebugContext &&) = default;
DebugContext::~DebugContext() = default;
std::ostream &operator<<(std::ostream &os, const DebugNameAndId &dnai) { return os << popscope::shownText(dnai.path_); }
std::ostream &operator<<(std::ostream &os, const DebugContext &dc) { return os << popscope::shownText(dc.path_); }

DebugInfo::DebugInfo(const DebugContext &debugContext, std::string layer)
    : id_(popscope::nextDebugId()), path_(debugContext.getPathName()) {
  record_.emplace("id", id_);
  record_.emplace("layer", layer);
  record_.emplace("name", path_);
  record_.emplace("parentId", debugContext.parent_);
  if (debugContext.location_.isValid())
    record_.emplace("location", toProfileValue(debugContext.location_));
  popscope::beginDebugInfo(record_);
}

DebugInfo::~DebugInfo() { popscope::recordDebugInfo(std::move(record_)); }

bool DebugInfo::setValue(std::string name, ProfileValue value) {
  if (isDeeper(value, kMaxDepth))
    throw poplar_error(fmt::format("DebugInfo::setValue(\"{}\"): the value is nested more than {} deep; give a value "
                                   "that is less deep",
                                   popscope::shownText(name), kMaxDepth));
  return record_.emplace(std::move(name), std::move(value)).second;
}
bool DebugInfo::setValue(std::string name, const std::string &value) {
  return setValue(std::move(name), ProfileValue(value));
}
bool DebugInfo::setValue(std::string name, const char *value) { return setValue(std::move(name), ProfileValue(value)); }

void DebugInfo::initializeStreamer(const std::string &fileName, const DebugSerializationFormat &format) {
  popscope::openDebugStreamer(fileName, format);
}

void DebugInfo::closeStreamer() { popscope::closeDebugStreamer(); }

} // namespace poplar
