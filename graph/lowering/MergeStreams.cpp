#include "graph/lowering/MergeStreams.hpp"

#include "graph/ir/ProgramKinds.hpp"
#include "graph/lowering/ExecuteParts.hpp"
#include "graph/lowering/HostPieces.hpp"

#include <algorithm>

namespace popscope {
namespace {

bool goesToDevice(const ProgramNode &p) { return programKindRow(p.kind).b != ViewRole::None; }

/// Host copies that become one copy. Invariant: no two copies write the same data, each copy has a separate stream, and
/// all copies have the same direction.
class Group {
public:
  explicit Group(const LoweringContext &context) : c_(&context), maxBytes_(context.options.maxCopyMergeBytes) {}

  [[nodiscard]] bool empty() const { return programs_.empty(); }
  /// Adds the copy if the copy may merge with the copies of the group. An empty group accepts any copy.
  bool add(const NaiveProgram &program) {
    const Copy copy = look(*program.node);
    if (!empty() && !(mayGrow_ && joins(copy, *program.node)))
      return false;
    mayGrow_ = copy.merges;
    bytes_ += copy.bytes;
    written_.add(copy.ranges);
    programs_.push_back(program);
    return true;
  }
  [[nodiscard]] const std::vector<NaiveProgram> &programs() const { return programs_; }

private:
  struct Copy {
    bool merges = false; // true for a FIFO without an offset, unless merging is off; if false, the other members are
                         // not set
    Bytes bytes;
    std::vector<HomeRange> ranges; // the ranges that the copy writes, joined; none for a copy to the host
  };
  [[nodiscard]] static StreamId streamOf(const ProgramNode &p) { return p.as<HostCopyArguments>().stream; }
  [[nodiscard]] Copy look(const ProgramNode &p) const {
    Copy copy;
    copy.merges =
        maxBytes_ != Bytes() && c_->out.streams[streamOf(p)].kind == StreamInfo::Kind::Fifo && viewCount(p.offset) == 0;
    if (!copy.merges)
      return copy;
    std::vector<HomePieces> parts;
    c_->pieces(goesToDevice(p) ? p.b : p.a, parts);
    for (const HomePieces &part : parts)
      copy.bytes += part.bytes();
    if (goesToDevice(p))
      for (const HomeBytes &range : coverOf(c_->out, parts))
        copy.ranges.push_back(homeRange(range.home, range.offset, range.bytes));
    return copy;
  }
  [[nodiscard]] bool joins(const Copy &copy, const ProgramNode &p) const {
    return copy.merges && goesToDevice(p) == goesToDevice(*programs_.front().node) && programs_.size() < kMaxMembers &&
           copy.bytes <= maxBytes_ - std::min(maxBytes_, bytes_) &&
           std::none_of(programs_.begin(), programs_.end(),
                        [&](const NaiveProgram &other) { return streamOf(*other.node) == streamOf(p); }) &&
           !written_.meet(copy.ranges);
  }

  const LoweringContext *c_;
  Bytes maxBytes_, bytes_;
  bool mayGrow_ = false;
  std::vector<NaiveProgram> programs_; // in program order
  HomeRanges written_;
};

} // namespace

// Collects consecutive host copies in a group. A border of a Sequence does not end the group. If the group grows
// further, such borders come before the row of the group, and otherwise after the row. Any other program ends the
// group.
NaiveBody mergeStreams(NaiveBody body, const LoweringContext &context) {
  if (!context.options.mergesHostCopies)
    return body;
  NaiveBody out;
  Group group(context);
  std::vector<NaiveRow> borders; // borders of Sequences after the group
  const auto keep = [&](const NaiveRow &row) { out.add(row.kind, body.programsOf(row)); };
  const auto keepBorders = [&] {
    std::for_each(borders.begin(), borders.end(), keep);
    borders.clear();
  };
  const auto close = [&] {
    if (!group.empty())
      out.add(NaiveRow::Kind::Programs, group.programs());
    keepBorders();
    group = Group(context);
  };
  for (const NaiveRow &row : body.rows) {
    if (row.kind != NaiveRow::Kind::Programs) {
      borders.push_back(row);
      continue;
    }
    const NaiveProgram &program = body.programs[row.first];
    if (!programKindRow(program.node->kind).hostCopy) {
      close();
      keep(row);
    } else if (group.add(program)) {
      keepBorders();
    } else {
      close();
      group.add(program);
    }
  }
  close();
  return out;
}

} // namespace popscope
