// ProgramBuilder: writes StepPrograms by hand, step by step in compile-time order. Steps that are added between open()
// and close() become children of the opened step. The only accesses are the writes of vertices, without ranges: the
// machine uses accesses only to decide whether a loop writes its condition.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "target-models/costs/CostModel.hpp"

#include <cstring>
#include <string>
#include <vector>

namespace popscope::test {

class ProgramBuilder {
public:
  explicit ProgramBuilder(std::uint32_t tiles, std::uint32_t tilesPerIpu = 0);

  /// Adds a variable of `values.size()` elements, all on `tile`, with initial values.
  template <class T>
  HomeId var(const std::string &name, ElementType type, std::uint32_t tile, const std::vector<T> &values) {
    return addVar(name, type, tile, values.size(), values.data(), values.size() * sizeof(T));
  }
  HomeId ints(const std::string &name, std::uint32_t tile, const std::vector<std::int32_t> &values) {
    return var(name, ElementType::Int, tile, values);
  }

  VertexTypeId type(const std::string &name, int codelet, VertexKind kind = VertexKind::Worker);

  // ---- steps
  StepIndex add(StepKind kind, const std::string &name = "", std::uint32_t payload = 0);
  StepIndex open(StepKind kind, const std::string &name = "", std::uint32_t payload = 0);
  void close();
  StepIndex sync(SyncKind kind);
  /// Adds an exchange without messages and tiles; message() and busyTile() add to the latest one.
  StepIndex exchange(StepKind kind = StepKind::DoExchange, const std::string &name = "exchange");
  void message(HomeId src, std::uint64_t srcOffset, HomeId dst, std::uint64_t dstOffset, std::uint64_t bytes);
  void busyTile(std::uint32_t tile, std::uint64_t cycles, std::uint64_t sent = 0, std::uint64_t received = 0);
  /// Adds an OnTileExecute without vertices; vertex() and copy() add to the latest one.
  StepIndex execute(const std::string &name = "cs");
  void result(HomeId home) { program.executes.back().result = home; }
  std::uint32_t vertex(VertexTypeId type, std::uint32_t tile, std::int64_t estimate = -1);
  void edge(std::uint16_t field, HomeId home, std::uint64_t offset, std::uint64_t elements, bool reads, bool writes,
            std::uint32_t subIndex = 0);
  template <class T> void state(std::uint16_t field, const std::vector<T> &values) {
    addState(field, values.size(), values.data(), values.size() * sizeof(T));
  }
  void size(std::uint16_t field, std::uint64_t elements) { addState(field, elements, nullptr, 0); }
  void copy(VertexTypeId type, std::uint32_t tile, CopyVertexKind kind, std::uint64_t cycles);
  void run(HomeId src, std::uint64_t srcOffset, HomeId dst, std::uint64_t dstOffset, std::uint64_t bytes);
  StepIndex test(StepKind kind, HomeId predicate, ElementType type, bool continueOn, std::int64_t text = -1);
  StreamId stream(const std::string &handle, ElementType type, std::uint64_t elements, bool toDevice,
                  std::uint64_t repeats = 1);
  /// Adds the StreamCopyMid of a host copy of the whole stream; transfer() and hostTile() add to this step.
  StreamCopyStep &streamCopy(StreamId stream, bool toDevice, std::uint64_t bytes, std::uint64_t cycles = 0);
  void transfer(HomeId home, std::uint64_t offset, std::uint64_t bytes, std::uint64_t streamOffset);
  void hostTile(std::uint32_t tile, std::uint64_t bytes);

  /// Closes the root and gives the program `enginePrograms` engine programs. Add function bodies after this call.
  void finishRoot(std::uint32_t enginePrograms = 1);
  /// Starts the body of a function; close() ends it.
  FunctionId openFunction(const std::string &name);

  StepProgram program;

private:
  HomeId addVar(const std::string &name, ElementType type, std::uint32_t tile, std::size_t elements, const void *data,
                std::size_t bytes);
  void addState(std::uint16_t field, std::uint64_t elements, const void *data, std::size_t bytes);

  std::vector<StepIndex> open_;
};

/// Returns ipu1 with fewer tiles: six workers per tile, and sync delays between 64 and 118 cycles by tile position.
TileMachine testMachine(std::uint32_t tilesPerIpu, std::uint32_t ipus = 1);

} // namespace popscope::test
