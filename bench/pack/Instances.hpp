// Inputs of the packing benchmark: synthetic tiles, each made from a given seed, and files in MiniMalloc's CSV form.
#pragma once
#include "liveness/layout/PackProblem.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bench {

enum class Lives : std::uint8_t { Exponential, Pareto };

/// Makes a tile of `numItems` items. The items' first steps are uniform in [0, steps). The lifetimes follow the
/// distribution `lives` (Pareto with shape 1.2). The mean lifetime makes about `live` items exist at each step. Sizes
/// are log-uniform multiples of 8 from 8 bytes to 64 KiB. Equal seeds give equal tiles on every machine.
popscope::PackProblem makeTile(std::size_t numItems, double live, std::uint32_t steps, Lives lives, std::uint64_t seed);

/// Reads a file with the columns lower and upper (half-open times) and size, in any order. Throws std::runtime_error if
/// the file cannot be read or has a mistake. The message contains the file, the mistake and, for an invalid number, the
/// line.
popscope::PackProblem readCsv(const std::string &path);
void writeCsv(const popscope::PackProblem &problem, const std::string &path);
/// Reads the CSV file with the result of another packer. Returns its column `offset`, indexed by the ids that writeCsv
/// assigns.
std::vector<std::uint64_t> readOffsets(const std::string &path, std::size_t numItems);

/// Returns the problem with its items in a random order that depends only on `seed`.
popscope::PackProblem permuted(const popscope::PackProblem &problem, std::uint64_t seed);
popscope::PackProblem mirrored(const popscope::PackProblem &problem);
popscope::PackProblem scaled(const popscope::PackProblem &problem, std::uint64_t factor);

/// Returns a description of two items that overlap in time and in addresses, or of an item whose address is not a
/// multiple of its alignment. Returns "" if there are no such items. Compares all pairs of items that exist at the same
/// time.
std::string findOverlap(const popscope::PackProblem &problem, const std::vector<std::uint64_t> &addresses);

/// Packs by greedy best fit in order of decreasing size, as XLA, TFLite and IREE do, with a linear scan of the placed
/// items in address order. The benchmark compares Popscope's packer with this method. Cost: quadratic in the number of
/// items.
std::vector<std::uint64_t> greedyBestFit(const popscope::PackProblem &problem);

} // namespace bench
