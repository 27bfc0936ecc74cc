// A program like a user's, for FaultsTest.py: the first argument selects what it does, and engine options come from the
// environment. Exits with 0, or with 1 and the exception's message after "EXCEPTION ".
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Program.hpp>
#include <pva/pva.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <locale>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

const char *const kCodelet =
    "#include <poplar/Vertex.hpp>\nclass Square : public poplar::Vertex { public: poplar::Input<poplar::Vector<float>> "
    "in; poplar::Output<poplar::Vector<float>> out; bool compute() { for (unsigned i = 0; i < out.size(); ++i) out[i] "
    "= "
    "in[i] * in[i]; return true; } };\n";

Device device() {
  IPUModel model("ipu2");
  model.tilesPerIPU = 8;
  model.compileIPUCode = true;
  return model.createDevice();
}

struct Small {
  Device on = device();
  Graph graph{on.getTarget()};
  Tensor x, y;
  ComputeSet set;
  explicit Small(const std::string &name = "x", const std::string &codelets = "") {
    std::stringstream source(kCodelet);
    if (codelets.empty())
      graph.addCodelets(source);
    else
      graph.addCodelets(StringRef(codelets));
    x = graph.addVariable(FLOAT, {64}, VariableMappingMethod::LINEAR, name);
    y = graph.addVariable(FLOAT, {64}, VariableMappingMethod::LINEAR, "y");
    set = graph.addComputeSet("set");
    for (unsigned tile = 0; tile != 8; ++tile)
      graph.setTileMapping(graph.addVertex(set, "Square",
                                           {{"in", x.slice(tile * 8, tile * 8 + 8)},
                                            {"out", y.slice(tile * 8, tile * 8 + 8).reverse(0)}}),
                           (tile * 3) % 8);
    graph.setInitialValue(x, 3.0f);
    graph.createHostRead("y", y);
  }
  Sequence program() const { return Sequence({Execute(set), Copy(y, x), Execute(set)}); }
};

float valueOf(Engine &engine) {
  std::vector<float> values(64);
  engine.readTensor("y", values.data(), values.data() + values.size());
  return values[5];
}

void runOnce(const std::string &name, const std::string &codelets) {
  Small small(name, codelets);
  Engine engine(small.graph, small.program());
  engine.load(small.on);
  engine.run(0, "once");
  std::cout << valueOf(engine) << "\n";
}

void runOften(int runs, const std::string &end) {
  Small small;
  // never destroyed, as in a program that ends without running destructors
  static Engine *engine = new Engine(small.graph, small.program());
  engine->load(small.on);
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i != runs; ++i)
    engine->run();
  while (end == "busy" && std::chrono::steady_clock::now() - began < std::chrono::milliseconds(400))
    engine->run();
  std::cout << "ran" << std::endl;
  if (end == "kill" || end == "busy")
    std::raise(SIGKILL);
  if (end == "idle") {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    std::raise(SIGKILL);
  }
  if (end == "throw")
    std::thread([] { throw std::runtime_error("nobody catches it"); }).join();
  if (end == "quick")
    std::quick_exit(7);
  if (end == "term" || end == "int" || end == "hup") {
    std::raise(end == "term" ? SIGTERM : end == "int" ? SIGINT : SIGHUP);
    while (true) // waits: a thread of the library writes the profile and then ends the process
      std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  if (end == "exit")
    std::exit(7);
}

/// Compiles with compileGraph, which writes the profile of the compilation. Then runs an engine, and is killed.
void runCompiled(int runs) {
  Small small;
  const OptionFlags options{{"autoReport.all", "true"}};
  static Engine *engine = new Engine(compileGraph(small.graph, {small.program()}, options), options);
  engine->load(small.on);
  for (int i = 0; i != runs; ++i)
    engine->run();
  std::raise(SIGKILL);
}

