// Live bytes per step and storage category, for the counters of traces, for CSV files and for pictures.
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
  /// Reads the live bytes, summed over all tiles of a replica. The object is empty for a profile without liveness.
  explicit LiveByCategory(const pva::Report &report);
  [[nodiscard]] bool empty() const { return programs_.empty(); }
  [[nodiscard]] std::size_t steps() const { return programs_.size(); }
  /// Returns the categories in alphabetical order. Omits a category that has only always-live bytes.
  [[nodiscard]] const std::vector<std::string> &categories() const { return categories_; }
  [[nodiscard]] std::uint64_t bytes(std::size_t step, std::size_t category) const {
    return bytes_[step * categories_.size() + category];
  }
  [[nodiscard]] std::uint64_t total(std::size_t step) const;
  [[nodiscard]] std::uint64_t alwaysLive() const { return always_; }
  /// Returns the index of the program's liveness step in livenessProgramSteps, or no value for a program without a
  /// liveness step.
  [[nodiscard]] std::optional<std::size_t> stepOf(std::size_t program) const;
  [[nodiscard]] std::size_t programOf(std::size_t step) const { return programs_[step]; }

private:
  std::vector<std::size_t> programs_;
  std::vector<std::string> categories_;
  std::vector<std::uint64_t> bytes_; // for each step, one value per category
  std::uint64_t always_ = 0;
};

} // namespace popscope
