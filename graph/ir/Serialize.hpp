// Serialize: converts graphs and tensors to bytes and back, for Graph::serialize, serializeTensors and
// deserializeTensors.
//
//   magic | kind: 1 tensors, 2 graph | version | length of the body | body
//
// The magic is the number 8 and the text "popscope". Each number has 8 bytes, so the parts before the body have 40
// bytes. graph/ir/Archive.hpp defines the encoding. The reader checks lengths against the remaining bytes, types
// against the known types, and ids and ranges against the tables to which they refer.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

inline constexpr std::uint64_t kGraphFormatVersion = 1;
/// Bytes of the header that precedes the body, and the offset of the body's length in the header.
inline constexpr std::size_t kGraphHeaderBytes = 40, kGraphLengthAt = 32;

/// A tensor. For a quarter tensor with metadata, `metadata` is the index of the metadata among the tensors, plus one.
/// For any other tensor, `metadata` is 0.
struct TensorRecord {
  View view;
  std::uint64_t metadata = 0;
};

/// The contents of a file of tensors: the tensors, and the variables that these tensors touch. The variables are sorted
/// by the ids that they have in the graph.
struct TensorFile {
  LargeTable<GraphVar> vars; // `name` is an index into names
  std::vector<std::string> names;
  std::vector<TensorRecord> tensors; // the runs of a tensor refer to `vars` by index
  std::uint64_t asked = 0;           // number of requested tensors, which come first; the other tensors are metadata of
                                     // the requested tensors
};

/// Collects the variables that `tensors` (of `graph`) touch, and the tensors as views of these variables.
[[nodiscard]] TensorFile collectTensors(const GraphIr &graph, const std::vector<TensorRecord> &tensors);
[[nodiscard]] std::string writeTensors(const TensorFile &file);
/// Reads the tensors that writeTensors wrote. Throws poplar::poplar_error for a file of another kind or version, and
/// for a damaged file. For a file of another kind or version, the message contains this kind or version. For damage
/// after the magic, the message contains the byte offset of the damage.
[[nodiscard]] TensorFile readTensors(const std::string &bytes);

/// Writes the programs and the tables of a graph without replicated parts. Does not write the codelets, but writes the
/// names of the vertex classes. The written vertices refer to their fields by index.
[[nodiscard]] std::string writeGraph(const GraphIr &graph, const std::vector<ProgramPtr> &programs);
struct GraphFile {
  std::string machineName;
  std::uint64_t numTiles = 0;
  GraphIr ir; // the graph without codelets; GraphVertex::codelet indexes codeletNames
  std::vector<std::string> codeletNames;
  std::vector<ProgramPtr> programs;
};
/// Reads the graph that writeGraph wrote. Throws poplar::poplar_error for a file of another kind or version, and for a
/// damaged file.
[[nodiscard]] GraphFile readGraph(const std::string &bytes);

} // namespace popscope
