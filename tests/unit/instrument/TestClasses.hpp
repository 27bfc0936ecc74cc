// Hand-made vertex classes, a host and an event log for tests of the machine.
#pragma once
#include "ProgramBuilder.hpp"
#include "graph/codelets/CodeletSet.hpp"
#include "instrument/machine/Machine.hpp"

#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace popscope::test {

/// Fields by index. Objects are laid out as the structs of TestClasses.cpp.
///   Add      0 in: Input<Vector<int>>   1 out: Output<Vector<int>>   2 bias: int         out[i] = in[i] + bias
///   Tick     0 count: int               1 out: Output<int>                               *out = ++count
///   Flag     0 good: bool                                                                returns good
///   Decrement 0 value: InOut<int>                                                        --*value
///   Costed   0 cycles: unsigned                                      getCycleEstimate() = cycles; runs nothing
///   Silent   0 in: Input<Vector<int>>                                no estimate at all; runs nothing
///   Workers  0 out: Output<Vector<int>>   MultiVertex                 out[worker] = 10 + worker
///   Own      supervisor without fields
///   Gather   0 lists: Vector<Input<Vector<int>>>  1 singles: Vector<Input<int>>  2 weights: Vector<int>
///            3 out: Output<int>           *out = sum of all elements + 1000 * number of lists
struct TestClasses {
  TestClasses();
  CodeletSet codelets;
  int add, tick, flag, decrement, costed, silent, workers, own, gather;
};

/// A host that keeps streams as vectors, and records what was printed.
class TestHost : public HostPort {
public:
  void fetch(StreamId stream, void *data, std::size_t bytes) override;
  void fetchBlock(StreamId stream, std::uint32_t block, std::uint32_t blocks, void *data, std::size_t bytes) override;
  void deliver(StreamId stream, const void *data, std::size_t bytes) override;
  void readRemote(StreamId buffer, std::uint64_t row, void *data, std::size_t bytes) override;
  void writeRemote(StreamId buffer, std::uint64_t row, const void *data, std::size_t bytes) override;
  void print(const std::string &title, ElementType type, const std::vector<std::size_t> &shape, std::uint32_t format,
             const void *data) override;

  std::map<std::uint32_t, std::vector<std::int32_t>> toDevice, fromDevice; // by stream; blocks one after the other
  std::map<std::uint64_t, std::vector<std::int32_t>> rows;                 // rows of the only remote buffer
  std::vector<std::string> printed;                                        // "title[shape] values"
  std::size_t calls = 0;

private:
  std::map<std::uint32_t, std::size_t> taken_;
};

/// Converts plain numbers of a test to quantities.
template <class Unit> std::vector<Unit> in(const std::vector<std::uint64_t> &numbers) {
  std::vector<Unit> quantities;
  for (const std::uint64_t n : numbers)
    quantities.emplace_back(n);
  return quantities;
}
/// Converts quantities back to plain numbers.
template <class Quantities> std::vector<std::uint64_t> countsOf(const Quantities &quantities) {
  std::vector<std::uint64_t> numbers;
  for (const auto &q : quantities)
    numbers.push_back(q.count());
  return numbers;
}
template <class Tag> std::optional<std::uint64_t> countOf(std::optional<Quantity<Tag>> q) {
  return q ? std::optional(q->count()) : std::nullopt;
}

/// A copy of every event of the last run.
class EventLog : public EventSink {
public:
  struct Entry {
    std::uint32_t step;
    TimeKind kind;
    std::vector<std::uint64_t> begin, end, busy, dataIn, dataOut;
    std::optional<std::uint64_t> threadCycles;
    struct Type {
      std::uint32_t type;
      std::uint64_t instances;
      std::optional<std::uint64_t> cycles;
      friend bool operator==(const Type &, const Type &) = default;
    };
    std::vector<Type> types;
    friend bool operator==(const Entry &, const Entry &) = default;
  };
  void beginRun(std::uint32_t program, const std::string &name) override;
  void step(const StepEvent &event) override;
  void endRun(std::span<const Cycles> clocks) override;

  std::string name;
  std::vector<Entry> entries; // all events except those of control flow, which has no work
  struct Control {
    std::uint32_t step;
    ControlFlowResult result;
    std::vector<std::uint64_t> begin, end;
  };
  std::vector<Control> controlFlow;
  std::vector<std::uint64_t> clocks;
};

/// One machine on a finished program. Values are read through the program's own prints and streams.
class Rig {
public:
  explicit Rig(ProgramBuilder &builder, MachineOptions options = {});
  void run(std::uint32_t index = 0) { machine.run(index, "run", host, nullptr); }
  void runTimed(std::uint32_t index = 0) { machine.run(index, "run", host, &log); }

  TestClasses classes;
  CostModel costs;
  TestHost host;
  EventLog log;
  Machine machine;
};

/// Adds a PrintTensor of all elements of an INT home, which shows tile memory to a test.
void show(ProgramBuilder &builder, const std::string &title, HomeId home);
/// Returns the class indices, which a program needs before its rig exists.
const TestClasses &classes();

} // namespace popscope::test
