// NaiveProgram: the first of the two layers of lowering. A body is the contents of an engine's program, a function, a
// loop, a branch or a Block. The body becomes a list of rows in program order. Each program except Sequences has one
// row. An inner Sequence has two rows, one for its beginning and one for its end. This layer places, merges and omits
// nothing. Passes rewrite the list (MergeStreams); after these passes, ProgramLowering turns each row into steps. Rows
// are symbolic: a row names a compute set or a copy, not its vertices or messages. The cost of a body therefore does
// not depend on the size of its compute sets.
//   Sequence{Execute a, Sequence s{Copy b, Copy c}}      Execute a; open s; Copy b; Copy c; close
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <span>
#include <string>
#include <vector>

namespace popscope {

/// One occurrence of a program. The node must outlive this object.
struct NaiveProgram {
  const ProgramNode *node = nullptr;
  std::uint64_t context = 0; // DebugInfo or debug site of the occurrence: of the node, of its compute set, or of a
                             // program around the node
};

struct NaiveRow {
  enum class Kind : std::uint8_t {
    Programs,      // one program, or several programs that a pass merged into one
    OpenSequence,  // the beginning of a Sequence; the Sequence is the only program of the row
    CloseSequence, // the end of the innermost open Sequence
  } kind = Kind::Programs;
  std::uint32_t first = 0, count = 0; // range in NaiveBody::programs
};

struct NaiveBody {
  std::vector<NaiveRow> rows;
  std::vector<NaiveProgram> programs; // in the order of the rows

  [[nodiscard]] std::span<const NaiveProgram> programsOf(const NaiveRow &row) const {
    return {programs.data() + row.first, row.count};
  }
  /// Appends a row.
  void add(NaiveRow::Kind kind, std::span<const NaiveProgram> of);
};

/// Returns the context of a program that was made in context `own` and lies inside a program of context `around`. The
/// result is `around` if `own` is 0, and otherwise `own`, with one exception. If `own` is a debug site
/// (base/DebugSites.hpp) and `around` is a DebugInfo, the result is `around`, because the inner program belongs to that
/// DebugInfo.
[[nodiscard]] std::uint64_t innerContext(std::uint64_t around, std::uint64_t own);

/// Returns the rows of a program. For a Sequence, returns the rows of its children, without rows for the beginning and
/// the end of the Sequence. `context` is the DebugInfo or debug site around the program. A null program gives no rows.
[[nodiscard]] NaiveBody naiveBody(const GraphIr &graph, const ProgramPtr &program, std::uint64_t context);
/// Returns the rows of `programs`, in the order of the vector. The programs run in this order.
[[nodiscard]] NaiveBody naiveBody(const GraphIr &graph, const std::vector<ProgramPtr> &programs, std::uint64_t context);

/// Returns one line for each row except the ends of Sequences, such as "Copy 'b'". Joins the names of merged programs
/// by " + ". Indents each line by two spaces per level; the level is the number of open Sequences plus `depth`.
[[nodiscard]] std::string dumpNaive(const GraphIr &graph, const NaiveBody &body, std::size_t depth = 0);

} // namespace popscope
