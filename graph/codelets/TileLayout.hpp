// TileLayout: computes the bytes of a vertex on a tile, field by field, for each target. The functions are pure.
// docs/CATEGORIES.md lists the rules and their sources.
#pragma once
#include "graph/codelets/VertexClass.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

/// The sizes of the data to which one field of one vertex is connected.
struct FieldCounts {
  std::uint64_t elements = 0;       // number of elements of a Vector, or of edges of a nested field
  std::vector<std::uint64_t> inner; // number of elements of each edge of a nested field
};

/// The bytes of a vertex by storage category (first line of members), and by purpose as in pva::VertexOnTile (second
/// line). Both lines have the same sum.
struct TileVertexBytes {
  std::uint32_t instanceState = 0, fieldData = 0, vectorListDescriptor = 0;
  std::uint32_t internalState = 0, edgePointers = 0, padding = 0, descriptors = 0;
};

/// Returns the bytes of a vertex. `counts` has one entry per field. `target` is "ipu1", "ipu2" or "ipu21".
TileVertexBytes tileVertexBytes(const VertexClass &vertexClass, const std::vector<FieldCounts> &counts,
                                const std::string &target);
/// One line of the layout of the state: a field, in declaration order, or padding.
struct StateLine {
  int field = -1;                      // index into the class's fields; -1 for padding
  std::uint32_t offset = 0, bytes = 0; // offset and size within the state
  std::uint32_t bytesPerElement = 0;   // bytes outside of the state per element or inner vector
  bool descriptor = false;             // true: bytesPerElement counts entries of a delta table, not field data
};
/// Returns the lines of the state. The bytes of all lines add up to tileStateBytes.
std::vector<StateLine> tileStateLines(const VertexClass &vertexClass, const std::string &target);
/// Returns the bytes that one field stores outside of the vertex's state. In the result, instanceState and padding are
/// 0.
TileVertexBytes tileFieldBytes(const FieldInfo &field, const FieldCounts &counts, const std::string &target);
/// The memory that a field's pointers can reach: addresses below `end`, counted from the base of tile memory
/// (`fromBase`) or from address 0. If `end` is 0, the pointers can reach all memory.
struct PointerReach {
  std::uint64_t end = 0;
  bool fromBase = false;
};
PointerReach pointerReach(const FieldInfo &field, const std::string &target);
/// Returns sizeof(class) on the tile.
std::uint32_t tileStateBytes(const VertexClass &vertexClass, const std::string &target);
/// Returns the layout that the target uses. Resolves CompactPtr and CompactDeltaN for the target and alignment, and
/// replaces a layout whose short pointers the target cannot use.
PtrLayout resolveLayout(PtrLayout layout, std::uint32_t minAlign, const std::string &target);
ListLayout resolveLayout(ListLayout layout, const std::string &target);
/// Returns the largest size that the field's representation on `target` can hold in `dimension`. For "cpu", returns the
/// largest std::uint64_t unless the field is a scalar.
std::uint64_t maxFieldDim(const FieldInfo &field, unsigned dimension, const std::string &target);

} // namespace popscope
