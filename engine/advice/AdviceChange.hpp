// Changes of a program that advice proposes and popscope.applyAdvice asks for. None of them changes a value that the
// program computes.
//
//   [{"kind": "moveVariable", "variable": "Layer1/out", "from": "0,2", "to": "1,3"},
//    {"kind": "moveVariable", "variable": "w", "mapping": [[0, 64, 5], [64, 128, 6]]},
//    {"kind": "moveVertices", "computeSet": "Layer1/Fwd", "from": "0,2", "to": "1,3"},
//    {"kind": "writeUndef", "variable": "v", "before": {"kind": "source", "name": "Update", "occurrence": 1}},
//    {"kind": "option", "option": "popscope.elideCopies", "value": "true"}]
//
// Where several variables, compute sets or programs have one name, "occurrence" says which, from 0 on.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <optional>
#include <string>
#include <vector>

namespace popscope {

struct AdviceChange {
  enum class Kind : std::uint8_t { WriteUndef, MoveVariable, MoveVertices, Option } kind = Kind::WriteUndef;
  std::string name;                        // of the variable, the compute set or the option
  std::optional<std::uint64_t> occurrence; // among those of the name, in the order of the graph
  std::vector<TileId> from, to;            // what lies on `from` is dealt in order over `to`, in equal shares
  std::vector<MappedRange> mapping;        // of a variable, instead: elements [begin, end) to a tile
  std::string beforeKind, beforeName;      // WriteUndef: "source", or the kind of a step that is of no source
  std::uint64_t beforeOccurrence = 0;
  std::string value; // of the option
};
using AdviceChanges = std::vector<AdviceChange>;

/// Reads the JSON of an option's value, or of the file that it names. Throws poplar::invalid_option, which names the
/// change by its number and what is wrong with it.
[[nodiscard]] AdviceChanges readAdviceChanges(const std::string &textOrPath);
/// One line; readAdviceChanges gives the same changes again.
[[nodiscard]] std::string toJson(const AdviceChanges &changes);
/// "move \"Layer1/out\", tiles 0,2,4,... (8) to 1,3,5,... (8)".
[[nodiscard]] std::string describe(const AdviceChange &change);

} // namespace popscope
