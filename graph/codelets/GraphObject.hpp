// GraphObject: the .gp archive that popc writes: compiled codelets for one or several targets.
//
//   bytes 0-7    "POPSCPGP"
//   bytes 8-11   format version, little endian (1; other versions are refused)
//   bytes 12-19  length of the index, little endian
//   then         the index, JSON: {"objects": [{"source", "sourceHash", "target", "architecture", "halfAsFloat",
//                "flags", "classes", "standInProblem", "missing", "sharedObject", "standInImage", "hostObject",
//                "standInObject", "hostFunctions", "standInFunctions", "text"}], "blobs": [{"offset", "size", "hash"}]}
//                "classes" and the last seven members of an object are numbers of blobs (-1 means none; equal bytes
//                share a blob). The blob "classes" describes the vertex classes (DescribeClasses.hpp)
//   then         the blobs, offsets counted from the end of the index
// A reader refuses a damaged archive before any code of the archive is loaded, because every blob has a hash. A reader
// reads only the blobs of the requested target, so the reading time hardly depends on the other targets of the archive.
#pragma once
#include <string>
#include <vector>

namespace popscope {

struct GraphObjectEntry {
  std::string source;       // file name as given to popc
  std::string target;       // "cpu", "ipu1", ..., or a name that the user chose ("ipu2:cpp")
  std::string architecture; // the architecture of the code; "" means the architecture that `target` names
  bool halfAsFloat = false; // true: in the host's code, a half is a float of four bytes
  std::string flags;
  std::string sharedObject; // bytes; "" if there is no vertex class
  std::string standInImage; // bytes; "" if there is no image
  std::string standInProblem;
  std::string hostObject, standInObject, hostFunctions,
      standInFunctions;             // bytes of the relocatable objects described in CompiledLibrary; "" if there is no
                                    // object
  std::vector<std::string> missing; // functions (mangled) that another source must define
  std::string text;                 // the text of the source
  std::string sourceHash;           // hash of `text`, which the reader compares with the text
  std::string classes;              // description of the vertex classes, JSON; see DescribeClasses.hpp
};

std::string writeGraphObject(const std::vector<GraphObjectEntry> &entries);
/// Reads all entries. If the bytes are not a complete archive of a supported version, throws
/// poplar::graph_object_load_error, whose message contains `name`.
std::vector<GraphObjectEntry> readGraphObject(const std::string &name, const std::string &bytes);
/// Reads the entries for `target` that have this value of `halfAsFloat`. Reads the code of these entries, but not the
/// text of their sources. Skips the bytes of all other entries. `targets` receives the names of all targets in the
/// archive, sorted and each once. Throws poplar::graph_object_load_error if the header, the index or the bytes of a
/// requested entry are damaged.
std::vector<GraphObjectEntry> readGraphObject(const std::string &name, const std::string &bytes,
                                              const std::string &target, bool halfAsFloat,
                                              std::vector<std::string> &targets);

} // namespace popscope
