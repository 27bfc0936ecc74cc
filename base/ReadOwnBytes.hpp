// ReadOwnBytes: reads one of our files from a stream that may contain more: a framework's own header and data, or
// several of our files in sequence.
#pragma once
#include <cstddef>
#include <iosfwd>
#include <string>

namespace popscope {

/// Reads a header of `headerBytes` and then the body. The 8 bytes at `lengthAt` of the header are the length of the
/// body, little endian. The stream is then at the end of the body. Missing bytes are left out; the caller's checks
/// report them. A wrong length costs no more memory than the stream has data.
std::string readOwnBytes(std::istream &in, std::size_t headerBytes, std::size_t lengthAt);

} // namespace popscope
