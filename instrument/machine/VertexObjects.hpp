// VertexObjects: the host object of every vertex, built once. A field of the object holds what VertexClass.hpp says:
// state values in place, pointers and spans to operands in tile memory. Objects keep what vertices write to their own
// state.
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
#include <vector>

namespace popscope {

/// Zeroed memory handed out in pieces and freed as a whole. Pieces never move.
class HostSlab {
public:
  /// `align`: a power of two.
  void *allocate(std::size_t bytes, std::size_t align);

private:
  struct Free {
    void operator()(void *p) const { std::free(p); }
  };
  std::vector<std::unique_ptr<void, Free>> blocks_;
  std::uint8_t *next_ = nullptr;
  std::size_t left_ = 0;
};

/// All that running a vertex takes. `run` is null where that is not one call of it: a MultiVertex, a class that cannot
/// be run.
struct VertexCall {
  bool (*run)(void *vertex, unsigned worker) = nullptr;
  void *object = nullptr;
};

class VertexObjects {
public:
  /// All arguments must outlive this and stay as they are.
  VertexObjects(const StepProgram &program, const CodeletSet &codelets, const DeviceState &state, Threads threads = {});

  /// Object of StepProgram::vertices[vertex].
  [[nodiscard]] void *object(std::size_t vertex) const { return calls_[vertex].object; }
  [[nodiscard]] const VertexClass &classOf(std::size_t vertex) const { return classOf(program_.vertices[vertex].type); }
  /// InternalError where the type names no codelet.
  [[nodiscard]] const VertexClass &classOf(VertexTypeId type) const {
    return classes_[type] != nullptr ? *classes_[type] : noClass(type);
  }
  /// By vertex.
  [[nodiscard]] std::span<const VertexCall> calls() const { return calls_; }
  /// The operands of the vertex as they are now, in the form that the stand-in takes: state fields first, then edges.
  [[nodiscard]] std::vector<StandInOperand> operands(std::size_t vertex) const;

private:
  const StepProgram &program_;
  const CodeletSet &codelets_;
  const DeviceState &state_;
  [[nodiscard]] const VertexClass &noClass(VertexTypeId type) const;

  IdVector<VertexTypeId, const VertexClass *> classes_; // null: not a codelet
  std::vector<HostSlab> slabs_;
  std::vector<VertexCall> calls_;
};

} // namespace popscope
