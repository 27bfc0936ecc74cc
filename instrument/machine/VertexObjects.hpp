// VertexObjects: the host object of every vertex, built once. VertexClass.hpp defines the contents of its fields: state
// values in place, pointers and spans to operands in tile memory. Objects keep what vertices write to their own state.
//
//   object   | scalar state | T * -> home | HostSpan -> home | HostSpan -> inner array of HostSpan -> homes |
//
// A field without operand gets a valid pointer: an empty span, or zeroed memory of its own.
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
  /// Returns zeroed memory. `align`: a power of two.
  void *allocate(std::size_t bytes, std::size_t align);

private:
  struct Free {
    void operator()(void *p) const { std::free(p); }
  };
  std::vector<std::unique_ptr<void, Free>> blocks_;
  std::uint8_t *next_ = nullptr;
  std::size_t left_ = 0;
};

/// An operand of halves that its vertex needs in another form than its home has: floats for halves, or the bits of
/// halves for floats. The vertex works on a copy.
struct ConvertedOperand {
  void *home = nullptr;
  void *copy = nullptr;
  std::uint64_t elements = 0;
  bool homeHoldsFloats = false;
  bool writes = false;

  void load() const;
  /// Stores only values that the vertex has changed, so that the others are not rounded.
  void store() const;
};

/// Everything that is needed to run a vertex. `run` is null if that is not a single call: a MultiVertex, a class that
/// cannot be run, a vertex with converted operands.
struct VertexCall {
  bool (*run)(void *vertex, unsigned worker) = nullptr;
  void *object = nullptr;
};

class VertexObjects {
public:
  /// Builds the objects. All arguments must outlive this object and stay as they are.
  VertexObjects(const StepProgram &program, const CodeletSet &codelets, const DeviceState &state, Threads threads = {});

  /// Returns the object of StepProgram::vertices[vertex].
  [[nodiscard]] void *object(std::size_t vertex) const { return calls_[vertex].object; }
  [[nodiscard]] const VertexClass &classOf(std::size_t vertex) const { return classOf(program_.vertices[vertex].type); }
  /// Returns the class of the type. Throws InternalError if the type names no codelet.
  [[nodiscard]] const VertexClass &classOf(VertexTypeId type) const {
    return classes_[type] != nullptr ? *classes_[type] : noClass(type);
  }
  /// Returns the calls of all vertices.
  [[nodiscard]] std::span<const VertexCall> calls() const { return calls_; }
  /// Returns the operands to load before the vertex runs and to store afterwards.
  [[nodiscard]] std::span<const ConvertedOperand> converted(std::size_t vertex) const;
  /// Returns the vertex's operands with their current values in the form that the stand-in takes: state fields first,
  /// then edges. Halves that are held as floats are rounded into `halves`, which must live as long as the result.
  [[nodiscard]] std::vector<StandInOperand> operands(std::size_t vertex, HostSlab &halves) const;

private:
  const StepProgram &program_;
  const CodeletSet &codelets_;
  const DeviceState &state_;
  [[nodiscard]] const VertexClass &noClass(VertexTypeId type) const;

  IdVector<VertexTypeId, const VertexClass *> classes_; // null: not a codelet
  struct Converted {
    std::vector<ConvertedOperand> operands;                // the operands of all vertices of the slab, in order
    std::vector<std::pair<std::size_t, std::size_t>> ends; // (vertex, end in `operands`) for each vertex that has some;
                                                           // ascending
  };
  std::vector<HostSlab> slabs_;
  std::vector<Converted> converted_; // per slab
  std::vector<VertexCall> calls_;
};

} // namespace popscope
