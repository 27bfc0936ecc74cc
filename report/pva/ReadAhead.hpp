// Packed vectors of steps and programs, a few more than were asked for where those who ask go from one to the next: one
// query for several, and other threads wait less for the file. May be asked from several threads.
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
  /// As it is stored; nothing where there is none.
  [[nodiscard]] std::optional<std::string> stepCycles(std::uint64_t step);
  [[nodiscard]] std::optional<std::string> programVector(std::uint32_t program, popscope::ProgramVector which);

private:
  static constexpr int kSteps = -1; // in place of a ProgramVector
  using Key = std::pair<int, std::uint64_t>;
  static Key keyOf(std::uint32_t program, popscope::ProgramVector which) { return {static_cast<int>(which), program}; }

  // With the mutex held:
  /// What was read before it was asked for, which is given away.
  [[nodiscard]] std::optional<std::optional<std::string>> take(Key key);
  void keep(Key key, std::optional<std::string> packed);
  /// Notes that this step was asked for; true where the one before it was, not long ago.
  [[nodiscard]] bool goesOnWith(std::uint64_t step);
  [[nodiscard]] std::vector<popscope::ProgramVector> likelyOf(std::uint32_t program, popscope::ProgramVector asked);

  popscope::PopFile &file_;
  popscope::BriefMutex mutex_; // not held while the file is read
  std::map<Key, std::optional<std::string>> ahead_;
  std::deque<Key> order_; // of ahead_, the oldest first; some are given away already

  static constexpr std::size_t kAskers = 8; // who go on, each somewhere
  std::array<std::uint64_t, kAskers> askedSteps_{};
  std::size_t nextAsked_ = 0;
  struct Asked {
    std::uint32_t program = 0;
    std::vector<popscope::ProgramVector> vectors;
  };
  std::deque<Asked> askedPrograms_; // the latest last
};

} // namespace pva::detail
