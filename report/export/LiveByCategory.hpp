// Bytes live at each step, by storage category: what counters and pictures show.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <pva/pva.hpp>
#include <string>
#include <vector>

namespace popscope {

class LiveByCategory {
public:
  /// Over all tiles of a replica. Empty for a profile without liveness.
  explicit LiveByCategory(const pva::Report &report);
  [[nodiscard]] bool empty() const { return programs_.empty(); }
  [[nodiscard]] std::size_t steps() const { return programs_.size(); }
  /// In alphabetical order; always-live bytes are none of them.
  [[nodiscard]] const std::vector<std::string> &categories() const { return categories_; }
  [[nodiscard]] std::uint64_t bytes(std::size_t step, std::size_t category) const {
    return bytes_[step * categories_.size() + category];
  }
  [[nodiscard]] std::uint64_t total(std::size_t step) const;
  [[nodiscard]] std::uint64_t alwaysLive() const { return always_; }
  /// Of livenessProgramSteps; nothing for a program that is no such step.
  [[nodiscard]] std::optional<std::size_t> stepOf(std::size_t program) const;
  [[nodiscard]] std::size_t programOf(std::size_t step) const { return programs_[step]; }

private:
  std::vector<std::size_t> programs_;
  std::vector<std::string> categories_;
  std::vector<std::uint64_t> bytes_; // step after step
  std::uint64_t always_ = 0;
};

} // namespace popscope
