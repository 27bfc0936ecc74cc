// The payload of OnTileExecute: vertices with their operands and values, copies on a tile, and the types of vertices
// and copy vertices. This header is part of StepProgram.hpp.
#pragma once
#include "base/Ids.hpp"
#include "base/Units.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace popscope {

/// The place of a vertex's operand. The struct has 8 bytes, because programs have tens of millions of operands. A
/// 32-bit offset suffices, because a home has fewer than 4 GiB (see Home).
struct EdgePlace {
  HomeId home;    // invalid when the operand has no elements
  Bytes32 offset; // offset in the home
};

/// The properties of an operand that do not depend on its place. checkGraph refuses a program that exceeds kMaxFields
/// or kMaxSubIndices. On an IPU, no program reaches kMaxSubIndices, because pointers to 2^22 edges exceed the memory of
/// a tile.
struct OperandKind {
  static constexpr std::uint32_t kMaxFields = 1U << 8, kMaxSubIndices = 1U << 22;
  std::uint32_t elements = 0;
  std::uint32_t subIndex : 22 = 0; // number of the edge in a vector of edges
  std::uint32_t field : 8 = 0;     // index into VertexClass::fields
  bool writes : 1 = false;
  bool reads : 1 = false;
  friend bool operator==(const OperandKind &, const OperandKind &) = default;
};
static_assert(sizeof(EdgePlace) == 8 && sizeof(OperandKind) == 8);

/// An operand of a vertex: the pair of kind and place that StepProgram::edgesOf returns.
struct VertexEdge : OperandKind, EdgePlace {};

/// The operands of one vertex, in the order of (field, subIndex).
class VertexEdges {
public:
  VertexEdges(const EdgePlace *places, const OperandKind *kinds, std::size_t count)
      : places_(places), kinds_(kinds), count_(count) {}
  class Iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = VertexEdge;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = VertexEdge;
    Iterator(const EdgePlace *place, const OperandKind *kind) : place_(place), kind_(kind) {}
    VertexEdge operator*() const { return {*kind_, *place_}; }
    Iterator &operator++() {
      ++place_;
      ++kind_;
      return *this;
    }
    bool operator==(const Iterator &other) const { return place_ == other.place_; }
    bool operator!=(const Iterator &other) const { return place_ != other.place_; }

  private:
    const EdgePlace *place_;
    const OperandKind *kind_;
  };
  [[nodiscard]] std::size_t size() const { return count_; }
  VertexEdge operator[](std::size_t i) const { return {kinds_[i], places_[i]}; }
  [[nodiscard]] Iterator begin() const { return {places_, kinds_}; }
  [[nodiscard]] Iterator end() const { return {places_ + count_, kinds_ + count_}; }

private:
  const EdgePlace *places_;
  const OperandKind *kinds_;
  std::size_t count_;
};

/// The value of a state field. A state vector that has a size but no value has zeros as its value.
struct StateValue {
  std::uint16_t field = 0;
  std::uint64_t elements = 1;  // 1 for a scalar
  std::uint64_t firstByte = 0; // position in StepProgram::data; the values have the field's element type
};

/// The bytes of one vertex on its tile. The program stores equal footprints once.
struct VertexFootprint {
  Bytes32 instanceState, fieldData, vectorListDescriptor, copyDescriptor;  // bytes by storage category
  Bytes32 internalState, edgePointers, copyPointers, padding, descriptors; // divided as in pva::VertexOnTile
  friend bool operator==(const VertexFootprint &, const VertexFootprint &) = default;
};

/// The properties of a vertex that do not depend on the data to which it is connected. StepProgram::forms contains each
/// form once.
struct VertexForm {
  std::uint32_t firstOperand = 0, numOperands = 0; // range in StepProgram::operandKinds
  std::uint32_t footprint = 0;
  std::uint16_t numState = 0; // number of rows in StepProgram::states, at most one per field
  bool fromEstimator = false; // the vertex's estimate comes from the estimator of the vertex type
  bool saysFlops = false;     // an estimate gives the vertex's floating-point operations
  friend bool operator==(const VertexForm &, const VertexForm &) = default;
};

