#include "tests/fuzz/readers/Readers.hpp"

#include "base/DebugStreamer.hpp"
#include "base/settings/Configuration.hpp"
#include "base/settings/EngineOptionTable.hpp"
#include "engine/advice/AdviceChange.hpp"
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/GraphObject.hpp"
#include "graph/ir/Serialize.hpp"
#include "report/answers/Limits.hpp"
#include "report/pop/NumberList.hpp"
#include "report/pop/TileBlob.hpp"
#include "report/pop/TileBlocks.hpp"
#include "report/pva/DebugRecords.hpp"
#include "report/tool/ParseCommand.hpp"
#include "target-models/model/TileMachine.hpp"

#include <poplar/Engine.hpp>
#include <poplar/Executable.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <unistd.h>

namespace fuzz {
namespace {

using namespace poplar;

/// A file with these bytes; the destructor removes it.
class File {
public:
  explicit File(const std::string &bytes) : path_("/dev/shm/popscope-fuzz-" + std::to_string(::getpid())) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~File() { std::remove(path_.c_str()); }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  [[nodiscard]] const std::string &path() const { return path_; }
  [[nodiscard]] std::string content() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

private:
  std::string path_;
};

Device smallDevice() {
  IPUModel model("ipu2");
  model.tilesPerIPU = 4;
  return model.createDevice();
}

struct Program {
  Device device = smallDevice();
  Graph graph{device.getTarget()};
  Tensor x = graph.addVariable(FLOAT, {6}, VariableMappingMethod::LINEAR, "x"),
         y = graph.addVariable(FLOAT, {6}, VariableMappingMethod::LINEAR, "y");
  program::Sequence program;
  Program() {
    graph.setInitialValue(x, 2.0f);
    graph.createHostRead("y", y);
    program.add(program::Repeat(3, program::Copy(x, y.reverse(0))));
  }
};

void readOptions(const std::string &text) {
  OptionFlags flags;
  readJSON(text, flags);
  (void)popscope::engineOptionTable().parse(flags);
}
std::string someOptions() {
  return R"({"autoReport.all":"true","autoReport.directory":"r","opt.maxCompilationThreads":2,"debug.verify":false})";
}

/// Passes the same text through the environment, which has its own error messages.
void readEnvironment(const std::string &text) {
  const std::string variable = "POPSCOPE_FUZZ_OPTIONS";
  ::setenv(variable.c_str(), text.c_str(), 1); // up to the first zero byte
  OptionFlags flags;
  readJSONFromEnv(variable, flags);
  (void)popscope::engineOptionTable().parse(flags);
}

void readConfig(const std::string &text) { (void)popscope::readConfiguration(text, "config.json"); }
std::string someConfig() {
  return "{ // what is recorded\n\"template\": \"default\", \"formats\": [\"csv\", \"chrome\"], \"engine\": "
         "{\"popscope.profileRuns\": \"1-3\"}, \"engines\": {\"2\": {\"autoReport.all\": true}}}";
}

void readMachine(const std::string &text) { (void)popscope::parseTileMachine(text, "machine.json"); }
std::string someMachine() { return R"({"base": "ipu2", "name": "mine", "numIpus": 2, "tilesPerIpu": 16})"; }

void readLimits(const std::string &text) { (void)popscope::readBudget(File(text).path()); }
std::string someLimits() { return R"({"limits": {"cycles": {"max": 1000}, "bytes.*": {"maxIncrease": "2%"}}})"; }

void readAdvice(const std::string &text) {
  (void)popscope::readAdviceChanges(text.empty() ? "[" : "[" + text.substr(1));
}
std::string someAdvice() {
  return R"([{"kind":"option","option":"opt.maxCopyMergeSize","value":"64"},{"kind":"writeUndef","variable":"x","before":{"kind":"copy","name":"c"}}])";
}

void readArchive(const std::string &bytes) {
  std::vector<std::string> targets;
  (void)popscope::readGraphObject("a.gp", bytes);
  (void)popscope::readGraphObject("a.gp", bytes, "ipu2", false, targets);
}
std::string someArchive() {
  popscope::GraphObjectEntry entry;
  entry.source = "a.cpp";
  entry.text = "class A;";
  entry.target = "ipu2";
  entry.sharedObject = std::string(200, 's');
  entry.standInImage = std::string(100, 'i');
  entry.classes = R"([{"name":"A"}])";
  return popscope::writeGraphObject({entry});
}

/// Reads a BLOB of a profile: values of tiles, cycles of a step, or a list. The first byte selects the kind.
void readBlob(const std::string &bytes) {
  constexpr std::size_t kTiles = 64;
  const std::string blob = bytes.substr(std::min<std::size_t>(bytes.size(), 1));
  switch (bytes.empty() ? 0 : bytes[0] % 4) {
  case 0: (void)popscope::decodeTileValues(blob, kTiles); return;
  case 1: (void)popscope::decodeDense(blob, kTiles); return;
  case 2: (void)popscope::unpackTiles(blob, kTiles); return;
  default: (void)popscope::unpackList(blob);
  }
}
std::string someBlob() {
  std::vector<std::uint32_t> numbers(64, 7);
  numbers[3] = 100000;
  return '\2' + popscope::packTiles(numbers);
}

/// Reads only the file: creating a graph takes a second, and other tests cover what it does with checked tables.
void readTensorTables(const std::string &bytes) { (void)popscope::readTensors(bytes); }
std::string someTensors() {
  const Program p;
  std::ostringstream out;
  const_cast<Graph &>(p.graph).serializeTensors(out, {p.x, p.y.reshape({2, 3}).transpose()},
                                                SerializationFormat::Binary);
  return out.str();
}

void readGraphTables(const std::string &bytes) { (void)popscope::readGraph(bytes); }
std::string someGraph() {
  const Program p;
  std::ostringstream out;
  p.graph.serialize(out, {p.program}, SerializationFormat::Binary);
  return out.str();
}

void readExecutable(const std::string &bytes) {
  std::istringstream in(bytes);
  (void)Executable::deserialize(in);
}
std::string someExecutable() {
  Program p;
  std::ostringstream out;
  compileGraph(p.graph, {p.program}, {}).serialize(out);
  return out.str();
}

void readDebug(const std::string &bytes) {
  const File file(bytes);
  (void)popscope::readDebugInfoId(file.path());
  (void)pva::detail::readDebugRecords(file.path());
}
std::string someDebug() {
  const SourceLocation where("build", "a.cpp", 7);
  const DebugInfo outer(DebugContext("outer", where), "layer");
  const DebugInfo inner(DebugContext(outer, "inner", where), "layer");
  const File file("");
  popscope::writeDebugInfo(file.path(), popscope::debugInfoRecords(), "0123456789abcdef");
  return file.content();
}

void readTrace(const std::string &bytes) {
  const pva::Trace trace = pva::openTrace(File(bytes).path());
  for (const auto &process : trace.processes())
    for (const auto &thread : process.threads())
      for (const auto &event : thread.events())
        (void)event.label().size();
}
std::string someTrace() {
  return "[{\"args\":{\"version\":1},\"name\":\"popscope_pvti\",\"ph\":\"M\",\"pid\":1},\n"
         "{\"cat\":\"app\",\"name\":\"outer\",\"ph\":\"B\",\"pid\":1,\"tid\":2,\"ts\":10},\n"
         "{\"cat\":\"app\",\"name\":\"now\",\"ph\":\"i\",\"pid\":1,\"s\":\"t\",\"tid\":2,\"ts\":11},\n"
         "{\"ph\":\"E\",\"pid\":1,\"tid\":2,\"ts\":12},\n";
}

void readFlags(const std::string &text) { (void)popscope::splitFlags(text); }
std::string someFlags() { return R"(-DA=1 -I "a folder" '-DB="x y"' \-O2)"; }

/// Each line is one argument of popscope.
void readCommandLine(const std::string &text) {
  std::vector<std::string> words;
  std::istringstream lines(text);
  for (std::string word; std::getline(lines, word);)
    words.push_back(word);
  std::ostringstream errors, output;
  int exitCode = 0;
  bool runs = false;
  {
    struct Redirected {
      std::ostream &from;
      std::streambuf *old;
      Redirected(std::ostream &stream, std::ostream &to) : from(stream), old(stream.rdbuf(to.rdbuf())) {}
      ~Redirected() { from.rdbuf(old); }
    };
    const Redirected cerr(std::cerr, errors), cout(std::cout, output);
    runs = popscope::parseCommand(popscope::withoutAbbreviations(words), exitCode).has_value();
  }
  const std::string error = errors.str();
  if (exitCode != (error.empty() ? 0 : 2) || std::count(error.begin(), error.end(), '\n') > 1)
    throw std::logic_error("exit code " + std::to_string(exitCode) + " with: " + error);
  if (!runs && exitCode != 0)
    throw std::runtime_error(error);
}
std::string someCommandLine() { return "vars\n--color=never\nprofile.pop"; }

} // namespace

const std::vector<Reader> &readers() {
  static const std::vector<Reader> all = {{"options", readOptions, someOptions},
                                          {"environment", readEnvironment, someOptions},
                                          {"configuration", readConfig, someConfig},
                                          {"machine", readMachine, someMachine},
                                          {"budget", readLimits, someLimits},
                                          {"advice", readAdvice, someAdvice},
                                          {"blob", readBlob, someBlob},
                                          {"archive", readArchive, someArchive},
                                          {"tensors", readTensorTables, someTensors},
                                          {"graph", readGraphTables, someGraph},
                                          {"executable", readExecutable, someExecutable},
                                          {"debugInformation", readDebug, someDebug},
                                          {"trace", readTrace, someTrace},
                                          {"flags", readFlags, someFlags},
                                          {"commandLine", readCommandLine, someCommandLine}};
  return all;
}

} // namespace fuzz
