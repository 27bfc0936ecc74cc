// ExecutableFile: a compiled program as bytes, to be run by another process.
//
//   bytes 0-7    "POPSCPEX"
//   bytes 8-11   format version, little endian
//   bytes 12-19  length of the body
//   bytes 20-51  hash of the body, 32 hexadecimal digits
//   then         the body, an archive (graph/ir/Archive.hpp): version of Popscope, codelet objects, machine, settings,
//                steps, ranges, layout, records
//
// A damaged or foreign file is refused before any part of it is used. An executable contains native code: as with any
// program, load only files that you trust.
#pragma once
#include "engine/compile/Compile.hpp"

#include <iosfwd>
#include <memory>
#include <string>

namespace popscope {

/// Returns the bytes. Throws poplar::poplar_error if the compiled codelets are no longer where they were loaded from.
std::string executableToBytes(const CompiledProgram &compiled);
/// Writes the bytes to a stream. Also throws poplar::poplar_error if that fails.
void writeExecutable(const CompiledProgram &compiled, std::ostream &out);
/// Returns a hash, 32 hexadecimal digits, of all that decides what runs and where it lies, without options and times.
/// Throws as executableToBytes does.
std::string executableHash(const CompiledProgram &compiled);
/// Reads an executable. Throws poplar::poplar_error unless the bytes are a whole executable of this version. Without
/// `checkVersion` it also reads an executable of another version of Popscope with the current format.
std::shared_ptr<const CompiledProgram> executableFromBytes(const std::string &bytes, bool checkVersion = true);
/// Reads one executable from a stream that may contain more; the rest stays there.
std::shared_ptr<const CompiledProgram> executableFromStream(std::istream &in, bool checkVersion);

} // namespace popscope
