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
#include <utility>
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

/// An operand of halves that its vertex wants in another form than its home has: floats for halves, or the bits of
/// halves for floats. The vertex works on a copy.
struct ConvertedOperand {
  void *home = nullptr;
  void *copy = nullptr;
  std::uint64_t elements = 0;
  bool homeHoldsFloats = false;
  bool writes = false;

  void load() const;
  /// Only what the vertex has changed: what it has not is not rounded.
  void store() const;
};

/// All that running a vertex takes. `run` is null where that is not one call of it: a MultiVertex, a class that cannot
/// be run, a vertex with converted operands.
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
  /// Operands to load before the vertex runs and to store afterwards.
  [[nodiscard]] std::span<const ConvertedOperand> converted(std::size_t vertex) const;
  /// The operands of the vertex as they are now, in the form that the stand-in takes: state fields first, then edges.
  /// Halves that are held as floats are rounded into `halves`, which must live as long as what is returned.
  [[nodiscard]] std::vector<StandInOperand> operands(std::size_t vertex, HostSlab &halves) const;

private:
  const StepProgram &program_;
  const CodeletSet &codelets_;
  const DeviceState &state_;
  [[nodiscard]] const VertexClass &noClass(VertexTypeId type) const;

  IdVector<VertexTypeId, const VertexClass *> classes_; // null: not a codelet
  struct Converted {
    std::vector<ConvertedOperand> operands;                // of one vertex after the other
    std::vector<std::pair<std::size_t, std::size_t>> ends; // a vertex that has some, where its end; ascending
  };
  std::vector<HostSlab> slabs_;
  std::vector<Converted> converted_; // by slab
  std::vector<VertexCall> calls_;
};

} // namespace popscope
