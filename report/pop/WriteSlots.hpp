// SlotWriter: fills slot_cycles. Most compute sets cost the same each time, so a step refers to the rows of its
// program's latest execution if they are equal. It compares two pointers, and if they differ, the packed bytes.
#pragma once
#include "report/pop/PopDatabase.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace popscope {

class SlotWriter {
public:
  /// Writes record.slots, of a machine of `tiles` tiles, unless they equal the latest slots of the same program.
  /// Returns the id of the slots; returns nothing if they are not known or a number takes more than 32 bits.
  std::optional<std::uint64_t> write(PopFile &file, const StepRecord &record, std::size_t tiles);
  /// Forgets written records that were removed from the file; ids continue.
  void forget() { latest_.clear(); }
  /// Continues the ids after those in the file.
  void startAfter(PopFile &file);

private:
  using Parts = std::vector<std::pair<std::uint64_t, std::string>>; // (part, packed)
  struct Latest {
    std::shared_ptr<const SlotCycles> slots;
    Parts parts;
    std::vector<std::string> dealt; // blobs of dealt_vertices; empty = no row
    std::uint64_t id = 0;
  };
  static std::optional<Parts> pack(const SlotCycles &slots, std::size_t tiles);
  static std::optional<std::vector<std::string>> packDealt(const SlotCycles &slots, std::size_t tiles);

  std::uint64_t next_ = 0;
  std::map<std::uint32_t, Latest> latest_; // by program
};

} // namespace popscope