/// Raises SIGTERM after a recorded run, and goes on: the engine is destroyed while the library ends the process. Then
/// further engines begin and end.
void endAndGoOn() {
  for (int engines = 0; engines != 3; ++engines) {
    Small small;
    Engine engine(small.graph, small.program());
    engine.load(small.on);
    engine.run();
    if (engines == 0)
      std::raise(SIGTERM);
  }
}

/// Runs often and raises SIGTERM. The engine is destroyed at once, while the library ends the process.
void leaveWhileEnding(int runs) {
  {
    Small small;
    Engine engine(small.graph, small.program());
    engine.load(small.on);
    for (int i = 0; i != runs; ++i)
      engine.run();
    std::raise(SIGTERM);
  }
  while (true)
    std::this_thread::sleep_for(std::chrono::seconds(1));
}

/// The callback throws in the third run, or calls exit.
void leaveFromCallback(const std::string &how) {
  Small small;
  const DataStream stream = small.graph.addHostToDeviceFIFO("in", FLOAT, 64);
  Engine engine(small.graph, Sequence({Copy(stream, small.x), Execute(small.set)}));
  engine.load(small.on);
  int calls = 0;
  engine.connectStreamToCallback("in", [&](void *to) {
    if (++calls == 3) {
      if (how == "exit")
        std::exit(7);
      if (how == "thread")
        std::thread([] { std::exit(7); }).join();
      if (how == "standard")
        throw std::runtime_error("from the callback");
      throw 42;
    }
    for (int i = 0; i != 64; ++i)
      static_cast<float *>(to)[i] = 2;
  });
  for (int i = 0; i != 4; ++i)
    engine.run();
}

void twoEngines() {
  Small first("first"), second("second");
  Engine one(first.graph, first.program()), two(second.graph, second.program());
  one.load(first.on);
  two.load(second.on);
  one.run();
  two.run();
}

/// Forks between two runs. The child ends normally, with its exit handlers, or by a signal; with `outlives`, exit also
/// destroys the engine. Prints the child's status, a value, and the number of complete profiles after the child has
/// ended.
void forkBetweenRuns(bool outlives, bool signalled) {
  Small small;
  auto own = std::make_unique<Engine>(small.graph, small.program());
  Engine &engine = *own;
  static std::unique_ptr<Engine> kept;
  if (outlives)
    kept = std::move(own);
  engine.load(small.on);
  engine.run();
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0 && signalled) {
    std::raise(SIGTERM);
    std::this_thread::sleep_for(std::chrono::seconds(20));
  }
  if (child == 0)
    std::exit(0);
  int status = -1;
  waitpid(child, &status, 0);
  const std::filesystem::recursive_directory_iterator files(".");
  const auto complete =
      std::count_if(begin(files), end(files), [](const auto &file) { return file.path().filename() == "profile.pop"; });
  const Small again; // compiles again, because the cache is gone
  engine.run();
  std::cout << status << " " << valueOf(engine) << " " << complete << "\n";
  kept.reset();
}

/// Forks two children while an engine exists. Each child runs an engine of its own, which still exists when one child
/// ends by exit and the other by SIGTERM. `folder`: the report's folder of all engines has this name and the number of
/// the engine; without it, the session chooses the folders. Prints the status of each child.
void enginesOfChildren(const std::string &folder) {
  const auto runEngine = [&folder](const std::string &number) {
    const Small small;
    OptionFlags options;
    if (!folder.empty())
      options.set("autoReport.directory", folder + number);
    auto *engine = new Engine(small.graph, small.program(), options); // NOLINT: still exists at the end
    engine->load(small.on);
    engine->run();
  };
  runEngine("0");
  for (const bool signalled : {false, true}) {
    std::cout.flush(); // a child writes what it inherits in the buffer once more
    const pid_t child = fork();
    if (child == 0) {
      runEngine(signalled ? "2" : "1");
      if (!signalled)
        std::exit(0);
      std::raise(SIGTERM);
      std::this_thread::sleep_for(std::chrono::seconds(20));
    }
    int status = -1;
    waitpid(child, &status, 0);
    std::cout << status << "\n";
  }
}

