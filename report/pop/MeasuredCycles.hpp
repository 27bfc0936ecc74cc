// Imports cycles from a file of comma-separated values into a profile. A user measured these cycles on a real machine.
// The profile keeps the measured cycles in addition to the estimates.
//
//   compute_set,tile,cycles
//   Layer1/Fwd,,5120                 without a tile: the cycles of the slowest tile
//   Layer1/Fwd,17,5033               the cycles of tile 17
//
// A place is a step, a compute set or a vertex type. The column of the place is `step` (the id of a program in the
// output of popscope tree), `compute_set` or `vertex_type` (a name). A file may have several of these columns; each row
// fills exactly one of them. Several rows for one place are several measurements of the place. Lines that begin with #
// are comments. A name that several compute sets or vertex types have is an error, because its place is ambiguous.
#pragma once
#include "report/pop/PopReader.hpp"

#include <istream>

namespace popscope {

struct MeasuredRecord {
  enum class Of : std::uint8_t { Step, ComputeSet, VertexType };
  std::string source;     // name of the measurements, as given to import-cycles
  std::uint64_t line = 0; // line in the imported file
  Of of = Of::Step;
  std::uint32_t id = 0;     // id of the program, compute set or vertex type
  std::int64_t tile = -1;   // -1 stands for the slowest tile
  std::uint64_t cycles = 0; // cycles of one execution; for a vertex type, of one vertex
};

/// Reads the rows of `in` for the profile `file`. Throws ProfileError if the line of column names or a row is invalid;
/// the message contains `name`, the line and the fault. Also throws ProfileError if `in` has no rows, or if the profile
/// has no compiled graph.
[[nodiscard]] std::vector<MeasuredRecord> readMeasuredCsv(std::istream &in, const std::string &name,
                                                          const std::string &source, PopFile &file);
/// Writes the profile `from` with the additional measurements `rows` to `to`, atomically; `from` and `to` may be the
/// same file. All rows must have the same source. The rows replace earlier rows of this source. Throws ProfileError if
/// a file cannot be read or written.
void importMeasured(const std::string &from, const std::string &to, const std::vector<MeasuredRecord> &rows);
/// Returns the rows in the order of their import, or an empty list if nothing was imported.
[[nodiscard]] std::vector<MeasuredRecord> readMeasured(PopFile &file, const ProfileLimits &limits);

} // namespace popscope
