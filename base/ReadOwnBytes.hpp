// ReadOwnBytes: reads one of Popscope's files from a stream. The stream may contain other data after the file, such as
// data of a framework or further files.
#pragma once
#include <cstddef>
#include <iosfwd>
#include <string>

namespace popscope {

/// Reads a header of `headerBytes` bytes, and then the body. The 8 bytes at offset `lengthAt` of the header contain the
/// length of the body, little endian. Leaves the stream at the end of the body. If the stream ends too early, returns
/// the bytes up to its end; the caller must detect the missing bytes. Reads at most 16 MiB at once, so a wrong length
/// in the header causes no large allocation. Throws poplar::poplar_error with the cause if the stream is not open, has
/// failed, or cannot be read, for example because its path is a folder.
std::string readOwnBytes(std::istream &in, std::size_t headerBytes, std::size_t lengthAt);

/// Reads the rest of a stream. Throws as readOwnBytes() does.
std::string readRest(std::istream &in);

} // namespace popscope
