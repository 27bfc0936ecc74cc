// MergeStreams: where it is asked for (LoweringOptions::mergesHostCopies), host copies that follow each other are one:
// its syncs and its setup are there once.
//   Copy s -> a, Copy t -> b              one host copy that brings both
//   Copy s -> a, Copy b -> t              two: they go different ways
//   Copy s -> a, Copy s -> b              two: the second is the stream's next block
//   Copy s -> a, Copy t -> a              two: the second overwrites the first
#pragma once
#include "graph/lowering/ExecuteParts.hpp"

#include <vector>

namespace popscope {

/// A host copy that waits for those that follow it.
struct WaitingStream {
  const ProgramNode *program = nullptr;
  std::uint64_t context = 0;
  bool toDevice = true;
  bool joins = false; // may be merged: a FIFO without an offset
  // Of one that may:
  Bytes bytes;
  std::vector<HomeRange> ranges; // that it writes, joined; none to the host
};

class StreamMerger {
public:
  /// `maxBytes`: that merged copies move together; 0 = no copy is merged.
  explicit StreamMerger(Bytes maxBytes) : maxBytes_(maxBytes) {}
  [[nodiscard]] bool merges() const { return maxBytes_ != Bytes(); }
  /// Whether the copy may be one with those that wait. True where nothing waits.
  [[nodiscard]] bool joins(const WaitingStream &copy) const;
  void add(WaitingStream copy);
  [[nodiscard]] bool empty() const { return group_.empty(); }
  /// In program order. Nothing waits afterwards.
  std::vector<WaitingStream> take();

private:
  Bytes maxBytes_, bytes_;
  std::vector<WaitingStream> group_;
  HomeRanges written_;
};

} // namespace popscope
