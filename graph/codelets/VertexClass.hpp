// VertexClass: describes one vertex class after its source was compiled and loaded. The description consists of plain
// data and C function pointers. The modules that create vertices and compute their sizes use a codelet only through
// this description. instrument/machine, which runs vertices, uses only three parts of graph/codelets: this header, the
// set of classes (CodeletSet) and the stand-ins (StandIn).
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
/// The nesting of a field. VectorOfVectors is Vector<Input<Vector<T>>>; VectorList is VectorList<Input...>.
enum class FieldShape : std::uint8_t {
  Scalar,
  Vector,
  VectorOfScalars /*Vector<Input<T>>*/,
  VectorOfVectors,
  VectorList
};
/// PtrLayout and ListLayout have the enumerators of poplar::VectorLayout and poplar::VectorListLayout, in the same
/// order.
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
  PtrLayout inner = PtrLayout::NotAVector; // layout of the inner vectors of a VectorOfVectors
  ListLayout list = ListLayout::NotAVector;
  std::uint32_t minAlign = 1; // alignment in bytes of the data to which the field points
  bool interleaved = false;
  bool readOnly = false;      // true: state that is declared const, so that the codelet cannot write it
  std::size_t hostOffset = 0; // offset of the field in the host object
  bool halfAsFloat = false;   // true: in the host object and its operands, a half is a float of four bytes
};
/// Returns the size in bytes of an element of the field in the host's code.
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
  std::string name; // the normalised name (normaliseVertexName), for example without blanks after commas
  VertexClassKind kind = VertexClassKind::Worker;
  std::vector<FieldInfo> fields;        // declaration order, base classes first
  std::vector<std::string> constraints; // [[poplar::constraint(...)]]
  std::size_t hostSize = 0, hostAlign = 1;
  bool (*run)(void *vertex, unsigned worker) = nullptr; // calls compute() and returns the result, or true if compute()
                                                        // returns void
  popscope_device::Place *(*place)() = nullptr;         // returns the calling thread's Place, which builtins read
  bool hasCycleEstimate = false;
  std::uint64_t (*cycleEstimate)(const void *vertex) = nullptr; // the class's own getCycleEstimate()
  std::shared_ptr<void> library;                                // keeps the library of the class loaded
  std::vector<std::string> missing;    // functions that the source uses and that no source defines yet; the class can
                                       // run only if the list is empty
  std::string objectFile, standInFile; // files from which object and stand-in were loaded. Both are "" for a class of
                                       // addClass; standInFile is "" if there is no stand-in
  std::shared_ptr<const StandInImage> standIn;                   // null if there is no stand-in
  std::string standInProblem;                                    // the reason why there is no stand-in
  std::string standInEntry;                                      // symbol of the class's entry point in the image
  std::uint32_t codeBytes = 0;                                   // bytes of stand-in code that only this entry point
                                                                 // reaches
  std::vector<std::pair<std::string, std::uint32_t>> sharedCode; // (function, bytes): functions that other entry points
                                                                 // also reach; a tile stores such a function once.
                                                                 // Library functions are also in the list, with 0 bytes
};

/// Returns the index of the field `name`, or -1 if the class has no such field. Must be fast, because the graph calls
/// findField for each edge.
int findField(const VertexClass &vertexClass, std::string_view name);

} // namespace popscope
