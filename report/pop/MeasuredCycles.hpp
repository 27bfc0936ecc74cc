// Cycles that a real machine took, brought in from a file of comma-separated values and kept beside the estimates.
//
//   compute_set,tile,cycles          step: the id of a program (popscope tree); compute_set, vertex_type: a name.
//   Layer1/Fwd,,5120                 A row has one of the three, and may have a tile; without one, cycles are those of
//   Layer1/Fwd,17,5033               the slowest. Several rows for one place are several measurements of it.
#pragma once
#include "report/pop/PopReader.hpp"

#include <istream>

namespace popscope {

struct MeasuredRecord {
  enum class Of : std::uint8_t { Step, ComputeSet, VertexType };
  std::string source;
  std::uint64_t line = 0; // of the file
  Of of = Of::Step;
  std::uint32_t id = 0;     // of the program, compute set or vertex type
  std::int64_t tile = -1;   // -1: the slowest
  std::uint64_t cycles = 0; // of one execution
};

/// Rows of `in` for the profile. Errors name `name`, line, value and what there is. Throws ProfileError.
[[nodiscard]] std::vector<MeasuredRecord> readMeasuredCsv(std::istream &in, const std::string &name,
                                                          const std::string &source, PopFile &file);
/// The profile `from` with these rows as `to`, which may be `from` and appears at once or not at all. Rows of the same
/// source that it had go. Throws ProfileError.
void importMeasured(const std::string &from, const std::string &to, const std::vector<MeasuredRecord> &rows);
/// In the order in which they came in; none where nothing was brought in.
[[nodiscard]] std::vector<MeasuredRecord> readMeasured(PopFile &file, const ProfileLimits &limits);

} // namespace popscope
