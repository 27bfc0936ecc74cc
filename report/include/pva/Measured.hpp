// Extension: cycles that were measured on a real machine and that popscope import-cycles added to a profile. Tools show
// these cycles next to the estimates; nothing else in a report changes. <pva/pva.hpp> does not include this header.
#ifndef PVA_MEASURED_HPP
#define PVA_MEASURED_HPP

#include <pva/pva.hpp>

namespace pva {

struct MeasuredCycles {
  enum class Of { Step, ComputeSet, VertexType };
  MeasuredCycles() : of(Of::Step), id(0), tileKnown(false), tile(0), cycles(0), line(0) {}
  Of of;
  std::size_t id;   // Program::_id(), ComputeSet::_id() or VertexType::_id()
  std::string name; // name of the object with this id
  bool tileKnown;   // false: the cycles are those of the slowest tile, and tile is 0
  std::size_t tile;
  std::uint64_t cycles; // cycles of one execution; for a vertex type, of one vertex
  std::string source;   // name of the source of the measurement
  std::uint64_t line;   // line in the imported file
};

/// Returns the measured cycles of an open profile, in the order of their import.
List<MeasuredCycles> measuredCycles(const Report &report);
/// Returns the measured cycles of a profile, in the order of their import, or an empty list if no cycles were imported.
/// Throws as openReport does.
List<MeasuredCycles> openMeasured(const std::string &path);

} // namespace pva
#endif
