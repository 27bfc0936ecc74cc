// Changes to a program. Advice proposes changes, and the engine option popscope.applyAdvice applies changes. Invariant:
// no change alters a value that the program computes.
//
//   [{"kind": "moveVariable", "variable": "Layer1/out", "from": "0,2", "to": "1,3"},
//    {"kind": "moveVariable", "variable": "w", "mapping": [[0, 64, 5], [64, 128, 6]]},
//    {"kind": "moveVertices", "computeSet": "Layer1/Fwd", "from": "0,2", "to": "1,3"},
//    {"kind": "writeUndef", "variable": "v", "before": {"kind": "source", "name": "Update", "occurrence": 1}},
//    {"kind": "option", "option": "popscope.elideCopies", "value": "true"}]
//
// If several variables, compute sets or programs share a name, "occurrence" selects one of these objects by its number,
// counted from 0.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <optional>
#include <string>
#include <vector>

namespace popscope {

struct AdviceChange {
  enum class Kind : std::uint8_t { WriteUndef, MoveVariable, MoveVertices, Option } kind = Kind::WriteUndef;
  std::string name;                        // name of the variable, compute set or option
  std::optional<std::uint64_t> occurrence; // index among the objects with this name, in the order of the graph
  std::vector<TileId> from, to;            // tiles of a move. The move distributes the contents of the tiles `from`
                                           // over the tiles `to`, in order and in equal shares. If a variable's
                                           // elements cannot be divided equally, the size of a share is rounded up to a
                                           // multiple of 8 bytes, and the last tiles get less
  /// A variable's new mapping, which a MoveVariable can have instead of `from` and `to`. Each range maps elements to a
  /// tile. Elements outside the ranges stay on their tiles.
  std::vector<MappedRange> mapping;
  std::string beforeKind, beforeName; // for a WriteUndef: the source or step before which the change inserts the
                                      // WriteUndef. beforeKind is "source" or, for a step without a source, the kind of
                                      // the step
  std::uint64_t beforeOccurrence = 0;
  std::string value; // value of an option
};
using AdviceChanges = std::vector<AdviceChange>;

/// Returns whether both changes are of the same kind and change the same object.
[[nodiscard]] inline bool sameObject(const AdviceChange &a, const AdviceChange &b) {
  return a.kind == b.kind && a.name == b.name && a.occurrence == b.occurrence;
}

/// Reads changes from JSON. `textOrPath` is the JSON text or the path of a JSON file. Returns no changes if
/// `textOrPath` is empty. Throws poplar::invalid_option for a mistake, or if the file cannot be read. The message
/// contains the mistake and, for a mistake in a change, the number of the change.
[[nodiscard]] AdviceChanges readAdviceChanges(const std::string &textOrPath);
/// Returns the changes as one line of JSON, from which readAdviceChanges reads the same changes.
[[nodiscard]] std::string toJson(const AdviceChanges &changes);
/// Returns a change in words, for example "move \"Layer1/out\" from tiles 0,2,4,... (8) to tiles 1,3,5,... (8)".
[[nodiscard]] std::string describe(const AdviceChange &change);

} // namespace popscope
