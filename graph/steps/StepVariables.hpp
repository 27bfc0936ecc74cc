// Array variables of a StepProgram, and the home of each element. This header is part of StepProgram.hpp.
#pragma once
#include "base/ElementType.hpp"
#include "base/Ids.hpp"
#include "base/StorageCategory.hpp"
#include "base/StringTable.hpp"
#include "base/Units.hpp"
#include "base/Words.hpp"

#include <cstdint>

namespace popscope {

/// A range of elements. The struct has 8 bytes, because programs have tens of millions of ranges.
struct ElementRange {
  ElementNumber begin, end; // half-open
  friend bool operator==(const ElementRange &, const ElementRange &) = default;
};

/// An array variable. Each piece of the variable (Piece) names the home that holds the piece's elements. The part of
/// the variable on one tile is a *home* (lowered variable). The tile stores a home contiguously, in ascending order of
/// element numbers.
struct StepVar {
  NameId name;
  StorageCategory category = StorageCategory::Variable;
  ElementType type = ElementType::Float;
  bool constant = false;                // true for category Constant
  bool interleaved = false;             // true: each home must be in the interleaved region
  bool replicaIndex = false;            // true: the variable has one element, which holds the number of the replica
  std::uint32_t alignment = kWordBytes; // alignment of each home in bytes
  std::uint32_t firstPiece = 0, numPieces = 0;
  std::uint32_t firstHome = 0, numHomes = 0;
  ElementNumber elements;
  std::int32_t graphVar = -1;     // index of the user's variable in the graph; -1 = compiler-made
  std::int64_t initialData = -1;  // offset of the initial values in StepProgram::data (elements * elementBytes bytes);
                                  // -1 = none
  std::uint32_t addressLimit = 0; // every byte of a home must lie below this offset from the base of tile memory, so
                                  // that the scaled pointers of vertices reach the byte; 0 = no limit
};
static_assert(sizeof(StepVar) == 56);

struct Piece {
  ElementRange elements; // range of elements of the variable
  HomeId home;
  ElementNumber homeElement; // number of the home's elements before elements.begin
};
static_assert(sizeof(ElementRange) == 8 && sizeof(Piece) == 16);

/// The part of a variable on one tile. A home is smaller than 4 GiB, the limit of a tile's addresses (CheckMapping
/// refuses larger homes).
struct Home {
  VarId var;
  TileId tile;
  ElementNumber elements;
};
static_assert(sizeof(Home) == 12);

/// A contiguous byte range of one home.
struct HomeBytes {
  HomeId home;
  Bytes offset; // offset from the start of the home
  Bytes bytes;
};

} // namespace popscope
