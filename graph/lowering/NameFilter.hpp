// NameFilter: a regular expression (ECMAScript) over names of programs: the value of an option profiler.*.filter.
#pragma once
#include <memory>
#include <string>

namespace popscope {

class NameFilter {
public:
  /// Compiles the pattern; an empty pattern matches nothing. Throws poplar::invalid_option if the pattern is not a
  /// regular expression, refers back to a group, or is longer than 1,000 characters. The message names `option`.
  NameFilter(const char *option, const std::string &pattern);
  ~NameFilter();
  /// Returns whether the pattern matches the whole name. Cost: with libstdc++, linear in the length of the name for any
  /// pattern. Other libraries may backtrack.
  [[nodiscard]] bool matches(const std::string &name) const;

private:
  struct Expression;
  std::unique_ptr<const Expression> expression_; // null: nothing matches
};

} // namespace popscope
