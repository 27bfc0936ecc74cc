#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/GraphObject.hpp"
#include "graph/codelets/Process.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <algorithm>
#include <cstdio>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <poplar/exceptions.hpp>

using namespace popscope;
using namespace popscope::test;

namespace {

std::string sourceOf(const std::string &name) { return vertexText(name, "VALUE"); }
float valueOf(const CodeletSet &set, const std::string &name) {
  const VertexClass *c = set.find(name);
  REQUIRE(c != nullptr);
  std::vector<Operand> operands = {operandOf<float>(*c, "o", {0})};
  runOnHost(*c, operands);
  return valuesOf<float>(operands[0].bytes)[0];
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("popc answers the questions that build files ask") {
  CHECK(popc({"--list-targets"}).output == "cpu,ipu1,ipu2,ipu21\n");
  CHECK(popc({"--version"}).output.rfind("popc version ", 0) == 0);
  CHECK(popc({}).exitCode == 2);
  CHECK(popc({}).errors.find("no inputs") != std::string::npos);
  const ProcessResult unnamed = popc({"some/codelets.cpp"});
  CHECK(unnamed.exitCode == 2);
  CHECK_MESSAGE(unnamed.errors.find("no output for some/codelets.cpp; name the file to write with -o FILE, for example "
                                    "-o codelets.gp") != std::string::npos,
                unnamed.errors);
  const ProcessResult unknown = popc({"--target", "ipu9", "x.cpp", "-o", "x.gp"});
  CHECK(unknown.exitCode == 2);
  CHECK(unknown.errors.find("'ipu9'") != std::string::npos);
  const std::string missing = popc({"~/no such codelets.cpp", "-o", "~/x.gp"}).errors; // ~ is the home folder
  CHECK_MESSAGE(missing.find("/no such codelets.cpp: no such file") != std::string::npos, missing);
  CHECK(missing.find('~') == std::string::npos);
}

TEST_CASE("popc names the option that is wrong, in words of its own") {
  const std::pair<std::vector<std::string>, const char *> asked[] = {
      {{"x.cpp", "-o", "a.gp", "-o", "b.gp"}, "popc: --output is given more than once; give it once; popc --help"},
      {{"x.cpp", "-o"}, "popc: --output: the value is missing; give --output FILE; popc --help"},
      {{"x.cpp", "-o", "x.gp", "-j", "-1"}, "popc: --jobs: \"-1\" is not allowed; give "},
      {{"x.cpp", "-o", "x.gp", "--target", ""}, "popc: --target: the value is empty; leave the option out"}};
  for (const auto &[words, start] : asked) {
    const ProcessResult refused = popc(words);
    CHECK(refused.exitCode == 2);
    CHECK_MESSAGE(refused.errors.rfind(start, 0) == 0, refused.errors);
  }
}

TEST_CASE("popc refuses an output that is one of its inputs") {
  const std::string source = writeSource("kept.cpp", sourceOf("Kept"));
  const std::string before = readFile(source).value_or("");
  for (const std::vector<std::string> &view : {std::vector<std::string>{}, {"-c"}, {"-S"}, {"-E"}}) {
    std::vector<std::string> words = {"--target", "cpu", source, "-o", source};
    words.insert(words.end(), view.begin(), view.end());
    const ProcessResult refused = popc(words);
    CHECK(refused.exitCode == 2);
    CHECK_MESSAGE(refused.errors == "popc: " + source + " is an input; name another file to write\n", refused.errors);
  }
  CHECK(readFile(source) == before);
}

TEST_CASE("popc names the option that was meant, and its manual page has all options") {
  const ProcessResult slip = popc({"--verbos", "x.cpp", "-o", "x.gp"});
  CHECK(slip.exitCode == 2);
  CHECK_MESSAGE(slip.errors.find("unknown option \"--verbos\". Did you mean \"--verbose\"?") != std::string::npos,
                slip.errors);
  CHECK(popc({"-O3", "--taget=cpu", "x.cpp"}).errors.find("Did you mean \"--target\"?") != std::string::npos);
  std::ifstream in(POPSCOPE_SOURCE_DIR "/graph/codelets/popc/popc.1");
  std::string page((std::istreambuf_iterator<char>(in)), {});
  page.erase(std::remove(page.begin(), page.end(), '\\'), page.end());
  const std::string help = popc({"--help"}).output;
  CHECK(help.find("Examples:\n  popc codelets.cpp") != std::string::npos);
  std::size_t options = 0;
  for (std::size_t at = help.find("\n  -"); at != std::string::npos; at = help.find("\n  -", at + 1)) {
    const std::string names = help.substr(at + 3, help.find(' ', at + 3) - at - 3);
    CHECK_MESSAGE(page.find("\n.B " + names) != std::string::npos, names);
    ++options;
  }
  CHECK(options >= 10);
}

TEST_CASE("popc warns of an archive without a vertex class, with class and reason") {
  const auto warnings = [](const std::string &name, const std::string &text) {
    const std::string source = writeSource(name, "#include <poplar/Vertex.hpp>\nusing namespace poplar;\n" + text);
    const ProcessResult result = popc({"--target", "cpu", source, "-o", source + ".gp"});
    CHECK(result.exitCode == 0);
    return result.errors;
  };
  const std::string slip =
      warnings("slip.cpp", "class Add : public Vertex {\npublic:\n  Output<float> o;\n  bool compte() "
                           "{ return true; }\n};\n");
  CHECK_MESSAGE(
      slip.find("slip.cpp:3: class 'Add' is no vertex: it has no compute(), but compte()") != std::string::npos, slip);
  CHECK(slip.find("there is no vertex class in the archive") != std::string::npos);
  const std::string base =
      warnings("base.cpp", "struct Add {\n  Output<float> o;\n  bool compute() { return true; }\n};\n");
  CHECK_MESSAGE(base.find("class 'Add' is no vertex: it has no base class; derive it from poplar::Vertex") !=
                    std::string::npos,
                base);
  const std::string never =
      warnings("never.cpp", "template <typename T> class Add : public Vertex {\npublic:\n  Output<T> o;\n "
                            " bool compute() { return true; }\n};\n");
  CHECK_MESSAGE(never.find("class 'Add' is no vertex: the template is never instantiated; add, for example, template "
                           "class Add<float>;") != std::string::npos,
                never);
  CHECK(warnings("good.cpp",
                 "class Add : public Vertex {\npublic:\n  Output<float> o;\n  bool compute() { return true; "
                 "}\n};\nclass Base : public Vertex {};\n")
            .empty()); // one class is enough: others may be bases
}

TEST_CASE("popc warns of a vertex whose compute() is not public, with class and place") {
  const auto warnings = [](const std::string &name, const std::string &text) {
    const std::string source = writeSource(name, "#include <poplar/Vertex.hpp>\nusing namespace poplar;\n" + text);
    const ProcessResult result = popc({"--target", "cpu", source, "-o", source + ".gp"});
    CHECK(result.exitCode == 0);
    return result.errors;
  };
  const std::string body = "bool compute() { *out = 1; return true; }\n";
  const std::string told = "hidden.cpp:3: the compute() of class 'Hidden' is not public; write public: before it";
  const std::string hidden = warnings(
      "hidden.cpp", "class Hidden : public Vertex {\npublic:\n  Output<float> out;\nprivate:\n  " + body + "};\n");
  CHECK_MESSAGE(hidden.find(told) != std::string::npos, hidden);
  CHECK(warnings("hidden.cpp", "class Hidden : public Vertex {\n  Output<float> out;\n  " + body + "};\n").find(told) !=
        std::string::npos); // private by default, and no other vertex in the source
  CHECK(warnings("shown.cpp", "class Shown : public Vertex {\n  int kept = 0;\npublic:\n  Output<float> out;\n  " +
                                  body + "};\nstruct Also : public Vertex {\n  Output<float> out;\n  " + body + "};\n")
            .empty());
  // A base class has no compute() at all. A Compute() was meant as compute(), even next to a valid vertex.
  const std::string mixed =
      warnings("mixed.cpp", "struct Good : public Vertex {\n  Output<float> out;\n  " + body +
                                "};\nstruct Bad : public Vertex {\n  Output<float> out;\n  bool Compute() { return "
                                "true; }\n};\nstruct Base : public Vertex { void other(); };\n");
  CHECK_MESSAGE(mixed.find("mixed.cpp:7: class 'Bad' is no vertex: it has no compute(), but Compute(); did you mean "
                           "compute?") != std::string::npos,
                mixed);
  CHECK(mixed.find("Base") == std::string::npos);
  for (const std::string name : {"compte", "computes"}) {
    const std::string near =
        warnings("near.cpp", "struct Good : public Vertex {\n  Output<float> out;\n  " + body +
                                 "};\nstruct Bad : public Vertex {\n  Output<float> out;\n  bool " + name +
                                 "() { return true; }\n};\n");
    CHECK_MESSAGE(near.find("it has no compute(), but " + name + "(); did you mean compute?") != std::string::npos,
                  near);
  }
}

TEST_CASE("popc ends with 2 and one line if its output cannot be written") {
  const std::string source = writeSource("popc_full.cpp", sourceOf("Full"));
  useBuildTree();
  for (const std::string &words :
       {std::string("--help"), std::string("--version"), std::string("--list-targets"), "-E --target cpu " + source}) {
    CAPTURE(words);
    const ProcessResult result = runProcess({"sh", "-c", POPSCOPE_BINARY_DIR "/bin/popc " + words + " >/dev/full"});
    CHECK(result.exitCode == 2);
    CHECK(result.errors == "popc: the output cannot be written: No space left on device\n");
  }
  const ProcessResult result = popc({"--target", "cpu", "-DVALUE=1", source, "-o", "/dev/full"});
  CHECK(result.exitCode == 2);
  CHECK(result.errors == "popc: /dev/full: No space left on device\n");
}

TEST_CASE("popc compiles several inputs and merges graph objects") {
  const std::string one = writeSource("popc_one.cpp", sourceOf("One")),
                    two = writeSource("popc_two.cpp", sourceOf("Two"));
  const std::string folder = one.substr(0, one.rfind('/') + 1);
  const std::string asmFile = writeSource("popc_asm.S", "sans\n");
  const ProcessResult first = popc({"-O3", "-Wall", "-Werror", "-DVALUE=4", "-I", folder, one, asmFile, "-o",
                                    folder + "one.gp", "--target=ipu1,cpu"});
  REQUIRE_MESSAGE(first.exitCode == 0, first.errors);
  CHECK(first.errors.find("popc_asm.S is skipped") != std::string::npos);
  REQUIRE(popc({"--target", "ipu1", "-o", folder + "both.gp", two, folder + "one.gp", "-D", "VALUE=9"}).exitCode == 0);
  CodeletSet set;
  CHECK(set.addFile(folder + "both.gp", CodeletSourceKind::Auto, {}, nullptr));
  CHECK(valueOf(set, "One") == 4);
  CHECK(valueOf(set, "Two") == 9);
  CHECK(set.find("One")->standIn != nullptr);
  CHECK(set.find("One")->codeBytes > 0);
  CodeletSet other;
  CodeletOptions options;
  options.target = "ipu2";
  CHECK_THROWS_AS(other.addFile(folder + "both.gp", CodeletSourceKind::Auto, options, nullptr),
                  poplar::graph_object_load_error);
}

TEST_CASE("popc refuses two classes of one name, names both files and writes nothing") {
  const std::string one = writeSource("twice_one.cpp", vertexText("Twice", "1")),
                    two = writeSource("twice_two.cpp", vertexText("Other", "3") + vertexText("Twice", "2")),
                    third = writeSource("twice_third.cpp", vertexText("Third", "4"));
  const std::string folder = one.substr(0, one.rfind('/') + 1), out = folder + "twice.gp";
  std::remove(out.c_str());
  const auto refused = [&](const std::vector<std::string> &inputs, const std::string &what) {
    std::vector<std::string> words = {"--target", "cpu", "-o", out};
    words.insert(words.end(), inputs.begin(), inputs.end());
    const ProcessResult result = popc(words);
    CHECK(result.exitCode == 2);
    CHECK_MESSAGE(result.errors.find("the vertex class 'Twice' is defined by both " + what) != std::string::npos,
                  result.errors);
    CHECK_FALSE(std::ifstream(out).good());
  };
  refused({one, third, two}, one + " and " + two + "; rename one of them");
  const std::string left = folder + "twice_left.gp", right = folder + "twice_right.gp";
  REQUIRE(popc({"--target", "cpu", one, "-o", left}).exitCode == 0);
  REQUIRE(popc({"--target", "cpu,ipu2", two, third, "-o", right}).exitCode == 0);
  refused({left, right}, left + " (compiled from " + one + ") and " + right + " (compiled from " + two + ")");
  refused({right, one}, right + " (compiled from " + two + ") and " + one);
  refused({left, left},
          left + " (compiled from " + one + ") and " + left + " (compiled from " + one + "); give the file once");
  // Archives for different targets share no graph, and a header that both sources include defines one class.
  const std::string ipu = folder + "twice_ipu.gp";
  REQUIRE(popc({"--target", "ipu1", two, "-o", ipu}).exitCode == 0);
  CHECK(popc({"-o", out, left, ipu}).exitCode == 0);
  (void)writeSource("twice_shared.hpp", "#pragma once\n" + vertexText("Twice", "5"));
  const std::string include = "#include \"twice_shared.hpp\"\n";
  const std::string upper = writeSource("twice_upper.cpp", include + vertexText("Upper", "6")),
                    lower = writeSource("twice_lower.cpp", include + vertexText("Lower", "7"));
  const ProcessResult shared = popc({"--target", "cpu", "-o", out, upper, lower});
  CHECK_MESSAGE(shared.exitCode == 0, shared.errors);
  CodeletSet set;
  CHECK(set.addFile(out, CodeletSourceKind::Auto, {"", "cpu"}, nullptr));
  CHECK(valueOf(set, "Twice") == 5);
  CHECK(valueOf(set, "Lower") == 7);
}

TEST_CASE("popc ends with 1 and the compiler's message when a codelet does not compile") {
  const std::string bad = writeSource("popc_bad.cpp", "int f() { return nothing; }\n");
  const ProcessResult result = popc({bad, "-o", bad + ".gp"});
  CHECK(result.exitCode == 1);
  CHECK(result.errors.find("popc_bad.cpp:1:18: error:") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(bad + ".gp"));
}

TEST_CASE("popc says how to compile code for a tile, and for which targets") {
  const std::string only = writeSource(
      "popc_tile.cpp",
      "#include <poplar/Vertex.hpp>\n#ifndef __IPU__\n#error \"needs the device\"\n#endif\n" + sourceOf("OnTile"));
  const ProcessResult plain = popc({"-DVALUE=1", only, "-o", only + ".gp"});
  CHECK(plain.exitCode == 1);
  CHECK_MESSAGE(plain.errors.find("hint: popc --device-paths, or the variable POPSCOPE_DEVICE_PATHS=1") !=
                    std::string::npos,
                plain.errors);
  const ProcessResult all = popc({"-DVALUE=1", "--device-paths", only, "-o", only + ".gp"});
  CHECK(all.exitCode == 1);
  CHECK_MESSAGE(all.errors.find("for each target but cpu") != std::string::npos, all.errors);
  CHECK(popc({"-DVALUE=1", "--target", "ipu2", "--device-paths", only, "-o", only + ".gp"}).exitCode == 0);
}

TEST_CASE("a source may begin with a byte order mark") {
  const std::string marked = writeSource("popc_mark.cpp", "\xEF\xBB\xBF" + sourceOf("Marked"));
  CHECK(popc({"-DVALUE=3", "--target", "cpu", marked, "-o", marked + ".gp"}).exitCode == 0);
  CodeletSet set;
  CHECK(set.addFile(marked, CodeletSourceKind::Auto, {"-DVALUE=3", "cpu"}, nullptr));
  CHECK(valueOf(set, "Marked") == 3);
}

TEST_CASE("popc shows what it compiles") {
  const std::string source = writeSource("popc_view.cpp", sourceOf("Seen"));
  const ProcessResult text = popc({"-E", "-DVALUE=17", source});
  REQUIRE_MESSAGE(text.exitCode == 0, text.errors);
  CHECK(text.output.find("*o = 17") != std::string::npos);
  const ProcessResult host = popc({"-S", "-DVALUE=17", source}),
                      tile = popc({"--emit-asm", "--target", "ipu2", "-DVALUE=17", source});
  CHECK(host.output.find("Seen") != std::string::npos);
  CHECK(host.output != tile.output);
  CHECK(tile.output.find("popscope_entry_0") != std::string::npos);
  CHECK(popc({"--emit-llvm", "-DVALUE=17", source}).output.find("target triple") != std::string::npos);
  CHECK(popc({"-c", "--target=ipu1", "-DVALUE=17", source, "-o", source + ".o"}).exitCode == 0);
  std::ifstream object(source + ".o", std::ios::binary);
  std::string head(4, ' ');
  object.read(head.data(), 4);
  CHECK(head == "\177ELF");
  const std::string inC = writeSource("popc_view.c", "int twice(int x) { return 2 * x; }\n");
  for (const char *target : {"cpu", "ipu2"}) {
    const ProcessResult assembly = popc({"-S", "--target", target, inC});
    CHECK_MESSAGE(assembly.exitCode == 0, assembly.errors);
    CHECK(assembly.output.find("twice:") != std::string::npos);
  }
}

TEST_CASE("popc shows a source without its functions that only a tile can run, as it compiles it") {
  const std::string source = writeSource(
      "popc_view_tile.cpp", sourceOf("Seen") + "struct Assembly : poplar::Vertex { poplar::Output<float> o;\n"
                                               "  bool compute() {\n"
                                               "    *o = static_cast<float>(__builtin_ipu_tapack(&*o, &*o, &*o));\n"
                                               "    return true; } };\n");
  CHECK(popc({"-DVALUE=17", source, "-o", source + ".gp"}).exitCode == 0);
  for (const char *target : {"cpu", "ipu2"})
    for (const char *view : {"-S", "--emit-llvm"}) {
      CAPTURE(target);
      CAPTURE(view);
      const ProcessResult shown = popc({view, "--target", target, "-DVALUE=17", source});
      CHECK_MESSAGE(shown.exitCode == 0, shown.errors);
      CHECK(shown.errors.find("popc_view_tile.cpp:") != std::string::npos);
      CHECK(shown.errors.find("only a tile can run this") != std::string::npos);
      CHECK(shown.output.find(target == std::string("cpu") ? "Seen" : "popscope_entry_0") != std::string::npos);
    }
}

TEST_CASE("popc refuses views that cannot be shown") {
  const std::string source = writeSource("popc_no_view.cpp", sourceOf("Seen"));
  CHECK(popc({"-c", "-DVALUE=1", source}).exitCode == 2);
  CHECK(popc({"-E", "-S", "-DVALUE=1", source}).exitCode == 2);
  CHECK(popc({"-S", "--target", "ipu1,ipu2", "-DVALUE=1", source}).exitCode == 2);
  CHECK(popc({"-S", "-DVALUE=1", source, source}).exitCode == 2);
  CHECK(popc({"-S", source}).exitCode == 1); // VALUE is not defined
}

TEST_CASE("a graph object tells its classes and the hash of their source without loading code") {
  const std::string source = writeSource("popc_told.cpp", sourceOf("Told"));
  REQUIRE(popc({"--target", "ipu1,ipu2", "-DVALUE=1", source, "-o", source + ".gp"}).exitCode == 0);
  std::string bytes = readFile(source + ".gp").value_or("");
  std::vector<std::string> targets;
  const std::vector<GraphObjectEntry> entries = readGraphObject("told.gp", bytes, "ipu2", false, targets);
  REQUIRE(entries.size() == 1);
  CHECK(targets == std::vector<std::string>{"ipu1", "ipu2"});
  CHECK(entries[0].text.empty());
  CHECK(entries[0].sourceHash == ContentHash().add(sourceOf("Told")).hex());
  CHECK(entries[0].classes.find(R"("name":"Told")") != std::string::npos);
  CHECK(entries[0].classes.find(R"("stateBytes":4)") != std::string::npos);
  // A description that belongs to other code must be refused.
  std::vector<GraphObjectEntry> holed = readGraphObject("told.gp", bytes);
  for (GraphObjectEntry &entry : holed)
    entry.classes[entry.classes.find(R"("name":"Told")") + 8] = 'H';
  bytes = writeGraphObject(holed);
  CodeletSet set;
  CHECK_THROWS_WITH_AS(
      set.addFile(writeSource("holed.gp", bytes), CodeletSourceKind::Auto, {"", "ipu2", true}, nullptr),
      doctest::Contains("does not match its code"), poplar::graph_object_load_error);
  CHECK(set.size() == 0);
}

TEST_CASE("flags that need a runtime library of the compiler are refused by name") {
  const std::string source = writeSource("popc_runtime.cpp", sourceOf("Runtime"));
  for (const std::string flag :
       {"-fsanitize=undefined", "-fsanitize=address", "-fsanitize=thread", "-fprofile-arcs", "-fprofile-generate",
        "-fprofile-instr-generate", "-fcoverage-mapping", "-fsanitize-coverage=trace-pc-guard"}) {
    const ProcessResult result =
        popc({flag, "-DVALUE=1", source, "-o", source + ".gp", "--target", R"(["cpu", "ipu2"])"});
    CHECK_MESSAGE(result.exitCode == 1, flag);
    CHECK_MESSAGE(result.errors.find("'" + flag + "'") != std::string::npos, result.errors);
    CHECK_MESSAGE(result.errors.find("runtime library") != std::string::npos, result.errors);
    CHECK(result.errors.back() == '\n');
    CHECK_THROWS_WITH_AS(codeletsOf("", flag), doctest::Contains(flag.c_str()),
                         poplar::graph_program_compilation_error);
  }
  CHECK(popc({"-fno-sanitize=all", "-DVALUE=1", source, "-o", source + ".gp"}).exitCode == 0);
}

TEST_CASE("flags with which the compiler writes no machine code are refused by name") {
  const std::string source = writeSource("popc_no_object.cpp", sourceOf("NoObject"));
  for (const std::vector<std::string> &flags :
       {std::vector<std::string>{"-fsyntax-only"}, {"-flto"}, {"-flto=thin"}, {"-Xclang", "-ast-dump"}}) {
    std::vector<std::string> words = {"-DVALUE=1", source, "-o", source + ".gp", "--target", "cpu"};
    words.insert(words.end(), flags.begin(), flags.end());
    const ProcessResult result = popc(words);
    CHECK(result.exitCode == 1);
    CHECK_MESSAGE(result.errors == "popc: " + source + ": codelets cannot be compiled with the flag '" + flags.back() +
                                       "': with it, the compiler writes no machine code; leave out the flag\n",
                  result.errors);
  }
  for (const char *flag : {"-E", "-emit-llvm"})
    CHECK_THROWS_WITH_AS(codeletsOf("", flag), doctest::Contains(flag), poplar::graph_program_compilation_error);
  CHECK(popc({"-fno-lto", "-DVALUE=1", source, "-o", source + ".gp", "--target", "cpu"}).exitCode == 0);
}

TEST_CASE("popc tells an empty list of targets from a text that is not a list") {
  const std::string source = writeSource("popc_targets.cpp", sourceOf("Targets"));
  const auto errors = [&](const std::string &list) {
    return popc({"--target", list, "-DVALUE=1", source, "-o", source + ".gp"}).errors;
  };
  CHECK(errors("[]").find("the list is empty") != std::string::npos);
  CHECK(errors("[").find("it is not a JSON list") != std::string::npos);
}

TEST_SUITE_END();
