// MovedNames: names programs that have no name of their own, such as copies of streams, by the variables they access.
#pragma once
#include <pva/pva.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace popscope {

/// Reads the accesses of the program's largest variables when a name is first requested.
class MovedNames {
public:
  explicit MovedNames(const pva::Report &report) : report_(report) {}
  /// Returns for example "<StreamCopy:weights>" or "<Copy:weights and 2 more>". Variables that the program writes come
  /// before those that it only reads. Returns `otherwise` if the file does not contain its accesses.
  [[nodiscard]] std::string of(const std::string &kind, std::size_t program, const std::string &otherwise);

private:
  struct Accessed {
    std::string first;
    bool written = false;
    std::uint64_t more = 0;
  };
  void read();
  pva::Report report_;
  std::optional<std::map<std::size_t, Accessed>> accessed_; // by program
};

} // namespace popscope
