// ReadAhead: reads packed vectors of steps or programs. If callers request vectors in order, ReadAhead also reads the
// vectors that callers are likely to request next: vectors of the following steps, or further vectors of the program.
// So one query serves several requests, and other threads wait less for the file. Thread-safe.
#pragma once
#include "base/BriefMutex.hpp"
#include "report/pop/PopReader.hpp"

#include <array>
#include <deque>
#include <map>

namespace pva::detail {

class ReadAhead {
public:
  explicit ReadAhead(popscope::PopFile &file) : file_(file) {}
  /// stepCycles() and programVector() return the packed bytes of a vector, or no value if the file does not have the
  /// vector.
  [[nodiscard]] std::optional<std::string> stepCycles(std::uint64_t step);
  [[nodiscard]] std::optional<std::string> programVector(std::uint32_t program, popscope::ProgramVector which);

private:
  static constexpr int kSteps = -1; // in a Key: the cycles of a step; any other value is a ProgramVector
  using Key = std::pair<int, std::uint64_t>;
  static Key keyOf(std::uint32_t program, popscope::ProgramVector which) { return {static_cast<int>(which), program}; }

  // Call the following functions with the mutex held. take() removes a vector that was read ahead, and returns this
  // vector.
  [[nodiscard]] std::optional<std::optional<std::string>> take(Key key);
  void keep(Key key, std::optional<std::string> packed);
  /// Records that the cycles of this step were requested. Returns true if one of the latest requests was for one of the
  /// three steps before this step.
  [[nodiscard]] bool goesOnWith(std::uint64_t step);
  [[nodiscard]] std::vector<popscope::ProgramVector> likelyOf(std::uint32_t program, popscope::ProgramVector asked);

  popscope::PopFile &file_;
  popscope::BriefMutex mutex_; // not locked while ReadAhead reads the file
  std::map<Key, std::optional<std::string>> ahead_;
  std::deque<Key> order_; // the keys of ahead_, each once, oldest first

  static constexpr std::size_t kAskers = 8; // number of independent sequences of requests that are tracked
  std::array<std::uint64_t, kAskers> askedSteps_{};
  std::size_t nextAsked_ = 0;
  struct Asked {
    std::uint32_t program = 0;
    std::vector<popscope::ProgramVector> vectors;
  };
  std::deque<Asked> askedPrograms_; // the latest is last
};

} // namespace pva::detail
