// ExecutableFile: a compiled program as bytes, to be run by another process.
//
//   bytes 0-7    "POPSCPEX"
//   bytes 8-11   format version, little endian
//   bytes 12-19  length of the body
//   bytes 20-51  hash of the body, 32 hexadecimal digits
//   then         the body, an archive (graph/ir/Archive.hpp): version of Popscope, codelet objects, machine, settings,
//   steps, ranges, layout, records
// A damaged or foreign file is refused before anything of it is used. An executable holds native code: as with any
// program, load only files that you trust.
#pragma once
#include "engine/compile/Compile.hpp"

#include <iosfwd>
#include <memory>
#include <string>

namespace popscope {

/// Throws poplar::poplar_error when the compiled codelets are no longer where they were loaded from.
std::string executableToBytes(const CompiledProgram &compiled);
/// The same to a stream; throws poplar::poplar_error, too, when that fails.
void writeExecutable(const CompiledProgram &compiled, std::ostream &out);
/// Of all that decides what runs and where it lies, not of options or times: 32 hexadecimal digits. Throws as
/// executableToBytes.
std::string executableHash(const CompiledProgram &compiled);
/// Throws poplar::poplar_error for what is not a whole executable of this version. Without `checkVersion` one that
/// another version of Popscope wrote is read, too, if it has today's format.
std::shared_ptr<const CompiledProgram> executableFromBytes(const std::string &bytes, bool checkVersion = true);
/// The same of one executable out of a stream that may hold more; the rest stays there.
std::shared_ptr<const CompiledProgram> executableFromStream(std::istream &in, bool checkVersion);

} // namespace popscope
