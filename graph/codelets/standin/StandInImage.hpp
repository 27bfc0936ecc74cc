// StandInImage: the linked RV32 code of one codelet library. A StandInImage contains the bytes of the image, the size
// of the code that each class reaches, and the offsets of each class's fields in the stand-in's state.
#pragma once
#include "graph/codelets/VertexClass.hpp"
#include "graph/codelets/standin/Elf32.hpp"
#include "graph/codelets/standin/Rv32.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace popscope {

/// The size in bytes of the stack that the interpreter gives to a call.
inline constexpr std::uint32_t kStandInStackBytes = 64 * 1024;

class StandInImage {
public:
  struct CodeSize {
    std::uint32_t ownBytes = 0;                                // bytes of functions that only this entry point reaches
    std::vector<std::pair<std::string, std::uint32_t>> shared; // (name, bytes): functions that other entry points also
                                                               // reach. Library functions are also in the list, with 0
                                                               // bytes
  };
  struct Layout {
    std::uint32_t stateBytes = 0;
    std::vector<std::uint32_t> fieldOffsets; // the offset of each field, in the order of VertexClass::fields
  };

  explicit StandInImage(ElfImage image);

  /// Computes the code size of each entry point in `entries`. A function that several entry points reach counts as
  /// shared for each of them.
  void measure(const std::vector<std::string> &entries);
  [[nodiscard]] const CodeSize &codeSize(const std::string &entry) const { return sizes_.at(entry); }

  /// Runs the layout function of class number `index`, and reads the class's layout from the result. `order` contains,
  /// for each field in the order of declaration, the number of the field's row in this result. For fields whose halves
  /// have four bytes on the host, sets FieldInfo::minAlign to the stand-in's alignment, because the host uses the
  /// alignment of a float. Returns the reason if the class cannot run on the stand-in, and "" otherwise.
  std::string readLayout(unsigned index, const std::vector<unsigned> &order, VertexClass &vertexClass);
  [[nodiscard]] const Layout &layout(const std::string &entry) const { return layouts_.at(entry); }

  /// Returns memory that contains the image, followed by `extra` zero bytes. Sets `extraBegin` to the address of the
  /// zero bytes, a multiple of 16.
  [[nodiscard]] Rv32Memory memory(std::uint64_t extra, std::uint32_t &extraBegin) const;
  /// Returns the address of a function, or 0 if there is no such function.
  [[nodiscard]] std::uint32_t function(const std::string &name) const;
  /// Returns the name of the library function at a trap address, or "" if the address has no function.
  [[nodiscard]] const std::string &trapName(std::uint32_t address) const;

private:
  struct Node {
    std::uint32_t begin = 0, end = 0;
    bool isFunction = false;
    std::string name;
    std::set<std::uint32_t> calls; // node numbers
    std::set<std::string> library;
  };
  void buildNodes();
  [[nodiscard]] int nodeAt(std::uint32_t address) const;
  [[nodiscard]] std::set<std::uint32_t> reachable(std::uint32_t address, std::set<std::string> &library) const;
  void runConstructors();

  ElfImage image_;
  std::vector<Node> nodes_; // sorted by address, disjoint
  std::map<std::string, std::uint32_t> functions_;
  std::map<std::uint32_t, std::string> traps_;
  std::map<std::string, CodeSize> sizes_;
  std::map<std::string, Layout> layouts_;
  std::uint32_t end_ = 0;
  std::vector<std::uint8_t> initial_; // memory after the static constructors have run
  std::uint32_t writableFrom_ = 0;
};

/// Loads an image. Returns null, with the reason in `problem`, if the file cannot be read or is no valid image.
std::shared_ptr<StandInImage> loadStandInImage(const std::string &path, std::string &problem);

} // namespace popscope