struct GroupedDigits : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\1"; }
};

/// Runs under a locale that formats numbers differently, and prints the summary.
void summarize(bool grouped) {
  if (grouped)
    std::locale::global(std::locale(std::locale::classic(), new GroupedDigits));
  Small small;
  Engine engine(small.graph, small.program());
  engine.load(small.on);
  engine.run();
  engine.printProfileSummary(std::cout, {{"showExecutionSteps", "true"}, {"showVarStorage", "true"}});
  engine.reportIntervals(std::cout);
  small.x.outputRegions(std::cout) << "\n";
  small.graph.outputComputeGraph(std::cout, {small.program()});
  small.graph.outputVertexGraph(std::cout, {small.program()});
}

void save(const std::string &folder) {
  Small small;
  std::ofstream graph(folder + "/graph.bin", std::ios::binary), tensors(folder + "/tensors.bin", std::ios::binary);
  small.graph.serialize(graph, {small.program()}, SerializationFormat::Binary);
  small.graph.serializeTensors(tensors, {small.x, small.y.reshape({8, 8}).transpose()}, SerializationFormat::Binary);
  std::ofstream executable(folder + "/executable.bin", std::ios::binary);
  compileGraph(small.graph, {small.program()}, {}).serialize(executable);
}

void readSaved(const std::string &kind, const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  const Device on = device();
  if (kind == "executable") {
    Engine engine(Executable::deserialize(in));
    engine.load(on);
    engine.run();
    std::cout << valueOf(engine) << "\n";
    return;
  }
  Graph graph(on.getTarget());
  std::cout << graph.deserializeTensors(in, SerializationFormat::Binary).size() << "\n";
}

int act(const std::vector<std::string> &words) {
  const std::string &what = words.at(0);
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i] : std::string(); };
  if (what == "run")
    runOnce(word(1).empty() ? "x" : word(1), word(2));
  else if (what == "often")
    runOften(std::stoi(word(1)), word(2));
  else if (what == "compiled")
    runCompiled(std::stoi(word(1)));
  else if (what == "end")
    endAndGoOn();
  else if (what == "callback")
    leaveFromCallback(word(1));
  else if (what == "leave")
    leaveWhileEnding(std::stoi(word(1)));
  else if (what == "two")
    twoEngines();
  else if (what == "fork")
    forkBetweenRuns(word(1) == "outlives", word(1) == "signal");
  else if (what == "children")
    enginesOfChildren(word(1));
  else if (what == "summary")
    summarize(word(1) == "grouped");
  else if (what == "save")
    save(word(1));
  else if (what == "read")
    readSaved(word(1), word(2));
  else if (what == "names")
    runOnce(std::string(1 << 20, 'n') + "\xff\x1b[2J", "");
  else if (what == "elements") {
    Small small;
    const Tensor large = small.graph.addVariable(FLOAT, {std::size_t(1) << 32}, "large");
    small.graph.setTileMapping(large, 0);
    Engine engine(small.graph, Sequence({Copy(large.slice(0, 64), small.x)}));
  } else if (what == "stream") {
    Small small;
    const DataStream stream = small.graph.addHostToDeviceFIFO("large", FLOAT, std::size_t(1) << 30);
    const Tensor large = small.graph.addVariable(FLOAT, {std::size_t(1) << 30}, VariableMappingMethod::LINEAR, "large");
    Engine engine(small.graph, Copy(stream, large));
  } else if (what == "pva") {
    const pva::Report report = pva::openReport(word(1), word(2));
    for (const auto &program : report.compilation().programs())
      std::cout << program->debugContext().name() << "\n";
  } else
    return 2;
  return 0;
}

} // namespace

int main(int count, char **words) {
  try {
    return act({words + 1, words + count});
  } catch (const std::exception &e) {
    std::cout << "EXCEPTION " << e.what() << std::endl;
  } catch (int value) {
    std::cout << "EXCEPTION int " << value << std::endl;
  }
  return 1;
}
