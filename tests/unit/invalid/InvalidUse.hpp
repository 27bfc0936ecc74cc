// Invalid uses, one row each: the call, and the words that the message must contain (the object, the value, the limit).
// The call of every row must throw poplar_error or a subclass of it. Another exception, a crash or an accepted call is
// a fault.
#pragma once
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Program.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace invalid_use {

inline constexpr std::size_t k2To62 = std::size_t(1) << 62;

/// A graph of two tiles with a few variables and one vertex class, V (a: Input SHORT_SPAN, b: Input, rows: nested
/// Input, o: Output, tab: state vector, n: unsigned state).
struct Rig {
  Rig();
  poplar::Device device;
  poplar::Graph graph;
  poplar::Tensor ints;     // {4} of int on tile 0
  poplar::Tensor matrix;   // {2,3} of float on tile 1
  poplar::Tensor flag;     // {} of bool
  poplar::Tensor number;   // {} of int
  poplar::Tensor constant; // {4} of int
  poplar::Tensor variable(const poplar::Type &type, std::vector<std::size_t> shape, const char *name = "v");
  poplar::VertexRef vertex();
  /// Returns an engine with `program`, loaded.
  poplar::Engine engine(const poplar::program::Program &program, const poplar::OptionFlags &options = {});
};

struct Case {
  const char *name;
  std::function<void(Rig &)> use;
  std::vector<std::string> says;
};

std::vector<Case> tensorCases();
std::vector<Case> graphCases();
std::vector<Case> programCases();
std::vector<Case> engineCases();

} // namespace invalid_use