struct StepVertex {
  VertexTypeId type;
  TileId tile;
  std::uint32_t firstEdge = 0; // the vertex's first row in StepProgram::edges, which has one row for each operand of
                               // the form
  std::uint32_t firstState = 0;
  std::uint32_t form = 0;
  std::uint32_t id = 0;       // the graph's vertex id
  std::int64_t estimate = -1; // cycles from setPerfEstimate, setCycleEstimate or an estimator; -1 without estimate
};

/// Two homes of one tile that must not share a memory element. The demand comes from a codelet's constraint "elem(*a)
/// != elem(*b)", or from a copy vertex that loads and stores in one cycle. The ids satisfy a < b.
struct ApartHomes {
  HomeId a, b;
  friend auto operator<=>(const ApartHomes &, const ApartHomes &) = default;
};

/// Field data of one tile that several vertices have in common, and that no vertex writes. The tile stores the data
/// once, in category sharedDataStorage. The footprints of the vertices do not include the data.
struct SharedData {
  TileId tile;
  Bytes32 bytes;
  std::uint32_t firstUse = 0, numUses = 0;
};

struct SharedUse {
  std::uint32_t vertex = 0; // index into StepProgram::vertices
  std::uint16_t field = 0;
};

/// One run of a copy within a tile. If `src` is invalid, the run is a fill, and `srcOffset` is the position in
/// StepProgram::data of the element that the fill writes. `srcOffset` has 64 bits, because StepProgram::data may exceed
/// 4 GiB. `dstOffset` has 32 bits, because a home has fewer than 4 GiB (see Home). The struct has 24 bytes, because a
/// copy of single elements has millions of runs.
struct CopyRun {
  Bytes srcOffset;
  HomeId src, dst;
  Bytes32 dstOffset, bytes;
};

/// A runtime copy vertex (poplar_rt::*). All runs of the vertex lie on the vertex's own tile.
struct CopyVertex {
  VertexTypeId type;
  TileId tile;
  std::uint8_t kind = 0; // CopyVertexKind of target-models/costs
  std::uint32_t firstRun = 0, numRuns = 0;
  Bytes bytes;
  std::uint32_t footprint = 0;
  Cycles cycles; // thread cycles (worker) or tile cycles (supervisor)
};

struct ExecuteStep {
  ComputeSetId computeSet;
  std::uint32_t firstVertex = 0, numVertices = 0;
  std::uint32_t firstCopy = 0, numCopies = 0;
  HomeId result;
  Bytes resultOffset; // offset in `result` of the BOOL that receives the AND of the results of all compute() calls;
                      // `result` is invalid if there is no BOOL
};

enum class VertexKind : std::uint8_t { Worker, Supervisor, Multi, Copy };

struct StepVertexType {
  std::string name;
  VertexKind kind = VertexKind::Worker;
  std::int64_t codelet = -1; // index into the loaded codelet classes; -1 for a copy vertex
  /// Bytes of code; 0 if unknown (!codeKnown). If the cost model knows the type, codeBytes counts all code that the
  /// entry point reaches. Otherwise, codeBytes counts the entry point and the code that no other entry point reaches.
  Bytes32 codeBytes;
  bool codeKnown = false;
  std::vector<std::uint32_t> libraries; // indices into StepProgram::libraryCode
  Bytes32 stateBytes; // bytes of one instance's state, without the data to which fields point outside of
                      // the state
};

/// Code that several vertex types share. Each tile with vertices of these types holds the code once.
struct LibraryCode {
  std::string name;
  Bytes32 bytes;
};

/// The floating-point operations that all vertices of one type do in one execution of a compute set. Counts only
/// vertices whose operations an estimate states.
struct TypeFlops {
  ComputeSetId computeSet;
  VertexTypeId type;
  std::uint64_t vertices = 0, flops = 0;
};

} // namespace popscope
