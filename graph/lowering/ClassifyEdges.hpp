// ClassifyEdges: decides where the data of each operand of a vertex lies: in place, or in a buffer. An operand is in
// place if the operand's view is one run in a home on the vertex's own tile, and if this run is aligned as the field
// requires. Other operands lie in buffers. An operand that the vertex only reads also lies in a buffer if the vertex
// writes some of the same elements through another field. An operand without elements has no place.
#pragma once
#include "graph/lowering/LoweringContext.hpp"

#include <array>
#include <deque>

namespace popscope {

/// An operand whose data lies in a buffer.
struct PlacedEdge {
  RunList view;
  Fragment only; // the whole operand, if the operand is one run in one piece of a variable
  std::uint32_t operand = 0;
  TileId tile;
  bool reads = false, writes = false, interleaved = false;
  std::uint32_t alignment = 1;
  std::uint64_t elements = 0; // at least 1 for each entry of `edges`
};
/// A demand of a field on the home that contains the field's operand in place: an alignment and a region. Only fields
/// with an alignment above kWordBytes, and fields that need interleaved memory, have demands.
struct HomeDemand {
  HomeId home;
  std::uint32_t alignment = 1;
  bool interleaved = false;
};

/// Decides where the data of operands lies, for one vertex at a time. The constructor's arguments must outlive the
/// object.
class EdgeClassifier {
public:
  EdgeClassifier(const LoweringContext &context, std::vector<EdgePlace> &places) : c_(context), places_(places) {}

  /// Appends the places of the vertex's operands to the `places` of the constructor, in the order of (field, subIndex).
  /// The place of an operand in a buffer has no home yet; `edges` lists these operands.
  void add(const GraphVertex &vertex);

  std::vector<OperandKind> kinds; // the kinds of operands of the vertex that was added last
  std::vector<PlacedEdge> edges;  // in the order of operands; valid while the classifier exists
  std::vector<HomeDemand> demands;

private:
  struct Operand;
  template <class Use> void eachOperand(const GraphVertex &vertex, const Use &use);
  bool addPlain(const GraphVertex &vertex);
  void addSeparately(const GraphVertex &vertex);
  EdgePlace &append(std::uint16_t field, std::uint32_t subIndex, const OperandFacts &facts, std::uint64_t elements);
  void place(const Operand &o, TileId tile, bool apart);
  /// Sets `out` to the operand's place, or adds the operand to `edges`. The search for the operand begins at home piece
  /// number `piece`, which then receives the piece that was found.
  void settle(const Operand &o, TileId tile, bool apart, std::uint32_t &piece, EdgePlace &out);
  void placePlain(const PlainEdge &edge, const OperandFacts &facts, TileId tile);
  void demand(const EdgePlace &operand, const OperandFacts &facts);
  [[nodiscard]] std::uint32_t &hint() { return hints_[kinds.size() % hints_.size()]; }

  const LoweringContext &c_;
  std::vector<EdgePlace> &places_;
  // For each operand number (modulo 8), the home piece that was found last. The search for the next vertex's operand
  // begins at this piece, because neighbouring vertices mostly use the same piece or the next piece.
  std::array<std::uint32_t, 8> hints_{};
  std::vector<Fragment> parts_;
  std::deque<std::vector<ViewRun>> joined_; // views of vectors that were connected element by element
};

} // namespace popscope
