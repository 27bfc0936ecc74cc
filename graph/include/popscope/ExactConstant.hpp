// Extension: adds a constant, and refuses values that the element type cannot hold. Graph::addConstant converts most of
// these values as C++ does. For an integer type, addConstant refuses only NaN and numbers that do not fit the bits of
// the type.
//
//   const float values[] = {1, 1.5};
//   graph.addConstant(poplar::INT, {2}, values); // the constant is 1, 1
//   popscope::addExactConstant(graph, poplar::INT, {2}, values, poplar::TypeTraits::make<float>(), false); // throws
#pragma once
#include <poplar/Graph.hpp>

#include <cstddef>

namespace popscope {

/// Adds a constant as Graph::addConstant does, but throws poplar::overflow_error for the values that
/// Graph::setInitialValue refuses. These are a fraction for an integer type, and a value outside the range of the type.
/// The message contains the name of the constant, the value, the type and the values that the type holds. `values`
/// points at one value if `broadcast` is true, and otherwise at as many values as the shape has elements.
poplar::Tensor addExactConstant(poplar::Graph &graph, const poplar::Type &type, poplar::ArrayRef<std::size_t> shape,
                                const void *values, const poplar::TypeTraits &traits, bool broadcast,
                                const poplar::DebugContext &dc = {"<const>"});

} // namespace popscope
