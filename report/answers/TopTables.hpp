// The tables of `popscope top`, and the functions that they share. This header is internal to TopAnswer.
//
//   TopSteps.cpp   what a run does: compute sets, steps, operations and layers
//   TopTables.cpp  what a program consists of: vertex types, vertices, variables, tiles
#pragma once
#include "report/answers/FlopColumns.hpp"
#include "report/answers/View.hpp"

#include <string>
#include <vector>

namespace popscope::top {

inline constexpr std::size_t kUsualTopRows = 10;

/// Returns the requested measure (--by), or the first measure of `has` if none was requested. Throws AnswerError if
/// `has` does not contain the requested measure, or if the measure is "flops" and `flops` is empty. The message
/// suggests measures that this profile has.
[[nodiscard]] std::string measure(const Request &request, std::vector<std::string> has,
                                  const FlopColumns *flops = nullptr);
/// Returns the measures by which a table of `popscope top` can be sorted: `recorded`, then `always`. The first measure
/// is the default. Leaves out `recorded` if the profile has no recorded run.
[[nodiscard]] std::vector<std::string> measuresOf(const Request &request, std::vector<std::string> recorded,
                                                  const std::vector<std::string> &always);
/// Returns whether --name selects the name.
[[nodiscard]] bool wanted(const Request &request, const std::string &name);
/// Returns whether --tiles is given. Returns false for --ipu alone, because the file contains the times of each IPU, so
/// that times per tile are not needed.
[[nodiscard]] inline bool someTiles(const Request &request) { return !request.selection.tiles.empty(); }

/// Ranks executed compute sets by the requested measure. Without recorded runs, ranks the compute sets of the graph by
/// their numbers of vertices.
[[nodiscard]] Table topComputeSets(const Request &request, const FlopColumns &flops);
/// Ranks steps by cycles, by moved bytes, or by exchange code on the selected tiles.
[[nodiscard]] Table topSteps(const Request &request);
/// Ranks operations. Ranks layers instead with --of layers, or if the profile has no debug information.
[[nodiscard]] Table topOperations(const Request &request, const FlopColumns &flops);
/// Ranks vertex types. Bytes and code are those of the selected tiles; cycles and operations are known only for all
/// tiles together.
[[nodiscard]] Table topVertexTypes(const Request &request, const FlopColumns &flops);
/// Ranks single vertices by the cycles of their last recorded execution.
[[nodiscard]] Table topVertices(const Request &request, const pva::List<pva::VertexExecution> &vertices);
/// Ranks variables by bytes on the selected tiles. Variables with the same name and category, such as the buffers of
/// one exchange, form one row. If only some of these variables are always live, the variables form two rows.
[[nodiscard]] Table topVariables(const Request &request);
/// Ranks tiles by bytes, code or cycles.
[[nodiscard]] Table topTiles(const Request &request);

} // namespace popscope::top
