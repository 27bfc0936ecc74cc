// VertexObjects: the host object of every vertex, built once. VertexClass.hpp defines the contents of an object: state
// values in place, and pointers and spans to operands in tile memory. An object keeps the values that the vertex writes
// to state.
//
//   object   | scalar state | T * -> home | HostSpan -> home | HostSpan -> inner array of HostSpan -> homes |
//
// A field without an operand gets zeroed memory of its own: one element for a pointer, or as many elements as the given
// size of the field. Without a given size, the field gets an empty span.
#pragma once
#include "base/Parallel.hpp"
#include "graph/codelets/CodeletSet.hpp"
#include "graph/codelets/StandIn.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/DeviceState.hpp"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace popscope {

/// Zeroed memory that is allocated in pieces and freed as a whole. Pieces never move.
class HostSlab {
public:
  /// Returns zeroed memory. `align` must be a power of two. Throws std::bad_alloc if the host does not have enough
  /// memory.
  void *allocate(std::size_t bytes, std::size_t align);

private:
  struct Free {
    void operator()(void *p) const { std::free(p); }
  };
  std::vector<std::unique_ptr<void, Free>> blocks_;
  std::uint8_t *next_ = nullptr;
  std::size_t left_ = 0;
};

/// An operand of halves that vertex and home store in different forms: one stores floats, the other stores the bits of
/// halves. The vertex works on a copy.
struct ConvertedOperand {
  void *home = nullptr;
  void *copy = nullptr;
  std::uint64_t elements = 0;
  bool homeHoldsFloats = false;
  bool writes = false;

  void load() const;
  /// Stores the values of the copy in the home if the vertex may write the operand. If the home contains floats, stores
  /// only the values that the vertex changed, so that other values are not rounded.
  void store() const;
};

/// The call that runs a vertex. `run` is null for a vertex that a single call cannot run: a MultiVertex, a vertex whose
/// class cannot be run or has a VertexClass::place, or a vertex with converted operands.
struct VertexCall {
  bool (*run)(void *vertex, unsigned worker) = nullptr;
  void *object = nullptr;
};

class VertexObjects {
public:
  /// Builds the objects of all vertices. All references must outlive this object. `program` and `codelets` must not
  /// change.
  VertexObjects(const StepProgram &program, const CodeletSet &codelets, const DeviceState &state, Threads threads = {});

  /// Returns the object of StepProgram::vertices[vertex].
  [[nodiscard]] void *object(std::size_t vertex) const { return calls_[vertex].object; }
  [[nodiscard]] const VertexClass &classOf(std::size_t vertex) const { return classOf(program_.vertices[vertex].type); }
  /// Returns the class of the type. Throws InternalError if the type is not a codelet.
  [[nodiscard]] const VertexClass &classOf(VertexTypeId type) const {
    return classes_[type] != nullptr ? *classes_[type] : noClass(type);
  }
  /// Returns the calls of all vertices.
  [[nodiscard]] std::span<const VertexCall> calls() const { return calls_; }
  /// Returns the operands that must be loaded before the vertex runs, and stored afterwards.
  [[nodiscard]] std::span<const ConvertedOperand> converted(std::size_t vertex) const;
  /// Returns the operands of the vertex with their current values, in the form that the stand-in takes. State fields
  /// come first, and then edges. Last come operands without data, which only state the size of a field. Such a field
  /// either has no edges, or is a vector with fewer edges than the given size of the vector. Halves that are stored as
  /// floats are rounded into `halves`, which must outlive the result.
  [[nodiscard]] std::vector<StandInOperand> operands(std::size_t vertex, HostSlab &halves) const;

private:
  const StepProgram &program_;
  const CodeletSet &codelets_;
  const DeviceState &state_;
  [[nodiscard]] const VertexClass &noClass(VertexTypeId type) const;

  IdVector<VertexTypeId, const VertexClass *> classes_; // null = the type is not a codelet
  struct Converted {
    std::vector<ConvertedOperand> operands;                // operands of all vertices whose objects are in the slab, in
                                                           // the order of the vertices
    std::vector<std::pair<std::size_t, std::size_t>> ends; // (vertex, its end in `operands`) for each vertex that has
                                                           // converted operands, ascending
  };
  std::vector<HostSlab> slabs_;
  std::vector<Converted> converted_; // per slab
  std::vector<VertexCall> calls_;
};

} // namespace popscope
