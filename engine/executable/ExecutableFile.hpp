// ExecutableFile: the bytes of a compiled program. Another process can read these bytes and run the program.
//
//   bytes 0-7    "POPSCPEX"
//   bytes 8-11   format version, little endian
//   bytes 12-19  length of the body
//   bytes 20-51  hash of the body, 32 hexadecimal digits
//   then         the body, an archive (graph/ir/Archive.hpp): version of Popscope, codelet objects, machine, link
//                options, print formats, steps, ranges, layout, record, settings, id of debug.cbor
//
// The reader refuses a damaged or foreign file before the reader uses any part of the file. Load only files that you
// trust, because an executable contains native code.
#pragma once
#include "engine/compile/Compile.hpp"

#include <iosfwd>
#include <memory>
#include <string>

namespace popscope {

/// Returns the executable as bytes. Throws poplar::poplar_error if the files of the compiled codelets no longer exist.
std::string executableToBytes(const CompiledProgram &compiled);
/// Writes the executable to a stream. Throws poplar::poplar_error if the files of the compiled codelets no longer
/// exist, or if the stream fails.
void writeExecutable(const CompiledProgram &compiled, std::ostream &out);
/// Returns a hash (32 hexadecimal digits) of all data that determines the executed steps, their code and the memory
/// layout. The version of Popscope affects the hash. An engine option affects the hash only if the option changes this
/// data. The time at which the program was compiled does not affect the hash. Throws poplar::poplar_error if the files
/// of the compiled codelets no longer exist.
std::string executableHash(const CompiledProgram &compiled);
/// Reads an executable. Throws poplar::poplar_error unless the bytes are a whole executable that this version of
/// Popscope wrote. If `checkVersion` is false, another version of Popscope may have written the executable, but the
/// format version must be the current one.
std::shared_ptr<const CompiledProgram> executableFromBytes(const std::string &bytes, bool checkVersion = true);
/// Reads one executable from a stream, as executableFromBytes() does. Data after the executable stays in the stream.
std::shared_ptr<const CompiledProgram> executableFromStream(std::istream &in, bool checkVersion);

} // namespace popscope
