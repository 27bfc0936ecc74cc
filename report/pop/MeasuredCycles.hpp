// Imports cycles that a real machine took, from a file of comma-separated values, and keeps them in addition to the
// estimates.
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
  std::uint32_t id = 0;     // id of the program, compute set or vertex type
  std::int64_t tile = -1;   // -1: the slowest
  std::uint64_t cycles = 0; // of one execution
};

/// Reads rows of `in` for the profile. Throws ProfileError, which names `name`, line, value and the possible values.
[[nodiscard]] std::vector<MeasuredRecord> readMeasuredCsv(std::istream &in, const std::string &name,
                                                          const std::string &source, PopFile &file);
/// Writes the profile `from` with these rows to `to`, atomically; both may be the same file. Replaces earlier rows of
/// the same source. Throws ProfileError.
void importMeasured(const std::string &from, const std::string &to, const std::vector<MeasuredRecord> &rows);
/// Reads rows in the order of import; none without an import.
[[nodiscard]] std::vector<MeasuredRecord> readMeasured(PopFile &file, const ProfileLimits &limits);

} // namespace popscope
