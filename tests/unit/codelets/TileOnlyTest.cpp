// Code for a tile: builtins for its registers, the SDK's names of headers, and functions that only a tile can run.
#include "tests/HasText.hpp"
#include "tests/TemporaryFolder.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

#include <fstream>
#include <sstream>

using namespace popscope;
using namespace popscope::test;

namespace {

float resultOf(const CodeletSet &set, const std::string &name, unsigned worker = 0) {
  const VertexClass *c = set.find(name);
  REQUIRE(c != nullptr);
  std::vector<Operand> operands = {operandOf<float>(*c, "o", {0})};
  runOnHost(*c, operands, worker);
  return valuesOf<float>(operands[0].bytes)[0];
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets.tileOnly");

TEST_CASE("a function that only a tile can run ends the run of its vertex; the others of the file run") {
  const std::string text =
      vertexText("Plain", "3") +
      "struct Assembly : poplar::Vertex { poplar::Output<float> o;\n"
      "  bool compute() {\n"
      "    float f = 2, g;\n"
      "    asm volatile(\"f32add %[g], %[f], %[f]\" : [g] \"=r\"(g) : [f] \"r\"(f));\n"
      "    *o = g; return true; } };\n"
      "static unsigned address(const float *p) { return reinterpret_cast<unsigned>(p) - TMEM_BASE_ADDR; }\n"
      "struct Packed : poplar::Vertex { poplar::Output<float> o; bool compute() {\n"
      "    *o = static_cast<float>(__builtin_ipu_tapack(&*o, &*o, &*o)); return true; } };\n"
      "struct Short : poplar::Vertex { poplar::Output<float> o; bool compute() {\n"
      "    *o = static_cast<float>(address(&*o)); return true; } };\n";
  useBuildTree();
  for (const bool halfAsFloat : {false, true}) {
    CodeletSet set;
    std::ostringstream output;
    set.addSource(text, CodeletSourceKind::Cpp, {"", "ipu2", true, halfAsFloat}, &output);
    CHECK(resultOf(set, "Plain") == 3);
    CHECK(has(output.str(), "'f32add'"));
    CHECK(has(output.str(), "__builtin_ipu_tapack"));
    CHECK(has(output.str(), "calls 'address'"));
    for (const char *name : {"Assembly", "Packed", "Short"}) {
      std::string why;
      try {
        (void)resultOf(set, name);
      } catch (const popscope_device::TileOnly &e) {
        why = e.why;
      }
      CHECK_MESSAGE(has(why, "error: "), name);
    }
    CHECK(set.find("Plain")->standIn != nullptr); // its cycles are counted
  }
}

TEST_CASE("a function of a header that only a tile can run ends the run of the vertices that call it") {
  const TemporaryFolder folder("tile-only-headers");
  const auto write = [&](const char *name, const std::string &text) { std::ofstream(folder.file(name)) << text; };
  // The header comes before the headers of Poplar, and includes a header of its own.
  write("inner.hpp", "#pragma once\ntemplate <class T> struct Runner {\n  T all(T x) {\n"
                     "    asm volatile(\"runall %0, $mzero, 0\" : : \"r\"(x));\n    return x; } };\n");
  write("worker.hpp", "#pragma once\n#include \"inner.hpp\"\nnamespace ipu {\n"
                      "inline float twice(float x) { return 2 * x; }\n"
                      "inline void sync() { asm volatile(\"sync 0x3\"); }\n"
                      "inline float fast(float x) { return __builtin_ipu_no_such(x); } }\n");
  const auto vertex = [](const char *name, const char *value) {
    return std::string("struct ") + name +
           " : poplar::Vertex { poplar::Output<float> o;\n  bool compute() { *o = " + value + "; return true; } };\n";
  };
  const std::string path = folder.file("source.cpp");
  write("source.cpp", "#include \"worker.hpp\"\n#include <poplar/Vertex.hpp>\n" + vertex("Plain", "ipu::twice(2)") +
                          vertex("Syncs", "(ipu::sync(), 1)") + vertex("Fast", "ipu::fast(1)") +
                          vertex("Runs", "Runner<float>().all(1)") + vertex("Line", "__LINE__"));
  useBuildTree();
  CodeletSet set;
  std::ostringstream output;
  set.addFile(path, CodeletSourceKind::Auto, {"", "ipu2", true}, &output);
  CHECK(resultOf(set, "Plain") == 4);
  CHECK(resultOf(set, "Line") == 12);
  for (const char *part : {"calls 'sync'", "calls 'fast'", "calls 'all'", "worker.hpp:5:"})
    CHECK_MESSAGE(has(output.str(), part), part << " in " << output.str());
  for (const char *name : {"Syncs", "Fast", "Runs"})
    CHECK_THROWS_AS((void)resultOf(set, name), popscope_device::TileOnly);

  // A changed header compiles again, and a header with another error is an error of the file.
  write("worker.hpp",
        "#pragma once\n#include \"inner.hpp\"\nnamespace ipu { inline float twice(float x) { return 3 * x; }\n"
        "inline void sync() { asm volatile(\"sync 0x3\"); } inline float fast(float x) { return x; } }\n");
  CodeletSet changed;
  changed.addFile(path, CodeletSourceKind::Auto, {"", "ipu2", true}, &output);
  CHECK(resultOf(changed, "Plain") == 6);
  CHECK(resultOf(changed, "Fast") == 1);
  write("worker.hpp",
        "#pragma once\n#include \"inner.hpp\"\nnamespace ipu { inline float twice(float x) { return y; }\n"
        "inline void sync() { asm volatile(\"sync 0x3\"); } inline float fast(float x) { return x; } }\n");
  CodeletSet wrong;
  CHECK_THROWS_WITH_AS(wrong.addFile(path, CodeletSourceKind::Auto, {"", "ipu2", true}, &output),
                       doctest::Contains("'y'"), poplar::graph_program_compilation_error);
}

TEST_CASE("an unknown builtin, or one with operands that it does not take here, is code for a tile") {
  const std::string begin = "#include <ipu_builtins.h>\n" + vertexText("Plain", "3") +
                            "struct A : poplar::Vertex { poplar::Output<float> o; bool compute() {\n"
                            "  float2 a{1, 2}, b{3, 4}; half2 h{1, 2}; unsigned u = 1;\n  ",
                    end = "\n  return true; } };\n";
  useBuildTree();
  for (const char *line :
       {"*o = __builtin_ipu_cmpge(a, b)[0];", "*o = __builtin_ipu_max(h, h)[0];", "h = __builtin_ipu_exp(h);",
        "a = __builtin_ipu_f32v2gina(a, 1); *o = a[1];", "u = __builtin_ipu_rmask(u, b); *o = u << 2;",
        "auto s = __builtin_ipu_f16v2maxc(h); static_assert(sizeof s == 2); *o = s;"}) {
    CodeletSet set;
    std::ostringstream output;
    set.addSource(begin + line + end, CodeletSourceKind::Cpp, {"", "ipu2", true}, &output);
    CHECK_MESSAGE(resultOf(set, "Plain") == 3, line);
    CHECK_MESSAGE(has(output.str(), "only a tile can run this"), line);
    CHECK_THROWS_AS((void)resultOf(set, "A"), popscope_device::TileOnly);
  }
  // An error that does not follow from the builtin is an error of the file.
  CHECK_THROWS_WITH_AS(codeletsOf(begin + "*o = __builtin_ipu_cmpge(a, b)[0]; *o = flaot(3);" + end),
                       doctest::Contains("'flaot'"), poplar::graph_program_compilation_error);
  // The messages to a user who misspelled a name still have the compiler's proposal.
  CHECK_THROWS_WITH_AS(codeletsOf("static float twofold(float x) { return x; }\n" + begin + "*o = twofodl(3);" + end),
                       doctest::Contains("did you mean 'twofold'"), poplar::graph_program_compilation_error);
}

TEST_CASE("codelets see the version of the architecture, in the host's form and in the substitute's; cpu has none") {
  const std::string text = "#ifndef __IPU_ARCH_VERSION__\n#define __IPU_ARCH_VERSION__ -1\n#endif\n#ifdef __IPU__\n"
                           "#error device code\n#endif\n" +
                           vertexText("Arch", "__IPU_ARCH_VERSION__");
  useBuildTree();
  for (const auto &machine : {std::pair("ipu1", 1.0f), {"ipu2", 2.0f}, {"ipu21", 21.0f}, {"cpu", -1.0f}})
    for (const bool halfAsFloat : {false, true}) {
      const char *const target = machine.first;
      const float version = machine.second;
      CodeletSet set;
      set.addSource(text, CodeletSourceKind::Cpp, {"", target, true, halfAsFloat}, nullptr);
      CHECK_MESSAGE(resultOf(set, "Arch") == version, target);
      const VertexClass *c = set.find("Arch");
      std::vector<std::vector<std::uint8_t>> after;
      REQUIRE_MESSAGE(c->standIn != nullptr, c->standInProblem);
      REQUIRE(runOnStandIn(*c, {operandOf<float>(*c, "o", {0})}, after).problem.empty());
      CHECK_MESSAGE(valuesOf<float>(after[0])[0] == version, target);
    }
}

TEST_CASE("assembly and assertions about pointers outside of functions are left out, with a warning each") {
  const TemporaryFolder folder("tile-only-outside");
  std::ofstream(folder.file("pointers.hpp")) << "#pragma once\nstruct Node { Node *next; };\n"
                                                "static_assert(sizeof(Node) == 4, \"packed\");\n";
  const std::string text =
      "#include \"pointers.hpp\"\n#include <poplar/Vertex.hpp>\n"
      "static_assert(sizeof(void *) ==\n              4, \"32 bits\");\n"
      "extern \"C\" {\n__asm__(R\"(\n  .globl five\nfive:\n  setzi $m0, 5\n  br $lr\n)\");\n"
      "unsigned five();\n}\n"
      "template <class T> struct Two { static_assert(sizeof(T *) == 4); T value; };\n" +
      std::string("#define VERTEX(name, v) struct name : poplar::Vertex { poplar::Output<float> o; "
                  "bool compute() { *o = v; return true; } };\n") +
      "VERTEX(Line, __LINE__)\nVERTEX(Twice, Two<float>{2}.value)\nVERTEX(Calls, five())\n"
      "struct Inside : poplar::Vertex { poplar::Output<float> o;\n  bool compute() {\n"
      "    static_assert(sizeof(void *) == 4); *o = 1; return true; } };\n";
  std::ofstream(folder.file("outside.cpp")) << text;
  useBuildTree();
  CodeletSet set;
  std::ostringstream output;
  set.addFile(folder.file("outside.cpp"), CodeletSourceKind::Auto, {"", "ipu2", true}, &output);
  CHECK(resultOf(set, "Line") == 16);
  CHECK(resultOf(set, "Twice") == 2);
  CHECK_THROWS_AS((void)resultOf(set, "Inside"), popscope_device::TileOnly);
  CHECK(set.find("Calls")->missing == std::vector<std::string>{"five"});
  CHECK(set.find("Line")->standIn != nullptr);
  for (const char *part : {"pointers.hpp:3:1: warning: ", "outside.cpp:3:1: warning: ", "outside.cpp:6:1: warning: ",
                           "the assembly is left out", "the assertion holds for 32-bit pointers and is left out"})
    CHECK_MESSAGE(has(output.str(), part), part << " in " << output.str());

  // An assertion that fails for a tile, too, is an error of the file.
  CHECK_THROWS_WITH_AS(codeletsOf("static_assert(sizeof(void *) == 4);\nstatic_assert(sizeof(int) == 8, \"wide\");\n"),
                       doctest::Contains("wide"), poplar::graph_program_compilation_error);
}

TEST_CASE("a message about a name of the tile names the header that declares it") {
  const std::string begin = "#include <poplar/Vertex.hpp>\n" + vertexText("Plain", "3");
  useBuildTree();
  CodeletSet set;
  std::ostringstream output;
  set.addSource(begin + vertexText("Id", "__builtin_ipu_get_tile_id()"), CodeletSourceKind::Cpp, {"", "ipu2", true},
                &output);
  CHECK_MESSAGE(has(output.str(), "hint: include <ipu_builtins.h>, which declares '__builtin_ipu_get_tile_id'"),
                output.str());
  try {
    (void)resultOf(set, "Id");
    FAIL("the vertex has run");
  } catch (const popscope_device::TileOnly &e) {
    CHECK(has(e.why, "hint: include <ipu_builtins.h>"));
  }
  const std::pair<const char *, const char *> names[] = {
      {"ipu::fmax(1.0f, 2.0f)", "hint: include <ipu_intrinsics>, which declares 'ipu'"},
      {"(float2{1, 2})[1]", "hint: include <ipudef.h>, which declares 'float2'"},
      {"CSR_W_WSR__INDEX + flaot", "hint: include <poplar/TileConstants.hpp>, which declares 'CSR_W_WSR__INDEX'"},
      {"CTXT_WORKERS", "hint: include <poplar/TileConstants.hpp>, which declares 'CTXT_WORKERS'"}};
  for (const auto &[value, hint] : names)
    CHECK_THROWS_WITH_AS(codeletsOf(begin + vertexText("Uses", value)), doctest::Contains(hint),
                         poplar::graph_program_compilation_error);
  // No header declares these names.
  for (const char *value : {"__builtin_ipu_no_such(1)", "value_of_mine", "float3"})
    try {
      CodeletSet other;
      std::ostringstream warnings;
      other.addSource(begin + vertexText("Uses", value), CodeletSourceKind::Cpp, {"", "ipu2", true}, &warnings);
      CHECK_MESSAGE(!has(warnings.str(), "hint:"), warnings.str());
    } catch (const poplar::graph_program_compilation_error &e) {
      CHECK_MESSAGE(!has(e.what(), "hint:"), e.what());
    }
}

TEST_CASE("an error of another kind is an error of the file, also beside code for a tile") {
  const std::string text = "#include <poplar/Vertex.hpp>\n"
                           "struct A : poplar::Vertex { poplar::Output<float> o; bool compute() {\n"
                           "  asm volatile(\"f32add $a0, $a0, $a0\"); *o = missing; return true; } };\n";
  CHECK_THROWS_WITH_AS(codeletsOf(text), doctest::Contains("'missing'"), poplar::graph_program_compilation_error);
}

TEST_CASE("headers are found as with the SDK") {
  for (const char *header :
       {"Vertex.hpp", "StackSizeDefs.hpp", "TileConstants.hpp", "ipu_vector_math", "ipu_intrinsics"}) {
    CodeletSet set;
    useBuildTree();
    set.addSource("#include <" + std::string(header) + ">\n" + vertexText("A", "1"), CodeletSourceKind::Cpp,
                  {"", "ipu2", true}, nullptr);
    CHECK_MESSAGE(set.find("A") != nullptr, header);
  }
}

TEST_CASE("a source that is named without a folder includes its neighbours") {
  writeSource("sibling_of_source.hpp", "constexpr float two = 2;\n");
  const std::string source =
      writeSource("sibling_source.cpp", "#include \"sibling_of_source.hpp\"\n" + vertexText("Sibling", "two"));
  const std::filesystem::path before = std::filesystem::current_path(), path = source;
  std::filesystem::current_path(path.parent_path());
  useBuildTree();
  CodeletSet set;
  const bool added = set.addFile(path.filename().string(), CodeletSourceKind::Auto, {"", "ipu1", true}, nullptr);
  const ProcessResult compiled = popc({path.filename().string(), "--target", "ipu1", "-o", "sibling.gp"});
  std::filesystem::current_path(before);
  CHECK(added);
  CHECK(resultOf(set, "Sibling") == 2);
  CHECK_MESSAGE(compiled.exitCode == 0, compiled.errors);
}

TEST_CASE("builtins of a tile have values on the host, and one instruction each on the stand-in") {
  const CodeletSet set = codeletsOf(
      "#include <ipu_builtins.h>\n"
      "struct Worker : MultiVertex { InOut<float> o; bool compute(unsigned) {\n"
      "  *o = __builtin_ipu_get(CSR_W_WSR__INDEX) & CSR_W_WSR__CTXTID_M1__MASK; return true; } };\n"
      "struct Counts : Vertex { Output<float> o; bool compute() {\n"
      "  const unsigned l = __builtin_ipu_get_scount_l(), u = __builtin_ipu_get_scount_u();\n"
      "  *o = __builtin_ipu_get_scount_l() > l && u == 0; return true; } };\n"
      "struct Base : Vertex { Output<float> o; bool compute() {\n"
      "  *o = static_cast<Base *>(__builtin_ipu_get_vertex_base()) == this; return true; } };\n"
      "struct Puts : Vertex { Output<float> o; bool compute() {\n"
      "  __builtin_ipu_put(5, CSR_C_DBG_DATA__INDEX); __builtin_ipu_uput(6, CSR_C_DBG_DATA__INDEX);\n"
      "  *o = __builtin_ipu_get(CSR_C_DBG_DATA__INDEX) * 10 + __builtin_ipu_uget(CSR_C_DBG_DATA__INDEX); return true; "
      "} };\n"
      "struct Halves : Vertex { Output<float> o; bool compute() {\n"
      "  *o = __builtin_ipu_f16tof32(__builtin_ipu_f32tof16(1.0f / 3)); return true; } };\n"
      "struct Largest : Vertex { Output<float> o; bool compute() {\n" // the next 32 random bits are 0x7fffffff
      "#ifndef __riscv\n"
      "  popscope_device::place()->random[0] = 0x807c1fff07fffe00ull; popscope_device::place()->random[1] = 0;\n"
      "#endif\n"
      "  *o = __builtin_ipu_urand_f32(); return true; } };\n"
      "struct Random : Vertex { Output<float> o; bool compute() {\n"
      "  float least = 1, most = -1, sum = 0, squares = 0;\n"
      "  for (int i = 0; i != 4000; ++i) { const float u = __builtin_ipu_urand_f32(); if (u < least) least = u;\n"
      "    if (u > most) most = u; const float2 n = __builtin_ipu_f32v2grand(); sum += n[0] + n[1];\n"
      "    squares += n[0] * n[0] + n[1] * n[1]; }\n"
      "  *o = least >= -0.5f && least < -0.49f && most < 0.5f && most > 0.49f && sum / 8000 < 0.1f &&\n"
      "       sum / 8000 > -0.1f && squares / 8000 > 0.9f && squares / 8000 < 1.1f &&\n"
      "       __builtin_ipu_urand32() != __builtin_ipu_urand32(); return true; } };\n",
      "", "ipu2");
  for (const char *name : {"Counts", "Base", "Random"})
    CHECK_MESSAGE(resultOf(set, name) == 1, name);
  CHECK(resultOf(set, "Largest") < 0.5f);
  CHECK(resultOf(set, "Largest") > 0.4999999f);
  CHECK(resultOf(set, "Puts") == 56);
  CHECK(resultOf(set, "Halves") == doctest::Approx(0.33325195f).epsilon(1e-7));
  CHECK(resultOf(set, "Worker", 4) == 4);
  for (const char *name : {"Worker", "Counts", "Base", "Puts"})
    CHECK_MESSAGE(set.find(name)->standIn != nullptr, set.find(name)->standInProblem);
}

TEST_CASE("builtins that classify, clamp, sum and accumulate have values on the host and on the stand-in") {
  const auto vertex = [](const char *name, const std::string &body) {
    return std::string("struct ") + name + " : Vertex { Output<float> o; bool compute() { " + body +
           " return true; } };\n";
  };
  const CodeletSet set = codeletsOf(
      "#include <ipu_intrinsics>\n#include <limits>\n"
      "static float bits(unsigned b) { float f; __builtin_memcpy(&f, &b, 4); return f; }\n" +
          vertex("WorkerId", "*o = __builtin_ipu_get_worker_id();") +
          // numbers of the classes, one decimal digit or two each: NaNs are 1 and 2, the others follow IEEE 754's order
          vertex("NansOf", "volatile unsigned s = 0x7f800001, q = 0x7fc00000;\n"
                           "*o = __builtin_ipu_f32class(bits(s)) * 10 + __builtin_ipu_f32class(bits(q));") +
          vertex("Negative",
                 "volatile unsigned b[4] = {0xff800000, 0xbf800000, 0x80000001, 0x80000000};\n"
                 "*o = 0; for (unsigned i = 0; i != 4; ++i) *o = *o * 10 + __builtin_ipu_class(bits(b[i]));") +
          vertex("Positive",
                 "volatile unsigned b[4] = {0, 1, 0x3f800000, 0x7f800000};\n"
                 "*o = 0; for (unsigned i = 0; i != 4; ++i) *o = *o * 11 + __builtin_ipu_class(bits(b[i]));") +
          vertex("Atan", "volatile float x = 1; *o = __builtin_ipu_f32atan(x);") +
          R"(
#include <ipu_intrinsics>
#include <poplar/Vertex.hpp>
using namespace poplar;
struct Sums : Vertex { Output<float> o; bool compute() {
  const half2 h{1, 2}; const half4 q{3, 4, 5, 6}; const float2 s = ipu::sum(q);
  *o = ipu::sum(h) * 10000 + s[0] * 100 + s[1] + __builtin_ipu_f16v2sum(h) + __builtin_ipu_f16v4sum(q)[0] +
       __builtin_ipu_sum(q)[1]; return true; } };
struct Clamps : Vertex { Output<float> o; bool compute() {
  const float2 c = ipu::clamp(float2{-3, 9}, float2{-1, 5});
  const half2 h = ipu::clamp(half2{-3, 2}, half2{-2, 5});
  const half4 q = ipu::clamp(half4{-3, 9, 1, 8}, half2{0, 7});
  *o = c[0] * 1000 + c[1] * 100 + float(h[0]) * 10 + float(h[1]) + float(q[0] + q[1] + q[2] + q[3]) / 16 +
       __builtin_ipu_clamp(9.0f, float2{0, 64}); return true; } };
)",
      "", "ipu2");
  const std::pair<const char *, double> expected[] = {{"NansOf", 12},
                                                      {"Negative", 3456},
                                                      {"Positive", 7 * 1331 + 8 * 121 + 9 * 11 + 10},
                                                      {"Atan", 0.7853982},
                                                      {"Sums", 30000 + 700 + 11 + 3 + 7 + 11},
                                                      {"Clamps", -1000 + 500 - 20 + 2 + 15.0 / 16 + 9}};
  for (const auto &[name, value] : expected) {
    CHECK_MESSAGE(resultOf(set, name) == doctest::Approx(value).epsilon(1e-6), name);
    const VertexClass *c = set.find(name);
    std::vector<std::vector<std::uint8_t>> after;
    REQUIRE_MESSAGE(c->standIn != nullptr, c->standInProblem);
    const StandInResult counted = runOnStandIn(*c, {operandOf<float>(*c, "o", {0})}, after);
    REQUIRE_MESSAGE(counted.problem.empty(), counted.problem);
    CHECK_MESSAGE(valuesOf<float>(after[0])[0] == doctest::Approx(value).epsilon(1e-6), name);
  }
  CHECK(resultOf(set, "WorkerId", 5) == 5);
  CHECK_MESSAGE(set.find("WorkerId")->standIn != nullptr, set.find("WorkerId")->standInProblem);
}

TEST_CASE("the accumulators of a worker keep their values until compute() returns") {
  // After the outer product of {1, 2} and {3, 4}, accumulators 0, 2, 4, 6 are 3, 6, 4, 8. Each gina returns 0 and 2 and
  // moves the others down by four.
  const CodeletSet set = codeletsOf(
      "#include <ipu_builtins.h>\n"
      "struct Outer : Vertex { Output<float> o; bool compute() {\n"
      "  const float2 zero{0, 0}, before = __builtin_ipu_f32v2gina(zero, 0);\n"
      "  __builtin_ipu_aacc_zero(); __builtin_ipu_f32v2aop(float2{1, 2}, float2{3, 4}, 0);\n"
      "  const float2 a = __builtin_ipu_gina(float2{9, 7}, 0), b = __builtin_ipu_gina(zero, 0);\n"
      "  float2 last = zero; for (int i = 0; i != 3; ++i) last = __builtin_ipu_gina(zero, 0);\n"
      "  *o = before[0] + before[1] + ((((a[0] * 10 + a[1]) * 10 + b[0]) * 10 + b[1]) * 10 + last[0]) * 10 + last[1];\n"
      "  return true; } };\n"
      "struct Axpy : Vertex { Output<float> o; bool compute() {\n"
      "  __builtin_ipu_put_tas(10.0f); __builtin_ipu_f32v2axpy(float2{1, 2}, float2{3, 4});\n"
      "  const float2 r = __builtin_ipu_f32v2axpy(float2{0, 0}, float2{0, 0});\n"
      "  *o = r[0] * 100 + r[1]; return true; } };\n"
      "struct Random : Vertex { Output<float> o; bool compute() {\n"
      "  float sum = 0, squares = 0;\n"
      "  for (int i = 0; i != 4000; ++i) { const half2 n = __builtin_ipu_f16v2grand(); const float a = n[0], b = "
      "n[1];\n"
      "    sum += a + b; squares += a * a + b * b; }\n"
      "  *o = sum / 8000 < 0.1f && sum / 8000 > -0.1f && squares / 8000 > 0.9f && squares / 8000 < 1.1f;\n"
      "  return true; } };\n",
      "", "ipu2");
  for (int run = 0; run != 2; ++run)
    CHECK(resultOf(set, "Outer") == 364897);
  CHECK(resultOf(set, "Axpy") == 3142);
  CHECK(resultOf(set, "Random") == 1);
  for (const char *name : {"Outer", "Axpy", "Random"})
    CHECK_MESSAGE(set.find(name)->standIn != nullptr, set.find(name)->standInProblem);
}

TEST_CASE("each builtin of a register or an accumulator is one instruction of the stand-in") {
  const auto vertex = [](const char *name, const char *body) {
    return std::string("struct ") + name + " : Vertex { Output<float> o; bool compute() { *o = 0; " + body +
           " return true; } };\n";
  };
  const CodeletSet set = codeletsOf("#include <ipu_builtins.h>\n" + vertex("None", "") +
                                        vertex("Four", "__builtin_ipu_get_worker_id(); __builtin_ipu_f16v2grand();\n"
                                                       "__builtin_ipu_aacc_zero();\n"
                                                       "__builtin_ipu_f32v2gina(float2{0, 0}, 0);"),
                                    "", "ipu2");
  const auto instructionsOf = [&](const char *name) {
    const VertexClass *c = set.find(name);
    std::vector<std::vector<std::uint8_t>> after;
    REQUIRE_MESSAGE(c->standIn != nullptr, c->standInProblem);
    return runOnStandIn(*c, {operandOf<float>(*c, "o", {0})}, after).instructions;
  };
  CHECK(instructionsOf("Four") - instructionsOf("None") == 4);
}

TEST_CASE("a register keeps its value, whatever other registers the codelet writes") {
  const CodeletSet set = codeletsOf(
      "#include <TileConstants.hpp>\n#include <ipu_builtins.h>\n"
      "struct All : Vertex { Output<float> o; bool compute() {\n"
      "  for (unsigned r = 100; r != 256; ++r) { __builtin_ipu_put(r, r); __builtin_ipu_uput(2 * r, r); }\n"
      "  const unsigned named[] = {CSR_S_FP_ICTL__INDEX, CSR_C_PC__INDEX, CSR_S_CCCSLOAD__INDEX, "
      "CSR_S_FP_INFMT__INDEX,\n"
      "    CSR_S_FP_ISCL__INDEX, CSR_S_INCOMING_BASE__INDEX, CSR_S_INCOMING_MUX__INDEX, CSR_S_OUTGOING_BASE__INDEX,\n"
      "    CSR_W_REPEAT_COUNT__INDEX};\n"
      "  for (unsigned r : named) __builtin_ipu_put(1000 + r, r);\n"
      "  __builtin_ipu_put(7, 512);\n" // no tile has this register
      "  *o = 0; for (unsigned r = 100; r != 256; ++r)\n"
      "    *o += __builtin_ipu_get(r) != r || __builtin_ipu_uget(r) != 2 * r;\n"
      "  for (unsigned r : named) *o += __builtin_ipu_get(r) != 1000 + r;\n"
      "  *o += __builtin_ipu_get(512) != 0; return true; } };\n",
      "", "ipu2");
  CHECK(resultOf(set, "All") == 0);
}

TEST_CASE("an edge is the vector that it brings") {
  const CodeletSet set = codeletsOf(
      "static float sum(const Vector<float> &v) { float s = 0; for (unsigned i = 0; i < v.size(); ++i) s += v[i]; "
      "return s; }\n"
      "static void fill(Vector<float> &v) { for (unsigned i = 0; i < v.size(); ++i) v[i] = 2; }\n"
      "static float first(const Vector<float, VectorLayout::ONE_PTR, 8> &v) { return v[0]; }\n"
      "struct Edges : Vertex { Input<Vector<float>> in; InOut<Vector<float>> both; Output<Vector<float>> out;\n"
      "  Input<Vector<float, VectorLayout::ONE_PTR, 8>> one; Output<float> o;\n"
      "  bool compute() { fill(both); fill(out); *o = sum(in) + sum(both) + sum(out) + first(one); return true; } };\n",
      "", "ipu2");
  const VertexClass *c = set.find("Edges");
  REQUIRE(c != nullptr);
  std::vector<Operand> operands = {operandOf<float>(*c, "in", {1, 2}), operandOf<float>(*c, "both", {9}),
                                   operandOf<float>(*c, "out", {9, 9}), operandOf<float>(*c, "one", {100}),
                                   operandOf<float>(*c, "o", {0})};
  runOnHost(*c, operands);
  CHECK(valuesOf<float>(operands[4].bytes)[0] == 3 + 2 + 4 + 100);
}

TEST_CASE("elements of rows of inputs are const, and a row is still an input vector") {
  const CodeletSet set =
      codeletsOf("static float first(const Input<Vector<float>> &row) { return row[0]; }\n"
                 "struct Rows : Vertex { Vector<Input<Vector<float>>> rows; Output<float> o;\n"
                 "  Vector<Input<Vector<unsigned short, VectorLayout::ONE_PTR>>, VectorLayout::ONE_PTR> ids;\n"
                 "  Vector<InOut<Vector<float, VectorLayout::ONE_PTR>>> written;\n"
                 "  bool compute() { float s = 0; for (unsigned r = 0; r != rows.size(); ++r) { s += first(rows[r]);\n"
                 "      for (float x : rows[r]) s += x; s += rows[r].back() + *rows[r].data(); }\n"
                 "    auto *id = &ids[0][0]; id = reinterpret_cast<const unsigned short *>(id) + 1;\n"
                 "    written[0][0] += 1; *o = s + *id; return true; } };\n",
                 "", "ipu2");
  const VertexClass *c = set.find("Rows");
  REQUIRE(c != nullptr);
  std::vector<Operand> operands = {operandOf<float>(*c, "rows", {1, 2}, 0), operandOf<float>(*c, "rows", {4, 8}, 1),
                                   operandOf<unsigned short>(*c, "ids", {16, 100}, 0),
                                   operandOf<float>(*c, "written", {5}, 0), operandOf<float>(*c, "o", {0})};
  runOnHost(*c, operands);
  CHECK(valuesOf<float>(operands[4].bytes)[0] == (1 + 3 + 2 + 1) + (4 + 12 + 8 + 4) + 100);
  CHECK(valuesOf<float>(operands[3].bytes)[0] == 6);
  CHECK_MESSAGE(c->standIn != nullptr, c->standInProblem);
  const auto write = [](const char *statement) {
    return codeletsOf(std::string("struct Writer : Vertex { Vector<Input<Vector<float>>> rows; Output<float> o;\n"
                                  "  bool compute() { ") +
                          statement + " return true; } };\n",
                      "", "ipu2");
  };
  CHECK_NOTHROW(write("*o = rows[0][0];"));
  CHECK_THROWS(write("rows[0][0] = 1;"));
}

TEST_CASE("device paths are compiled when they are asked for") {
  const std::string text = "#include <poplar/Vertex.hpp>\n"
                           "struct Path : poplar::Vertex { poplar::Output<float> o; bool compute() {\n"
                           "#ifdef __IPU__\n  *o = __builtin_ipu_max(2.0f, 7.0f);\n#else\n  *o = 1;\n#endif\n"
                           "  return true; } };\n";
  const std::string source = writeSource("device_paths.cpp", text), archive = source + ".gp";
  const auto valueWith = [&](std::vector<std::string> words, const char *target) {
    words.insert(words.end(), {source, "-o", archive});
    const ProcessResult result = popc(words);
    REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
    CodeletSet set;
    set.addFile(archive, CodeletSourceKind::Auto, {"", target, true}, nullptr);
    return resultOf(set, "Path");
  };
  CHECK(valueWith({}, "ipu2") == 1);
  CHECK(valueWith({"--device-paths"}, "ipu2") == 7);
  CHECK(valueWith({"--device-paths"}, "cpu") == 1);
  setenv("POPSCOPE_DEVICE_PATHS", "1", 1);
  const CodeletSet set = codeletsOf(text, "", "ipu2");
  std::ofstream(source) << text << "// together with the CPU\n";
  const double together = valueWith({"--target", "cpu,ipu2"}, "ipu2");
  unsetenv("POPSCOPE_DEVICE_PATHS");
  CHECK(resultOf(set, "Path") == 7);
  CHECK(together == 7);
}

TEST_CASE("-Wdouble-promotion is of floats that become doubles, not of halves that become floats") {
  const std::string begin = "#include <cmath>\n#include <poplar/HalfFloat.hpp>\n#include <poplar/Vertex.hpp>\n"
                            "struct Frac : poplar::Vertex { poplar::InOut<half> x; bool compute() {\n"
                            "  half v = *x;\n  v -= floorf(v);\n",
                    end = "  *x = v;\n  return true; } };\n";
  const std::string fine = writeSource("promotion_fine.cpp", begin + end),
                    wrong = writeSource("promotion_wrong.cpp",
                                        begin + "  double d = float(v); v = half(float(d));\n" + end),
                    inTemplate = writeSource("promotion_template.cpp",
                                             "#include <cmath>\n#include <poplar/HalfFloat.hpp>\n"
                                             "#include <poplar/Vertex.hpp>\n"
                                             "template <class T> struct Least : poplar::Vertex { poplar::InOut<T> x;\n"
                                             "  bool compute() { *x = fmaxf(*x - T(1), T(0)); return true; } };\n"
                                             "template struct Least<half>;\ntemplate struct Least<float>;\n");
  const auto compile = [](const std::string &source) {
    return popc({"-O3", "-Werror", "-Wdouble-promotion", "--target", "ipu2", source, "-o", source + ".gp"});
  };
  for (const std::string &source : {fine, inTemplate}) {
    const ProcessResult good = compile(source);
    CHECK_MESSAGE(good.exitCode == 0, good.errors);
    CHECK(good.errors.empty());
  }
  const ProcessResult bad = compile(wrong);
  CHECK(bad.exitCode == 1);
  CHECK(has(bad.errors, "promotion_wrong.cpp:7:"));
  CHECK(has(bad.errors, "error: "));
}

TEST_CASE("-Wdouble-promotion depends on the types, not on their names") {
  const std::string begin =
                        "#include <algorithm>\n#include <cmath>\n#include <poplar/HalfFloat.hpp>\n"
                        "#include <poplar/Vertex.hpp>\nusing Acc = float; typedef float Real; using Short = half;\n"
                        "using Wide = double; template <class T> struct Sum { using type = float; };\n"
                        "template <class T> static Acc widened(const T v) { const Acc c = v; return c; }\n"
                        "struct V : poplar::Vertex { poplar::InOut<half> x; poplar::InOut<float> f; bool compute() {\n"
                        "  const half h = *x; Short s = *x; (void)h; (void)s;\n  ",
                    end = "\n  return true; } };\n";
  useBuildTree();
  const auto add = [&](const std::string &line, bool halfAsFloat) {
    CodeletSet set;
    std::ostringstream output;
    set.addSource(begin + line + end, CodeletSourceKind::Cpp, {"-Werror -Wdouble-promotion", "ipu2", true, halfAsFloat},
                  &output);
    return output.str();
  };
  for (const char *line :
       {"const float c = h; *f = c;", "Acc c = s; *f = c;", "const Real c = s; *f = c;", "float_t c = h; *f = c;",
        "decltype(1.f) c = h; *f = c;", "Sum<half>::type c = h; *f = c;", "volatile float c = s; *f = c;",
        "const float a[2] = {h, s}; *f = a[0];", "struct { const float a; } c{h}; *f = c.a;",
        "const float &c = h; *f = c;", "*f = std::max<float>(h, 0.f);", "*f = std::clamp<float>(s, 0.f, 1.f);",
        "auto l = [&]() -> const float { return h; }; *f = l();", "*f = widened(h) + widened<Short>(s);"})
    for (const bool halfAsFloat : {false, true})
      CHECK_MESSAGE(add(line, halfAsFloat).empty(), line);
  for (const char *line : {"double d = h; *f = float(d);", "const Wide d = s; *f = float(d);",
                           "const double d = *f; *f = float(d);", "*f = float(Wide(1) * *f);"})
    for (const bool halfAsFloat : {false, true})
      CHECK_THROWS_WITH_AS(add(line, halfAsFloat), doctest::Contains("error: implicit conversion increases"),
                           poplar::graph_program_compilation_error);
}

TEST_CASE("popc takes targets as a JSON list, each with flags of its own") {
  const std::string source =
      writeSource("json_targets.cpp", "#ifndef VALUE\n#define VALUE 1\n#endif\n" + vertexText("One", "VALUE"));
  const std::string archive = source + ".gp";
  const ProcessResult result =
      popc({"--target", R"(["ipu1", {"name": "ipu2:cpp", "arch": "ipu2", "compile-flags": ["-DVALUE=5"]}, "ipu2"])",
            source, "-o", archive});
  REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
  const auto valueFor = [&](const char *target) {
    CodeletSet set;
    set.addFile(archive, CodeletSourceKind::Auto, {"", target, true}, nullptr);
    return resultOf(set, "One");
  };
  CHECK(valueFor("ipu1") == 1);
  CHECK(valueFor("ipu2") == 1);
  CHECK(valueFor("ipu2:cpp") == 5);
  CHECK_THROWS_AS(valueFor("ipu21"), poplar::graph_object_load_error);
  for (const char *wrong : {"[", "[]", "[1]", "[\"ipu9\"]", R"([{"arch": "ipu2"}])", R"([{"name": "a", "arch": "x"}])",
                            R"([{"name": "ipu2", "compile-flags": "-DX"}])", R"([{"name": "ipu2", "flags": []}])",
                            R"(["ipu2", {"name": "ipu2", "compile-flags": ["-DX"]}])"})
    CHECK_MESSAGE(popc({"--target", wrong, source, "-o", archive}).exitCode == 2, wrong);
}

TEST_CASE("assembly files are skipped in one line") {
  std::vector<std::string> words = {writeSource("with_assembly.cpp", vertexText("A")), "--target", "cpu", "-o",
                                    writeSource("with_assembly.gp", "")};
  for (const char *name : {"skip1.S", "skip2.S", "skip3.s", "skip4.S", "skip5.S"})
    words.push_back(writeSource(name, "sans\n"));
  const ProcessResult result = popc(words);
  CHECK_MESSAGE(result.exitCode == 0, result.errors);
  CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
  CHECK(has(result.errors, "and 2 more are skipped"));
}

TEST_SUITE_END();
