// Random valid programs of every kind. Each program is made in two forms: as a Program of the public API, and as a
// function on plain numbers that defines the program's meaning. The two share only the random choices.
#pragma once
#include "tests/property/programs/Values.hpp"
#include "tests/unit/graph_api/NaiveView.hpp"

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Program.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace random_programs {

void addCodelets(poplar::Graph &graph);

struct TwinTensor {
  poplar::Tensor tensor;
  NaiveView naive; // elements: their numbers in World::values
};
using Meaning = std::function<void(World &)>;
struct TwinProgram {
  poplar::program::Program program;
  Meaning meaning;
};

struct Variable {
  TwinTensor whole;
  std::string handle; // of its host write and host read; "" = none
  bool constant = false;
  bool reserved = false;             // control flow depends on it, so no view contains it
  std::vector<std::int64_t> initial; // of all replicas, one replica after another; kUndefined if there is none
  std::size_t first = 0;             // number of its first element in World::values
};
struct Stream {
  poplar::Type type;
  std::string handle;
  std::size_t elements = 0, blocks = 1; // blocks: transfers of each replica that the host buffer holds
  bool toDevice = true, callback = false, broadcast = false;
  std::vector<std::int64_t> data; // contents of the host buffer, or of the callbacks' transfers, which repeat
  poplar::DataStream stream;
};
struct Remote {
  poplar::Type type;
  std::string handle;
  std::size_t elements = 0, rows = 1;
  poplar::RemoteBuffer buffer;
};
struct HostFn {
  poplar::HostFunction function;
  std::size_t in = 0, out = 0;
};

/// Counts the constructs in all programs, by name. The test fails if the generator no longer makes one of them.
using Tally = std::map<std::string, unsigned>;

class RandomProgram {
public:
  RandomProgram(std::uint32_t seed, Tally &tally);
  /// Returns the engine's programs, one to three. Call this function once.
  std::vector<TwinProgram> programs();
  [[nodiscard]] World start() const;

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); } // equal on all hosts
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  [[nodiscard]] std::int64_t value(const Kind &kind) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(kind.modulus));
  }
  [[nodiscard]] std::size_t transferElement(const Stream &s, std::size_t transfer, std::uint32_t replica,
                                            std::size_t i) const;
  void count(const std::string &what) { ++tally_[what]; }
  /// Returns the vertices with their tiles, one per line, for messages.
  [[nodiscard]] const std::string &vertexList() const { return vertexList_; }

  std::uint32_t replicas;
  bool verified; // true: debug.verify is on
  poplar::Device device;
  poplar::Graph graph;
  poplar::Tensor metadata; // of all 8-bit floats
  std::vector<Variable> variables;
  std::vector<Stream> streams;
  std::vector<Remote> remotes;
  std::vector<HostFn> hostFunctions;

private:
  using Program = poplar::program::Program;
  // RandomTensors.cpp
  TwinTensor addVariable(const Kind &kind, std::vector<std::size_t> shape, const std::string &name, bool constant,
                         bool host, bool initial);
  void map(const poplar::Tensor &t);
  void addVariables();
  TwinTensor someVariable(const Kind &kind, bool writable);
  TwinTensor view(TwinTensor t, bool writable);
  TwinTensor viewOnce(const TwinTensor &t, bool writable);
  TwinTensor source(const Kind &kind, std::size_t elements);
  /// Returns distinct elements that are not constant and not in `apart`; fewer than requested if there are not enough.
  TwinTensor target(const Kind &kind, std::size_t elements, const std::set<std::size_t> &apart);
  const Kind &someKind() { return kinds()[below(static_cast<std::uint32_t>(kinds().size()))]; }

  // RandomVertices.cpp
  struct Group;
  TwinProgram execute();
  void addVertex(Group &group);
  TwinProgram vote();
  TwinProgram stepDown(const TwinTensor &counter, const TwinTensor &done);
  unsigned someTile();

  // RandomLeaves.cpp
  TwinProgram leaf();
  TwinProgram copy();
  /// Returns a copy into a clone, and a copy from the clone to some tensor; the caller places other programs between
  /// them.
  std::pair<TwinProgram, TwinProgram> copyThroughClone();
  TwinProgram crossReplicaCopy();
  TwinProgram fromStream();
  TwinProgram toStream();
  TwinProgram fromStreamAt();
  TwinProgram remoteCopy();
  TwinProgram hostCall();
  TwinProgram silent();
  TwinProgram undefined();
  TwinProgram set(const TwinTensor &scalar, std::int64_t value);
  TwinProgram assign(const TwinTensor &from, const TwinTensor &to);
  /// Returns a tensor of rank 1 with `count` distinct row numbers below `rows`, and these numbers.
  std::pair<poplar::Tensor, std::vector<std::size_t>> rowNumbers(std::size_t count, std::size_t rows);

  // RandomProgram.cpp
  TwinProgram sequence(unsigned depth);
  TwinProgram control(unsigned depth);
  TwinProgram whileLoop(unsigned depth);
  TwinProgram branch(unsigned depth);
  TwinProgram choice(unsigned depth);
  TwinTensor someControl(const poplar::Type &type);

  std::mt19937_64 random_;
  Tally &tally_;
  std::size_t elements_ = 0;
  std::vector<TwinTensor> controls_; // one element each; equal in all replicas
  std::vector<std::pair<poplar::Function, Meaning>> functions_;
  unsigned names_ = 0, budget_ = 0;
  std::string vertexList_;
};

} // namespace random_programs
