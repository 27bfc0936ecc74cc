// OptionFlags: a set of options as strings, sorted by key. Their users decide what the keys mean.
#pragma once
#include <poplar/ProfileValue.hpp>
#include <poplar/StringRef.hpp>

namespace poplar {

class OptionFlags {
  using Storage = std::map<std::string, std::string>;

public:
  using OptionFlag = std::pair<const std::string, std::string>;
  using initializer_list_t = std::initializer_list<OptionFlag>;

  /// Forward iterator over the options in key order; valid until the flags change.
  class iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = OptionFlag;
    using difference_type = std::ptrdiff_t;
    using pointer = const OptionFlag *;
    using reference = const OptionFlag &;
    iterator() = default;
    reference operator*() const { return *at_; }
    pointer operator->() const { return &*at_; }
    iterator &operator++() {
      ++at_;
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++at_;
      return before;
    }
    bool operator==(const iterator &o) const { return at_ == o.at_; }
    bool operator!=(const iterator &o) const { return at_ != o.at_; }

  private:
    friend class OptionFlags;
    explicit iterator(Storage::const_iterator at) : at_(at) {}
    Storage::const_iterator at_;
  };

  OptionFlags();
  ~OptionFlags();
  OptionFlags(initializer_list_t &&options);
  OptionFlags(const OptionFlags &);
  OptionFlags(OptionFlags &&) noexcept;
  OptionFlags &operator=(const OptionFlags &);
  OptionFlags &operator=(OptionFlags &&) noexcept;
  bool operator==(const OptionFlags &other) const;
  bool operator!=(const OptionFlags &other) const { return !(*this == other); }

  /// Sets options, and overwrites existing ones.
  void set(initializer_list_t &&options);
  void set(StringRef option, StringRef value);
  /// Returns the value. Throws std::out_of_range, which names the option and the nearest one that is set.
  StringRef at(StringRef option) const;
  iterator find(StringRef option) const;
  std::size_t count(StringRef option) const;
  void clear();
  bool empty() const { return options_.empty(); }
  std::size_t size() const { return options_.size(); }
  iterator begin() const { return iterator(options_.begin()); }
  iterator end() const { return iterator(options_.end()); }

private:
  Storage options_;
};

/// Prints {"key":"value",...} as JSON.
std::ostream &operator<<(std::ostream &os, const OptionFlags &flags);
ProfileValue getAsProfileValue(const OptionFlags &flags);

/// Adds the members of a JSON object to `flags` and overwrites existing options. Members may be strings, booleans and
/// numbers. Throws poplar::parse_error with the byte offset (from 0) of the mistake, and leaves `flags` as it was.
void readJSON(StringRef string, OptionFlags &flags);
void readJSON(std::istream &stream, OptionFlags &flags);
/// Adds the members of the JSON object in environment variable `env`, which errors name. Does nothing if it is not set
/// or empty.
void readJSONFromEnv(StringRef env, OptionFlags &flags);

} // namespace poplar

namespace std {
template <> struct hash<poplar::OptionFlags> { size_t operator()(const poplar::OptionFlags &flags) const; };
} // namespace std
