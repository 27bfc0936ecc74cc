// ReadOwnBytes: one file of ours out of a stream that may hold more: a framework's own header and data, or several of
// ours one after the other.
#pragma once
#include <cstddef>
#include <iosfwd>
#include <string>

namespace popscope {

/// Reads a header of `headerBytes`, of which the 8 bytes at `lengthAt` are the length of what follows, little endian,
/// and as many bytes; the stream then stands behind them. What is not there is left out: the caller's checks tell of
/// it. A length that cannot be true costs no more memory than the stream holds.
std::string readOwnBytes(std::istream &in, std::size_t headerBytes, std::size_t lengthAt);

} // namespace popscope
