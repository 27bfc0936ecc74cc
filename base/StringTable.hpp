// StringTable: stores each distinct string once, and gives the string an id (NameId). The ids count up from 0, in the
// order in which the strings were first stored.
#pragma once
#include "base/Ids.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace popscope {

class StringTable {
public:
  StringTable() = default;
  StringTable(const StringTable &other) { *this = other; }
  StringTable &operator=(const StringTable &other) {
    if (this != &other) {
      names_.clear();
      index_.clear();
      for (const auto &name : other.names_)
        intern(name);
    }
    return *this;
  }
  StringTable(StringTable &&) = default;
  StringTable &operator=(StringTable &&) = default;

  NameId intern(std::string_view name) {
    if (auto it = index_.find(name); it != index_.end())
      return it->second;
    names_.emplace_back(name);
    const NameId id(static_cast<std::uint32_t>(names_.size() - 1));
    index_.emplace(std::string_view(names_.back()), id);
    return id;
  }
  [[nodiscard]] const std::string &operator[](NameId id) const {
    static const std::string empty;
    return id.valid() ? names_[id.index()] : empty;
  }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

private:
  std::deque<std::string> names_; // a deque does not move its strings, so the views in index_ stay valid
  std::unordered_map<std::string_view, NameId> index_;
};

} // namespace popscope
