// Inputs of the packing benchmark: synthetic tiles from stated seeds, and files in MiniMalloc's CSV form.
#pragma once
#include "liveness/layout/PackProblem.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bench {

enum class Lives : std::uint8_t { Exponential, Pareto };

/// `numItems` items: uniform starts in [0, steps), lives of the given law with the mean that makes `live` items exist
/// at a time (Pareto: shape 1.2), sizes log-uniform from 8 bytes to 64 KiB in multiples of 8. The same for a seed
/// everywhere.
popscope::PackProblem makeTile(std::size_t numItems, double live, std::uint32_t steps, Lives lives, std::uint64_t seed);

/// A file with columns id, lower, upper, size in any order (half-open times). Throws std::runtime_error naming the
/// file, the line and what is wrong.
popscope::PackProblem readCsv(const std::string &path);
void writeCsv(const popscope::PackProblem &problem, const std::string &path);
/// The column `offset` of a peer's answer, by id as writeCsv numbers them.
std::vector<std::uint64_t> readOffsets(const std::string &path, std::size_t numItems);

/// The same problem said otherwise.
popscope::PackProblem permuted(const popscope::PackProblem &problem, std::uint64_t seed);
popscope::PackProblem mirrored(const popscope::PackProblem &problem);
popscope::PackProblem scaled(const popscope::PackProblem &problem, std::uint64_t factor);

/// Empty, or what is wrong: two items that overlap in time and space, or one at a wrong alignment. Compares pairs.
std::string findOverlap(const popscope::PackProblem &problem, const std::vector<std::uint64_t> &addresses);

/// The greedy best fit by decreasing size of XLA, TFLite and IREE, as a linear scan of what is placed in address order:
/// the twin that ours is compared with. O(items^2).
std::vector<std::uint64_t> greedyBestFit(const popscope::PackProblem &problem);

} // namespace bench
