// The small types around Graph and Tensor: comparison, names, printing, and the view of a vertex that estimators get.
#include <doctest/doctest.h>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/VariableRef.hpp>
#include <poplar/VectorLayout.hpp>
#include <poplar/VertexIntrospector.hpp>
#include <poplar/exceptions.hpp>

#include <set>
#include <sstream>

using namespace poplar;

namespace {

template <class T> std::string printed(const T &value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

const char *const kSmallTypes = R"(
#include <poplar/Vertex.hpp>
struct Many : poplar::Vertex {
  poplar::Input<poplar::Vector<float, poplar::VectorLayout::SCALED_PTR64, 8>> scaled;
  poplar::Input<poplar::Vector<float, poplar::VectorLayout::ONE_PTR>> one;
  poplar::Input<poplar::Vector<float, poplar::VectorLayout::SPAN>> span;
  poplar::Vector<poplar::Input<poplar::Vector<float>>> rows;
  poplar::Output<float> out;
  bool compute() { *out = scaled[0] + one[0] + span[0] + rows[0][0]; return true; }
};
)";

Device smallDevice() {
  IPUModel model("ipu1");
  model.tilesPerIPU = 2;
  return model.createDevice();
}

} // namespace

TEST_SUITE("graph_api.smallTypes") {

  TEST_CASE("variables and their intervals have a total order") {
    const VariableRef none{}, a(1, 0), b(1, 1), c(2, 0);
    CHECK(none.id == 0);
    CHECK(a.replicationLevel == 0);
    CHECK(a == VariableRef(1, 0));
    CHECK(a != b);
    CHECK(a < b);
    CHECK(b < c);
    const VariableInterval x(a, Interval(0, 4)), y(a, Interval(2, 4)), z(c, Interval(0, 1)), empty{};
    CHECK(x == VariableInterval(a, Interval(0, 4)));
    CHECK(x != y);
    CHECK(x < y);
    CHECK(y < z);
    CHECK(empty.interval.size() == 0);
    CHECK(std::hash<VariableRef>()(a) == std::hash<VariableRef>()(VariableRef(1, 0)));
  }

  TEST_CASE("methods and layouts print names of their own") {
    std::set<std::string> names;
    for (const auto layout :
         {layout::Vector::NotAVector, layout::Vector::Span, layout::Vector::ShortSpan, layout::Vector::OnePtr,
          layout::Vector::ScaledPtr32, layout::Vector::ScaledPtr64, layout::Vector::ScaledPtr128}) {
      CHECK(printed(layout) == layout::to_string(layout));
      names.insert(layout::to_string(layout));
    }
    CHECK(names.size() == 7);
    names.clear();
    for (const auto layout :
         {layout::VectorList::NotAVector, layout::VectorList::OnePtr, layout::VectorList::ScaledPtr32,
          layout::VectorList::ScaledPtr64, layout::VectorList::ScaledPtr128, layout::VectorList::DeltaN,
          layout::VectorList::DeltaNElements}) {
      CHECK(printed(layout) == layout::to_string(layout));
      names.insert(layout::to_string(layout));
    }
    CHECK(names.size() == 7);
    names.clear();
    for (const auto method : {TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES, TensorCloneMethod::CREATE_NEW_ORDER,
                              TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                              TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES}) {
      CHECK(printed(method) == toString(method));
      names.insert(toString(method));
    }
    CHECK(names.size() == 4);
    CHECK(printed(VariableMappingMethod::NONE) == toString(VariableMappingMethod::NONE));
    CHECK(toString(VariableMappingMethod::LINEAR) != toString(VariableMappingMethod::NONE));
  }

  TEST_CASE("a tensor prints its shape and regions") {
    const Device device = smallDevice();
    Graph graph(device.getTarget());
    const Tensor t = graph.addVariable(FLOAT, {3, 5}, VariableMappingMethod::LINEAR, "grid");
    std::ostringstream text, regions;
    t.output(text);
    t.outputRegions(regions);
    CHECK(printed(t) == text.str());
    CHECK(text.str().find("float") != std::string::npos);
    CHECK(text.str().find('5') != std::string::npos);
    CHECK_FALSE(regions.str().empty());
    CHECK_FALSE(t.hasMetadata());
  }

  TEST_CASE("texts of objects show control characters of names as escapes") {
    const Device device = smallDevice();
    Graph graph(device.getTarget());
    const Tensor t = graph.addVariable(FLOAT, {3}, VariableMappingMethod::LINEAR, "red\x1b[31m");
    std::ostringstream regions, program;
    t.outputRegions(regions);
    dumpProgram(graph, program::Execute(graph.addComputeSet("blue\x1b[34m"), DebugContext("bell\a")), program);
    for (const std::string &text : {printed(t), t.getDebugStr(), regions.str()}) {
      CHECK(text.find("red\\x1b[31m") != std::string::npos);
      CHECK(text.find('\x1b') == std::string::npos);
    }
    CHECK(program.str() == "Execute 'bell\\x07' blue\\x1b[34m\n");
    CHECK(printed(DebugContext("a\x1b")) == "a\\x1b");
    CHECK(printed(DebugNameAndId("a\x1b")) == "a\\x1b");
    CHECK(t.getVarStr() == "red\x1b[31m"); // the name itself
  }

  TEST_CASE("a new variable without a method of mapping lies nowhere") {
    const Device device = smallDevice();
    Graph graph(device.getTarget());
    const Tensor t = graph.addVariable(FLOAT, {4}, VariableMappingMethod::NONE, "nowhere");
    bool complete = true;
    graph.getTileMapping(t, &complete);
    CHECK_FALSE(complete);
  }

  TEST_CASE("an estimator sees layouts, lengths and the compute set") {
    const Device device = smallDevice();
    Graph graph(device.getTarget());
    std::stringstream source(kSmallTypes);
    graph.addCodelets(source);
    const ComputeSet cs = graph.addComputeSet("cs");
    const Tensor t = graph.addVariable(FLOAT, {24}, VariableMappingMethod::LINEAR, "t");
    const VertexRef v = graph.addVertex(
        cs, "Many", {{"scaled", t.slice(0, 4)}, {"one", t.slice(4, 8)}, {"span", t.slice(8, 11)}, {"out", t[23]}});
    graph.setFieldSize(v["rows"], 2);
    graph.connect(v["rows"][0], t.slice(11, 13));
    graph.connect(v["rows"][1], t.slice(13, 18));
    graph.registerPerfEstimator("Many", [cs](const VertexIntrospector &x, const Target &) {
      const FieldData rows = x.getFieldInfo("rows");
      const FieldData::SizeT second = rows[1];
      CHECK(x.getComputeSet() == cs);
      CHECK((x.getFieldInfo("scaled").getProfilerVectorLayout(0) == layout::Vector::ScaledPtr64));
      CHECK((x.getFieldInfo("one").getProfilerVectorLayout(0) == layout::Vector::OnePtr));
      CHECK((x.getFieldInfo("span").getProfilerVectorLayout(0) == layout::Vector::Span));
      CHECK((x.getFieldInfo("span").getProfilerVectorListLayout() == layout::VectorList::NotAVector));
      CHECK(rows.getSizeAtIndex(0) == 2);
      CHECK(second.size() == 5);
      CHECK_THROWS_AS(rows.getSizeAtIndex(2), index_error);
      const std::size_t converted = second;
      return VertexPerfEstimate(rows.size() * 100 + converted);
    });
    CHECK(graph.getPerfEstimate(v).cycles == 205);
  }

  TEST_CASE("what a graph makes has numbers, and is equal to itself alone") {
    const Device device = smallDevice();
    Graph graph(device.getTarget());
    std::stringstream source(kSmallTypes);
    graph.addCodelets(source);
    const ComputeSet first = graph.addComputeSet("first"), second = graph.addComputeSet("second"), none;
    CHECK(first != second);
    CHECK(first < second);
    CHECK(first.getId() != none.getId());
    CHECK(ComputeSet(first.getId()) == first);
    const VertexRef v = graph.addVertex(first, "Many"), w = graph.addVertex(second, "Many");
    CHECK(v == v);
    CHECK(v != w);
    CHECK(v < w);
    const FieldRef whole = v["rows"], element = whole[3], empty;
    CHECK_FALSE(whole.isIndexed());
    CHECK(element.isIndexed());
    CHECK(element.getIndex() == 3);
    CHECK_FALSE(empty.isIndexed());
    CHECK_THROWS_AS(element[0], index_error);
    const Function f = graph.addFunction(program::Sequence()), g = graph.addFunction(program::Sequence());
    CHECK(f != g);
    CHECK(f < g);
    CHECK(Function(f.getId()) == f);
    const HostFunction h = graph.addHostFunction("h", {}, {}), k = graph.addHostFunction("k", {}, {});
    CHECK(h == h);
    CHECK(h != k);
    CHECK(h.handle() == "h");
    CHECK(h.getId() != k.getId());
  }

  TEST_CASE("streams and remote buffers say what they were made with") {
    const Device device = smallDevice();
    Graph graph(device.getTarget());
    const DataStream in = graph.addHostToDeviceFIFO("in", HALF, 7), out = graph.addDeviceToHostFIFO("out", INT, 3);
    CHECK(in == in);
    CHECK(in != out);
    CHECK(in.type() == DataStreamType::HostToDeviceFIFO);
    CHECK(out.type() == DataStreamType::DeviceToHostFIFO);
    DataStream copy;
    copy = in;
    CHECK(copy == in);
    const RemoteBuffer rows = graph.addRemoteBuffer("rows", FLOAT, 5, 9, true, false),
                       other = graph.addRemoteBuffer("other", INT, 1, 1, false, true);
    CHECK(rows.handle() == "rows");
    CHECK(rows.numElements() == 5);
    CHECK(rows.getRepeats() == 9);
    CHECK(rows.elementType() == FLOAT);
    CHECK(rows.isRearrangeOnHost());
    CHECK_FALSE(other.isRearrangeOnHost());
    CHECK(other.isOptimisedForMemory());
    CHECK(rows != other);
    RemoteBuffer again;
    again = rows;
    CHECK(again == rows);
  }

  TEST_CASE("a format of printing keeps each of its parts") {
    const PrintTensorFmt plain, own(9, 2, 40, 3, PrintTensorFmt::FloatFormat::Scientific, ',', '<', '>');
    CHECK((plain.floatFormat() == PrintTensorFmt::FloatFormat::Auto));
    CHECK(own.summariseThreshold() == 9);
    CHECK(own.edgeItems() == 2);
    CHECK(own.maxLineWidth() == 40);
    CHECK(own.digits() == 3);
    CHECK((own.floatFormat() == PrintTensorFmt::FloatFormat::Scientific));
    CHECK(own.separator() == ',');
    CHECK(own.openBracket() == '<');
    CHECK(own.closeBracket() == '>');
  }

  TEST_CASE("the language of a codelet file follows from its extension") {
    const std::pair<const char *, CodeletFileType> files[] = {{"a.cpp", CodeletFileType::CppSource},
                                                              {"a.c", CodeletFileType::CSource},
                                                              {"a.S", CodeletFileType::PreprocessedAsmSource},
                                                              {"a.s", CodeletFileType::AsmSource},
                                                              {"a.ll", CodeletFileType::IrSource},
                                                              {"a.gp", CodeletFileType::Object},
                                                              {"a", CodeletFileType::Auto}};
    for (const auto &file : files) {
      CHECK((getCodeletFileType(file.first) == file.second));
      CHECK("a" + getExtensionFromFileType(file.second) == file.first);
    }
    for (const char *cpp : {"a.cc", "a.cxx", "a.C"}) // as addCodelets reads them
      CHECK(getCodeletFileType(cpp) == CodeletFileType::CppSource);
  }

  TEST_CASE("a library names the release that it follows and its own") {
    const std::string both = versionString(), own = packageHash(); // "3.4.0 (popscope 1.0.0)", "popscope-1.0.0"
    REQUIRE(own.compare(0, 9, "popscope-") == 0);
    CHECK(both.find("(popscope " + own.substr(9) + ")") != std::string::npos);
  }

} // TEST_SUITE
