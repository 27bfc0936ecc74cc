// GraphFixture: small graphs built by hand, lowered and verified.
#pragma once
#include "base/Check.hpp"
#include "graph/lowering/Lower.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace popscope {

/// Returns a machine of `tiles` tiles per IPU with round numbers for code and costs.
TileMachine loweringMachine(std::uint32_t tiles, std::uint32_t ipus = 1);

struct Connection {
  std::uint16_t field;
  View view;
  std::uint32_t subIndex = 0;
};

class GraphFixture {
public:
  explicit GraphFixture(std::uint32_t tiles = 4, std::uint32_t ipus = 1) {
    graph.machine = loweringMachine(tiles, ipus);
  }

  GraphVarId var(const std::string &name, std::uint64_t elements, std::vector<MappedRange> mapping,
                 ElementType type = ElementType::Float);
  /// Adds a variable with all elements on one tile.
  GraphVarId onTile(const std::string &name, std::uint64_t elements, std::uint32_t tile,
                    ElementType type = ElementType::Float);
  GraphVarId constant(const std::string &name, std::vector<std::uint8_t> bytes, std::uint32_t tile,
                      ElementType type = ElementType::Float);
  [[nodiscard]] View all(GraphVarId v) const { return slice(v, 0, graph.vars[v].elements); }
  [[nodiscard]] View slice(GraphVarId v, std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] View strided(GraphVarId v, std::uint64_t begin, std::int64_t stride, std::uint64_t count) const;
  static View concat(const View &a, const View &b);

  int codelet(const std::string &name, std::vector<FieldInfo> fields);
  static FieldInfo edge(const std::string &name, FieldDirection direction, FieldShape shape = FieldShape::Vector);
  static FieldInfo state(const std::string &name, ElementType type = ElementType::UnsignedInt,
                         FieldShape shape = FieldShape::Scalar);
  /// Returns the codelet "Move" with the fields Input vector 0 and Output vector 1.
  int moveCodelet();
  ComputeSetId computeSet(const std::string &name);
  VertexId vertex(ComputeSetId cs, int codeletIndex, std::uint32_t tile, const std::vector<Connection> &connections);

  static ProgramPtr sequence(std::vector<ProgramPtr> children, const std::string &name = "");
  static ProgramPtr execute(ComputeSetId cs);
  static ProgramPtr copy(const View &a, const View &b, const std::string &name = "copy");
  static std::shared_ptr<ProgramNode> node(ProgramKind kind, const std::string &name,
                                           std::vector<ProgramPtr> children = {});

  /// Calls lower() without alwaysSwitch, so that a single program gets no engine Switch, then verifySteps.
  StepProgram lower(const std::vector<ProgramPtr> &programs, const LoweringOptions &options = {}) const;
  [[nodiscard]] std::string dump(const std::vector<ProgramPtr> &programs) const { return dumpSteps(lower(programs)); }

  GraphIr graph;
  VertexEstimates estimates;
};

/// Returns the message of the exception that `call` throws; "" if it throws none of type E.
template <class E, class Call> std::string messageOf(const Call &call) {
  try {
    call();
  } catch (const E &e) {
    return e.what();
  }
  return "";
}
/// Returns whether `text` contains `part`.
inline bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

} // namespace popscope
