// VertexClass: describes one vertex class after its source was compiled and loaded. It is the call interface between
// codelets and the modules that create, size and run vertices. It consists of plain data and C function pointers. From
// graph/codelets, instrument/machine needs this header, the set of classes (CodeletSet) and the stand-ins (StandIn).
#pragma once
#include "base/ElementType.hpp"
#include "graph/codelets/device/RegistryTable.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

enum class FieldDirection : std::uint8_t { State, Input, Output, InOut };
/// The nesting of a field. VectorOfEdges is Vector<Input<Vector<T>>>; VectorList is VectorList<Input...>.
enum class FieldShape : std::uint8_t {
  Scalar,
  Vector,
  VectorOfScalars /*Vector<Input<T>>*/,
  VectorOfVectors,
  VectorList
};
/// Same order as poplar::VectorLayout / poplar::VectorListLayout of <poplar/Vertex.hpp>.
enum class PtrLayout : std::uint8_t {
  NotAVector,
  Span,
  ShortSpan,
  OnePtr,
  ScaledPtr32,
  ScaledPtr64,
  ScaledPtr128,
  CompactPtr
};
enum class ListLayout : std::uint8_t {
  NotAVector,
  OnePtr,
  ScaledPtr32,
  ScaledPtr64,
  ScaledPtr128,
  DeltaN,
  DeltaNElements,
  CompactDeltaN
};

struct FieldInfo {
  std::string name;
  FieldDirection direction = FieldDirection::State;
  FieldShape shape = FieldShape::Scalar;
  ElementType type = ElementType::Invalid;
  PtrLayout outer = PtrLayout::NotAVector; // layout of the vector, or of the outer vector of a nested field
  PtrLayout inner = PtrLayout::NotAVector; // of VectorOfVectors
  ListLayout list = ListLayout::NotAVector;
  std::uint32_t minAlign = 1; // bytes, of the data the field points at
  bool interleaved = false;
  bool readOnly = false;      // state that is declared const: the codelet cannot write it
  std::size_t hostOffset = 0; // offset of the field in the host object
  bool halfAsFloat = false;   // in the host object and its operands, a half is a float of four bytes
};
/// Returns the bytes of an element as the host's code of a vertex sees it.
[[nodiscard]] inline std::size_t hostElementBytes(const FieldInfo &field) {
  return field.halfAsFloat ? sizeof(float) : elementBytes(field.type);
}

// Host representation of fields, the same for every layout:
//   scalar state              the value
//   scalar edge               T *
//   Vector (state or edge)    HostSpan
//   VectorOfScalars           HostSpan of T *
//   VectorOfVectors, List     HostSpan of HostSpan
struct HostSpan {
  void *data;
  std::size_t size;
};

enum class VertexClassKind : std::uint8_t { Worker, Supervisor, Multi };

/// One stand-in object: RV32 code of a codelet library, linked into one image (see standin/).
class StandInImage;

struct VertexClass {
  std::string name; // the name that addVertex takes, without blanks after commas
  VertexClassKind kind = VertexClassKind::Worker;
  std::vector<FieldInfo> fields;        // declaration order, base classes first
  std::vector<std::string> constraints; // [[poplar::constraint(...)]]
  std::size_t hostSize = 0, hostAlign = 1;
  bool (*run)(void *vertex, unsigned worker) = nullptr; // calls compute(); void compute() gives true
  popscope_device::Place *(*place)() = nullptr;         // returns the calling thread's Place, which builtins read
  bool hasCycleEstimate = false;
  std::uint64_t (*cycleEstimate)(const void *vertex) = nullptr; // the class's own getCycleEstimate()
  std::shared_ptr<void> library;                                // keeps the loaded object alive
  std::vector<std::string> missing;    // functions that its source uses and no source defines (yet); it cannot run then
  std::string objectFile, standInFile; // files from which object and stand-in were loaded; "" = made by hand
  std::shared_ptr<const StandInImage> standIn;                   // null when the stand-in could not be compiled
  std::string standInProblem;                                    // the reason why there is no stand-in
  std::string standInEntry;                                      // symbol of the entry in the image
  std::uint32_t codeBytes = 0;                                   // bytes of stand-in code that only this entry reaches
  std::vector<std::pair<std::string, std::uint32_t>> sharedCode; // (function, bytes) reached, linked once per tile
};

/// Returns the index of the named field, or -1. Is called once for each edge of a graph.
int findField(const VertexClass &vertexClass, std::string_view name);

} // namespace popscope
