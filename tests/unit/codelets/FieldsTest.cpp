#include "tests/unit/codelets/Support.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;
using namespace popscope::test;

namespace {

const FieldInfo &fieldOf(const VertexClass &c, const std::string &name) {
  const int index = findField(c, name);
  REQUIRE_MESSAGE(index >= 0, name);
  return c.fields[static_cast<std::size_t>(index)];
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("fields keep direction, shape, layout, alignment and interleaving as declared") {
  const CodeletSet set = codeletsOf(R"(
    enum class Mode : unsigned char { A, B };
    class Everything : Vertex { public:
      const unsigned short n; Mode mode; bool flag; half h;
      Input<float> in; Output<half> out; InOut<int> both;
      Input<Vector<float, VectorLayout::ONE_PTR, 8>> v;
      Output<Vector<half, VectorLayout::SCALED_PTR32, 16, true>> w;
      Vector<unsigned short, VectorLayout::SHORT_SPAN> state;
      Vector<Input<Vector<unsigned, VectorLayout::COMPACT_PTR, 32>>, VectorLayout::ONE_PTR> rows;
      Vector<Output<float>> scalars;
      InOut<VectorList<signed char, VectorListLayout::DELTANELEMENTS, 4>> list;
      static const bool needsAlignWorkers = false; static int counter;
      Everything();
      bool compute() { return true; } };)");
  REQUIRE(set.size() == 1);
  const VertexClass &c = set.at(0);
  CHECK(c.fields.size() == 13);
  CHECK(c.fields[0].name == "n");
  CHECK(c.fields[12].name == "list");
  CHECK(fieldOf(c, "n").type == ElementType::UnsignedShort);
  CHECK(fieldOf(c, "mode").type == ElementType::UnsignedChar);
  CHECK(fieldOf(c, "h").type == ElementType::Half);
  CHECK(fieldOf(c, "in").direction == FieldDirection::Input);
  CHECK(fieldOf(c, "out").direction == FieldDirection::Output);
  CHECK(fieldOf(c, "both").direction == FieldDirection::InOut);
  CHECK(fieldOf(c, "in").shape == FieldShape::Scalar);
  CHECK(fieldOf(c, "v").outer == PtrLayout::OnePtr);
  CHECK(fieldOf(c, "v").minAlign == 8);
  CHECK(fieldOf(c, "w").outer == PtrLayout::ScaledPtr32);
  CHECK(fieldOf(c, "w").interleaved);
  CHECK_FALSE(fieldOf(c, "v").interleaved);
  CHECK(fieldOf(c, "state").direction == FieldDirection::State);
  CHECK(fieldOf(c, "state").shape == FieldShape::Vector);
  CHECK(fieldOf(c, "rows").shape == FieldShape::VectorOfVectors);
  CHECK(fieldOf(c, "rows").outer == PtrLayout::OnePtr);
  CHECK(fieldOf(c, "rows").inner == PtrLayout::CompactPtr);
  CHECK(fieldOf(c, "rows").minAlign == 32);
  CHECK(fieldOf(c, "scalars").shape == FieldShape::VectorOfScalars);
  CHECK(fieldOf(c, "scalars").direction == FieldDirection::Output);
  CHECK(fieldOf(c, "list").shape == FieldShape::VectorList);
  CHECK(fieldOf(c, "list").list == ListLayout::DeltaNElements);
}

TEST_CASE("template vertices are named by their arguments as the host spells them") {
  const CodeletSet set = codeletsOf(R"(
    namespace ns { enum class Op { ADD, MUL };
      template <class T, unsigned N, Op o, bool b = true> class V : public Vertex { public: Output<T> out; bool compute() { return true; } };
      template class V<unsigned, 4, Op::MUL>; template class V<half, 1, Op::ADD, false>; }
    template <class T> class W : public Vertex { public: Output<T> out; void compute() {} };
    template class W<unsigned short>; template class W<long long>;)");
  CHECK(set.size() == 4);
  CAPTURE(set.at(0).name);
  CHECK(set.find("ns::V<unsigned int,4,ns::Op::MUL,true>") != nullptr);
  CHECK(set.find("ns::V<half, 1, ns::Op::ADD, false>") != nullptr);
  CHECK(set.find("W<unsigned short>") != nullptr);
  CHECK(set.find("W<long long>") != nullptr);
}

TEST_CASE("fields of base classes come first, also when the base depends on a template argument") {
  const CodeletSet set = codeletsOf(R"(
    template <bool wide> struct Extra { };
    template <> struct Extra<true> { unsigned wideOnly; };
    template <class T> struct Common : public Vertex { Input<T> first; float second; };
    template <class T, bool wide> class Derived : public Common<T>, Extra<wide> { Output<T> third; public: bool compute() { return true; } };
    template class Derived<float, true>; template class Derived<half, false>;)");
  CHECK(set.size() == 2);
  const VertexClass *wide = set.find("Derived<float,true>"), *narrow = set.find("Derived<half,false>");
  REQUIRE(wide != nullptr);
  REQUIRE(narrow != nullptr);
  std::vector<std::string> names;
  for (const FieldInfo &field : wide->fields)
    names.push_back(field.name);
  CHECK(names == std::vector<std::string>{"first", "second", "wideOnly", "third"});
  CHECK(narrow->fields.size() == 3);
  CHECK(fieldOf(*narrow, "third").type == ElementType::Half);
}

TEST_CASE("names are whole whatever kind of argument a template has") {
  const CodeletSet set = codeletsOf(R"(
    namespace popops { enum class UnaryOpType : unsigned char { ABSOLUTE, SQUARE, LAST = 200 }; enum Plain { FIRST = -1, SECOND };
      struct Holder { enum class Kind { A, B }; }; }
    template <popops::UnaryOpType op, typename T, VectorLayout layout = VectorLayout::ONE_PTR>
    class Unary : public Vertex { public: InOut<Vector<T, layout>> v; void compute() {} };
    template class Unary<popops::UnaryOpType::ABSOLUTE, unsigned>; template class Unary<popops::UnaryOpType::LAST, half, VectorLayout::SPAN>;
    template <popops::Plain p, popops::Holder::Kind k, signed char c, unsigned long long n> class Mixed : public Vertex { public: Output<int> o; void compute() {} };
    template class Mixed<popops::FIRST, popops::Holder::Kind::B, -3, 18446744073709551615ull>;
    template <class... T> class Pack : public Vertex { public: Output<int> o; void compute() {} };
    template class Pack<float, const unsigned char, Pack<>>;
    template <> class Unary<popops::UnaryOpType::SQUARE, float> : public Vertex { public: Output<int> o; void compute() {} };)",
                                    "-fno-rtti");
  CHECK(set.size() == 5);
  CHECK(set.at(0).name == "Unary<popops::UnaryOpType::ABSOLUTE,unsigned int,poplar::VectorLayout::ONE_PTR>");
  CHECK(set.at(1).name == "Unary<popops::UnaryOpType::LAST,half,poplar::VectorLayout::SPAN>");
  CHECK(set.at(2).name == "Mixed<popops::FIRST,popops::Holder::Kind::B,-3,18446744073709551615>");
  CHECK(set.at(3).name == "Pack<float,const unsigned char,Pack<>>");
  CHECK(set.at(4).name == "Unary<popops::UnaryOpType::SQUARE,float,poplar::VectorLayout::ONE_PTR>");
}

TEST_CASE("fields of bases that are template parameters or computed types are found") {
  const CodeletSet set = codeletsOf(R"(
    struct Small : public Vertex { Input<float> a; }; struct Large : public Small { Input<half> b; unsigned char last; };
    template <class P> class OnParameter : public P { public: Output<float> own; void compute() {} };
    template <bool large> class OnCondition : public std::conditional<large, Large, Small>::type { public: unsigned char own; void compute() {} };
    template class OnParameter<Large>; template class OnCondition<true>; template class OnCondition<false>;)");
  const auto names = [&](const char *vertex) {
    std::string joined;
    REQUIRE(set.find(vertex) != nullptr);
    for (const FieldInfo &field : set.find(vertex)->fields)
      joined += field.name + " ";
    return joined;
  };
  CHECK(names("OnParameter<Large>") == "a b last own ");
  CHECK(names("OnCondition<true>") == "a b last own "); // "own" lies in the padding of the base
  CHECK(names("OnCondition<false>") == "a own ");
}

TEST_CASE("a member that cannot be described is refused by name, never left out") {
  const auto refusal = [](const std::string &members) {
    try {
      codeletsOf("struct Base { unsigned n; }; class V : public Vertex, public Base { public:\n" + members +
                 "\nvoid compute() {} };");
    } catch (const poplar::graph_program_compilation_error &error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto contains = [](const std::string &text, const char *part) { return text.find(part) != std::string::npos; };
  CHECK(contains(refusal("unsigned bits : 3;"), "<codelet source>:4:"));
  CHECK(contains(refusal("unsigned bits : 3;"), "field 'bits' cannot be reached by its name"));
  CHECK(contains(refusal("float &r; V();"), "field 'r' cannot be reached by its name"));
  CHECK(contains(refusal("static int n;"), "field 'n' cannot be reached by its name"));
  CHECK(contains(refusal("float n;"), "field 'n' exists twice"));
  CHECK(contains(refusal("union { int i; float f; };"), "a vertex cannot hold an unnamed member"));
  CHECK(refusal("static int m; float g;") == "accepted");
}

TEST_CASE("the kind of a vertex follows its base and compute may return nothing") {
  const CodeletSet set = codeletsOf(R"(
    class A : public SupervisorVertex { public: Output<int> o; bool compute() { *o = 1; return false; } };
    class B : public MultiVertex { public: Output<Vector<unsigned>> o; void compute(unsigned w) { o[w] = w * numWorkers(); } };
    template <bool s> class C : public SupervisorVertexIf<s> { public: Output<int> o; void compute() { *o = 3; } };
    template class C<true>; template class C<false>;
    class OnlyFields : public Vertex { public: int unused; };)");
  CHECK(set.size() == 4);
  CHECK(set.find("A")->kind == VertexClassKind::Supervisor);
  CHECK(set.find("B")->kind == VertexClassKind::Multi);
  CHECK(set.find("C<true>")->kind == VertexClassKind::Supervisor);
  CHECK(set.find("C<false>")->kind == VertexClassKind::Worker);
  std::vector<Operand> a = {operandOf<int>(*set.find("A"), "o", {0})};
  CHECK_FALSE(runOnHost(*set.find("A"), a));
  std::vector<Operand> b = {operandOf<unsigned>(*set.find("B"), "o", std::vector<unsigned>(6))};
  CHECK(runOnHost(*set.find("B"), b, 4));
  CHECK(valuesOf<unsigned>(b[0].bytes)[4] == 24);
}

TEST_CASE("a class's own cycle estimate can be asked") {
  const CodeletSet set = codeletsOf(
      "class E : public Vertex { public: unsigned n; std::uint64_t getCycleEstimate() const { return 5 + n; }\n"
      "bool compute() { return true; } };\nclass F : public Vertex { public: unsigned n; bool compute() { return true; "
      "} };");
  const VertexClass *e = set.find("E");
  REQUIRE(e != nullptr);
  REQUIRE(e->hasCycleEstimate);
  const unsigned state = 7;
  CHECK(e->cycleEstimate(&state) == 12);
  CHECK_FALSE(set.find("F")->hasCycleEstimate);
}

TEST_CASE("state may be volatile: a supervisor and its workers share it") {
  const CodeletSet set = codeletsOf("enum class Colour : unsigned char { Red, Blue };\n"
                                    "class V : public MultiVertex { public: volatile unsigned char now; Colour c;\n"
                                    "  volatile Colour next; const volatile int end; Output<Vector<int>> o;\n"
                                    "  bool compute(unsigned) { now = 3; o[0] = now + end; return true; } };");
  const VertexClass *v = set.find("V");
  REQUIRE(v != nullptr);
  REQUIRE(v->fields.size() == 5);
  CHECK(v->fields[0].type == ElementType::UnsignedChar);
  CHECK(v->fields[2].type == ElementType::UnsignedChar);
  CHECK(v->fields[3].type == ElementType::Int);
  CHECK_FALSE(v->fields[0].readOnly);
  CHECK(v->fields[3].readOnly);
  std::vector<Operand> operands = {operandOf<int>(*v, "o", {0})};
  CHECK(runOnHost(*v, operands, 0));
  CHECK(valuesOf<int>(operands[0].bytes)[0] == 3);
}

TEST_CASE("only targets that have a layout announce it") {
  const char *source =
      "#include <poplar/AvailableVTypes.h>\nclass V : public Vertex { public:\n#ifdef VECTOR_AVAIL_SCALED_PTR64\n"
      "Input<Vector<float, VectorLayout::SCALED_PTR64, 8>> v;\n#else\nInput<Vector<float, VectorLayout::ONE_PTR, 8>> "
      "v;\n#endif\n"
      "bool compute() { return true; } };";
  CHECK(codeletsOf(source, "", "ipu1").at(0).fields[0].outer == PtrLayout::ScaledPtr64);
  CHECK(codeletsOf(source, "", "ipu2").at(0).fields[0].outer == PtrLayout::OnePtr);
  CHECK(codeletsOf(source, "", "cpu").at(0).fields[0].outer == PtrLayout::OnePtr);
}

TEST_CASE("an instantiation is named and found inside the scope that wrote it") {
  const CodeletSet set = codeletsOf(R"(
    namespace outer { namespace { struct Tag {}; }
      namespace inner { template <class T> class V : public Vertex { public: Output<float> o; bool compute() { *o = 2; return true; } }; template class V<Tag>; } }
    namespace { class Hidden : public Vertex { public: Output<float> o; bool compute() { *o = 2; return true; } }; })");
  CHECK(set.find("outer::inner::V<outer::Tag>") != nullptr);
  CHECK(set.find("Hidden") != nullptr);
}

TEST_SUITE_END();
