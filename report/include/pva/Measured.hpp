// Extension: cycles that a real machine took, which popscope import-cycles brought into a profile. They stand beside
// the estimates: nothing else of a report changes. Not included by <pva/pva.hpp>.
#ifndef PVA_MEASURED_HPP
#define PVA_MEASURED_HPP

#include <pva/pva.hpp>

namespace pva {

struct MeasuredCycles {
  enum class Of { Step, ComputeSet, VertexType };
  MeasuredCycles() : of(Of::Step), id(0), tileKnown(false), tile(0), cycles(0), line(0) {}
  Of of;
  std::size_t id;   // Program::_id(), ComputeSet::_id() or VertexType::_id()
  std::string name; // of that
  bool tileKnown;   // false: of the slowest tile, and tile says 0
  std::size_t tile;
  std::uint64_t cycles; // of one execution; of a vertex type, of one vertex
  std::string source;   // where they were measured
  std::uint64_t line;   // of the file that they came from
};

/// Those of an open profile, in the order in which they came in.
List<MeasuredCycles> measuredCycles(const Report &report);
/// Those of a profile, in the order in which they came in; empty where nothing was brought in. Throws as openReport.
List<MeasuredCycles> openMeasured(const std::string &path);

} // namespace pva
#endif
