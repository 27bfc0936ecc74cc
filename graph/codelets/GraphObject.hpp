// GraphObject: the .gp archive that popc writes: compiled codelets for one or several targets.
//
//   bytes 0-7    "POPSCPGP"
//   bytes 8-11   format version, little endian (1)
//   bytes 12-19  length of the index, little endian
//   then         the index, JSON: {"objects": [{"source", "target", "flags", "sharedObject", "standInImage", "text",
//                "standInProblem"}], "blobs": [{"offset", "size", "hash"}]}; the three names hold blob numbers, -1 = none
//   then         the blobs, offsets counted from the end of the index
// Every blob carries its hash, so that a damaged archive is refused before anything of it is loaded.
#pragma once
#include <string>
#include <vector>

namespace popscope {

struct GraphObjectEntry {
  std::string source;         // file name as given to popc
  std::string target;         // "cpu", "ipu1", ...
  std::string flags;
  std::string sharedObject;   // bytes; "" = no vertex class
  std::string standInImage;   // bytes; "" = none
  std::string standInProblem;
  std::string text;           // of the source
};

std::string writeGraphObject(const std::vector<GraphObjectEntry> &entries);
/// Throws poplar::graph_object_load_error, naming `name`, when the bytes are not a whole archive of our version.
std::vector<GraphObjectEntry> readGraphObject(const std::string &name, const std::string &bytes);

} // namespace popscope
