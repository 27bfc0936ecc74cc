// Checks the outer form of debug.cbor without building its records.
#pragma once
#include <string>

namespace popscope {

struct CborScan {
  bool shallow = true; // all items state their lengths; arrays, maps and tags nest at most 64 levels deep
  bool whole = false;  // the bytes are exactly one item, and `shallow` is true
};

/// Scans CBOR without building its values. The scan does not detect all malformed CBOR; a parser reports the other
/// faults.
[[nodiscard]] CborScan scanCbor(const std::string &bytes);
/// Throws ProfileError, with the path, if the file is missing, is truncated, nests too deeply or does not contain debug
/// information. Reads each byte, but builds no records, so the check is cheap for commands that need no records.
void checkDebugFile(const std::string &path);

} // namespace popscope
