// Ways to write programs that must compile as C++11. Compiled, never run.
#include <poplar/Graph.hpp>
#include <poplar/HostFunctionCallback.hpp>
#include <poplar/StreamCallback.hpp>

using namespace poplar;
using namespace poplar::program;

Sequence oneProgramIsASequence(const Tensor &x, const Tensor &y) { return Copy(x, y); }

void sequences(const Program &p1, const Program &p2, const Sequence &s, const DebugNameAndId &dnai) {
  Sequence variadic(p1, p2, s);
  Sequence braced{p1, p2};
  Sequence one(p1);
  Sequence oneBraced{p1};
  Sequence copy(s);
  Sequence named({p1, p2}, {dnai, "x"});
  Sequence emptyNamed({}, {dnai, "x"});
  Sequence emptyBraced{{}, {dnai}};
  Sequence onlyName("name");
  Sequence fromVector(std::vector<Program>{p1, p2});
  std::vector<Sequence> many(3);
  std::vector<Program> programs{p1, s, Sequence(p1)};
  std::map<int, Program> byNumber;
  byNumber[1] = s;
  const bool same = s == named;
  (void)same;
  const Program temporary = Sequence(Repeat(3, p1), Program{});
  Sequence later;
  later.add(temporary);
  later.add(Sequence{p1, Sync(SyncType::INTERNAL)});
}

void control(Graph &graph, const Tensor &pred, const Program &p, const Sequence &s) {
  Repeat repeat{5, Sequence{p, s}};
  If branch(pred, Sequence(p, s), Sequence());
  If withEmpty(pred, p, Program{});
  RepeatWhileTrue loop(Sequence(), pred, p);
  auto f = graph.addFunction(s);
  Call call(f);
  Call named(f, {"call"});
  Switch choice(pred, {{0, p}, {1, s}}, Program{});
  choice.add(2, p).add(3, s);
  Switch labelled = Switch::switchWithBoundsChecking(pred, {{0, p}}, "bounds");
  PrintTensor plain(pred);
  PrintTensor titled("title", pred);
  PrintTensor formatted("title", pred, PrintTensorFmt(10, 2), "name");
  Abort abort;
  Abort withText("text");
  AbortOnCondition stop(pred, "message");
  Execute run(graph.addComputeSet("cs"));
  Block block(p, {"block"});
}

void graphs(Graph &graph, const Device &device, const Tensor &other, ComputeSet cs) {
  Graph fromDevice(device);
  std::vector<Graph> handles;
  handles.push_back(graph.createVirtualGraph(0, 1));
  Tensor t = graph.addVariable(FLOAT, {2, 3}, "t");
  Tensor scalar = graph.addVariable(FLOAT, {}, VariableMappingMethod::LINEAR);
  const std::vector<float> data(4);
  Tensor c1 = graph.addConstant<float>(FLOAT, {4}, {1., 2., 3., 4.});
  Tensor c2 = graph.addConstant(FLOAT, {4}, data.data());
  Tensor c3 = graph.addConstant(FLOAT, {}, 1);
  Tensor c4 = graph.addConstant<double>(HALF, {2}, 0.5, "c4");
  Tensor c5 = graph.addConstant(INT, {4}, ArrayRef<float>(data));
  Tensor part = t.slice({0, 0}, {1, 2});
  Tensor row = t.slice({0, 1});
  Tensor joined = concat({t, other});
  Tensor chained = t[0][1].reshape({1}).broadcast(3, 0);
  t = other;
  VertexRef v =
      graph.addVertex(cs, "V", {{"in", t}, {"out", other}, {"k", 3}, {"list", std::vector<Tensor>{t, other}}});
  VertexRef single;
  single = graph.addVertex(cs, "V", {{"in", t}});
  graph.connect(v["in"], t);
  graph.connect(v["in"][0], t[0]);
  graph.connect(v["in"], {t, other});
  graph.connect(v["k"], 1.0f);
  graph.setInitialValue(v["k"], 1u);
  graph.setInitialValue(v["k"], std::vector<unsigned>{1, 2});
  graph.setInitialValue(t, 0.5f);
  graph.setInitialValue(t, ArrayRef<float>(data));
  graph.setTileMapping(v, 0);
  graph.setPerfEstimate(v, 10);
  graph.registerPerfEstimator("V", [](const VertexIntrospector &vertex, const Target &target) {
    const std::size_t n = vertex.getFieldInfo("in").size();
    return VertexPerfEstimate(n / target.getNumWorkerContexts(), n);
  });
  graph.registerCycleEstimator("V", [](const VertexIntrospector &vertex, const Target &target) {
    return vertex.getFieldInfo("k").getInitialValue<unsigned>(target) +
           vertex.getFieldInfo("w").getInitialValues<std::vector<unsigned>>(target).size();
  });
  graph.addCodelets("codelets.cpp");
  graph.addCodelets(std::string("codelets.gp"));
  const std::string path = "codelets.gp";
  graph.addCodelets(path, CodeletFileType::Auto, "-O3");
  graph.addCodelets("codelets.cpp", CodeletFileType::Auto, "-O3");
  graph.addCodelets({std::string("a.cpp"), std::string("b.cpp")}, "-O3");
  std::stringstream source("class V;");
  graph.addCodelets(source);
  graph.addCodelets(source, "-O2");
  DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 6);
  DataStream out = graph.addDeviceToHostFIFO("out", FLOAT, 6, {{"bufferingDepth", "2"}});
  Sequence prog(Copy(in, t), Copy(t, out));
}

void callbacks() {
  StreamCallbackHandle fromLambda([](void *) {});
  struct Supply : LegacyStreamCallback {
    void fetch(void *) final {}
  };
  StreamCallbackHandle fromObject(std::unique_ptr<Supply>(new Supply));
  StreamCallbackHandle moved(std::move(fromLambda));
  HostCallbackHandle host([](const void *const *, std::size_t, void *const *, std::size_t) {});
}
