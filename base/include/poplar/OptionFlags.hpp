// OptionFlags: a set of options, sorted by key. Keys and values are strings. Each function that takes an OptionFlags
// defines the keys that it accepts.
#pragma once
#include <poplar/ProfileValue.hpp>
#include <poplar/StringRef.hpp>

namespace poplar {

class OptionFlags {
  using Storage = std::map<std::string, std::string>;

public:
  using OptionFlag = std::pair<const std::string, std::string>;
  using initializer_list_t = std::initializer_list<OptionFlag>;

  /// A forward iterator over the options in the order of their keys. The iterator is valid until the flags change.
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

  /// Sets options. Existing options with the same keys are overwritten.
  void set(initializer_list_t &&options);
  void set(StringRef option, StringRef value);
  /// Returns the value of an option. Throws std::out_of_range if the option is not set. The message contains the name
  /// of the option and, if an option with a similar name is set, the similar name.
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

/// These functions add the members of a JSON object to `flags`, and overwrite existing options. Members may be strings,
/// booleans and numbers. If the text has a mistake, such as a name that is given twice, the functions leave `flags`
/// unchanged and throw poplar::parse_error. The message contains the byte offset of the mistake, counted from 0.
void readJSON(StringRef string, OptionFlags &flags);
void readJSON(std::istream &stream, OptionFlags &flags);
/// Adds the members of the JSON object in the environment variable `env` to `flags`, as readJSON() does. Does nothing
/// if the variable is not set or empty. Error messages name the variable.
void readJSONFromEnv(StringRef env, OptionFlags &flags);

} // namespace poplar

namespace std {
template <> struct hash<poplar::OptionFlags> { size_t operator()(const poplar::OptionFlags &flags) const; };
} // namespace std
