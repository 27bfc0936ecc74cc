// SlotWriter: fills the tables slot_cycles and dealt_vertices. Most compute sets take the same cycles in each
// execution. So a step refers to the rows of its program's latest execution if the step and this execution have equal
// slots. SlotWriter first compares the two pointers to SlotCycles. If the pointers differ, SlotWriter compares the
// packed bytes.
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
  /// Writes record.slots unless the latest slots of record.program are equal. `tiles` is the number of tiles of a
  /// replica. Returns the id of the slots, or no value if the slots are unknown or a number needs more than 32 bits.
  std::optional<std::uint64_t> write(PopFile &file, const StepRecord &record, std::size_t tiles);
  /// Forgets the written slots. Call forget() after the rows of these slots were removed from the file. The ids of
  /// these slots are not used again.
  void forget() { latest_.clear(); }
  /// Makes the ids of new slots continue after the ids of the slots in the file.
  void startAfter(PopFile &file);

private:
  using Parts = std::vector<std::pair<std::uint64_t, std::string>>; // (part, packed numbers)
  struct Latest {
    std::shared_ptr<const SlotCycles> slots;
    Parts parts;
    std::vector<std::string> dealt; // blobs of dealt_vertices; empty if there is no row
    std::uint64_t id = 0;
  };
  static std::optional<Parts> pack(const SlotCycles &slots, std::size_t tiles);
  static std::optional<std::vector<std::string>> packDealt(const SlotCycles &slots, std::size_t tiles);

  std::uint64_t next_ = 0;
  std::map<std::uint32_t, Latest> latest_; // by program id
};

} // namespace popscope
