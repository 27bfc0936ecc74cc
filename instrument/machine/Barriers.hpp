// Finds the barriers of a step.
#pragma once
#include "base/Check.hpp"
#include "graph/steps/StepProgram.hpp"
#include "target-models/model/TileMachine.hpp"

#include <array>
#include <span>

namespace popscope {

/// Returns the barriers, in order, of a Sync, a StreamCopyBegin (one external barrier) or a StreamCopyEnd (two internal
/// barriers). If the copy waits for the host, HostRequest replaces External, and HostAnswer replaces the first
/// Internal.
inline std::span<const SyncKind> barriersOf(const StepProgram &program, StepIndex s) {
  static constexpr std::array kInternalTwice{SyncKind::Internal, SyncKind::Internal};
  static constexpr std::array kEach{SyncKind::Internal, SyncKind::External, SyncKind::Global};
  static constexpr std::array kRequest{SyncKind::HostRequest};
  static constexpr std::array kAnswer{SyncKind::HostAnswer, SyncKind::Internal};
  const Step &step = program.steps[s];
  if (step.kind == StepKind::StreamCopyEnd)
    return program.streamCopies[step.payload].waitsForHost ? std::span<const SyncKind>(kAnswer)
                                                           : std::span<const SyncKind>(kInternalTwice);
  if (step.kind == StepKind::StreamCopyBegin)
    return program.streamCopies[step.payload].waitsForHost ? std::span<const SyncKind>(kRequest)
                                                           : std::span(kEach).subspan(1, 1);
  const std::size_t kind = program.syncs[step.payload].kind;
  POPSCOPE_CHECK(kind < kEach.size(), "step {} is a sync of kind {}", s.index(), kind);
  return std::span(kEach).subspan(kind, 1);
}

} // namespace popscope
