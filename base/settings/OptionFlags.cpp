#include <poplar/OptionFlags.hpp>

#include "base/EditDistance.hpp"

namespace poplar {

OptionFlags::OptionFlags() = default;
OptionFlags::~OptionFlags() = default;
OptionFlags::OptionFlags(const OptionFlags &) = default;
OptionFlags::OptionFlags(OptionFlags &&) noexcept = default;
OptionFlags &OptionFlags::operator=(const OptionFlags &) = default;
OptionFlags &OptionFlags::operator=(OptionFlags &&) noexcept = default;
OptionFlags::OptionFlags(initializer_list_t &&options) {
  set(std::move(options));
} // NOLINT: the signature is the API's

bool OptionFlags::operator==(const OptionFlags &other) const { return options_ == other.options_; }

void OptionFlags::set(initializer_list_t &&options) {
  for (const OptionFlag &option : options)
    set(option.first, option.second);
}

void OptionFlags::set(StringRef option, StringRef value) { options_[option] = value.cloneAsString(); }

StringRef OptionFlags::at(StringRef option) const {
  const auto it = options_.find(option);
  if (it != options_.end())
    return it->second;
  std::vector<std::string> keys;
  for (const auto &entry : options_)
    keys.push_back(entry.first);
  throw std::out_of_range("option \"" + option + "\" is not set." + popscope::didYouMean(option.cloneAsString(), keys));
}

OptionFlags::iterator OptionFlags::find(StringRef option) const { return iterator(options_.find(option)); }
std::size_t OptionFlags::count(StringRef option) const { return options_.count(option); }
void OptionFlags::clear() { options_.clear(); }

ProfileValue getAsProfileValue(const OptionFlags &flags) {
  ProfileValue::Map map;
  for (const auto &option : flags)
    map.emplace(option.first, option.second);
  return map;
}

std::ostream &operator<<(std::ostream &os, const OptionFlags &flags) { return os << getAsProfileValue(flags); }

} // namespace poplar

std::size_t std::hash<poplar::OptionFlags>::operator()(const poplar::OptionFlags &flags) const {
  std::size_t sum = flags.size();
  for (const auto &option : flags)
    for (const std::string *text : {&option.first, &option.second})
      sum = sum * 1099511628211u ^ std::hash<std::string>()(*text); // the order matters: multiply, then mix
  return sum;
}
