// Many sources with the same flags share processes of the compiler; each gets the same result as when it is compiled
// alone.
#include "graph/codelets/CompileLibrary.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <doctest/doctest.h>
#include <exception>
#include <poplar/exceptions.hpp>

using namespace popscope;
using namespace popscope::test;

namespace {

constexpr int kSources = 12; // several sources per process, with one thread and with two

CodeletJob jobOf(const std::string &text, const std::string &flags = "",
                 const std::vector<CodeletTarget> &targets = {{"ipu1"}}) {
  return {{"<together>", text, "", false}, flags, targets, true};
}

/// Returns sources of several kinds, all different.
std::vector<CodeletJob> manyJobs(const std::string &flags = "") {
  std::vector<CodeletJob> jobs;
  for (int i = 0; i != kSources; ++i) {
    const std::string n = std::to_string(i);
    const std::string texts[] = {
        vertexText("Plain" + n, n), "#include <cmath>\n" + vertexText("Calls" + n, "std::tanh(" + n + ".5f)"),
        "#include <poplar/HalfFloat.hpp>\n" + vertexText("Halves" + n, "float(half(" + n + ".1f) * half(3))"),
        vertexText("One" + n) + "namespace { const char *const names[] = {__FILE__, \"b\"}; }\n" +
            "template <class T> class Many" + n +
            " : public poplar::Vertex { public: poplar::InOut<poplar::Vector<T>> v; bool compute() { for (auto &x : v) "
            "x += names[0][0] + " +
            n + "; return true; } };\ntemplate class Many" + n + "<float>;\ntemplate class Many" + n + "<int>;\n"};
    jobs.push_back(jobOf(texts[i % 4], flags));
  }
  return jobs;
}

struct Outcome {
  std::string host, standIn, warnings, error;
  bool operator==(const Outcome &) const = default;
};

Outcome outcomeOf(const CompiledSource &source) {
  Outcome outcome;
  try {
    if (source.error)
      std::rethrow_exception(source.error);
    outcome = {readFile(source.libraries.front().sharedObject).value_or(""),
               readFile(source.libraries.front().standInImage).value_or(""), source.libraries.front().warnings, ""};
  } catch (const poplar::poplar_error &e) {
    outcome.error = e.what();
  }
  return outcome;
}

std::vector<Outcome> together(const std::vector<CodeletJob> &jobs, Threads threads) {
  std::vector<Outcome> outcomes;
  for (const CompiledSource &source : compileLibraries(jobs, threads))
    outcomes.push_back(outcomeOf(source));
  return outcomes;
}

std::vector<Outcome> alone(const std::vector<CodeletJob> &jobs) {
  std::vector<Outcome> outcomes;
  for (const CodeletJob &job : jobs)
    outcomes.push_back(outcomeOf(compileLibraries({job}, Threads{1}).front()));
  return outcomes;
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("sources that are compiled together become what each becomes alone") {
  const std::vector<CodeletJob> jobs = manyJobs();
  std::vector<Outcome> apart;
  {
    const CountedCompiler compiler;
    apart = alone(jobs);
    CHECK(compiler.runs() >= 2 * kSources);
  }
  for (const Outcome &outcome : apart) {
    CHECK_FALSE(outcome.host.empty());
    CHECK_FALSE(outcome.standIn.empty());
  }
  for (const unsigned threads : {1u, 2u}) {
    const CountedCompiler compiler; // counts only the drivers
    CHECK(together(jobs, Threads{threads}) == apart);
    CHECK(compiler.runs() < kSources);
  }
}

TEST_CASE("flags that make the compiler write more are not for several sources at once") {
  const CountedCompiler compiler;
  for (const Outcome &outcome : together(manyJobs("-ftime-report"), Threads{1}))
    CHECK_FALSE(outcome.standIn.empty());
  CHECK(compiler.runs() >= 2 * kSources);
}

TEST_CASE("of sources that are compiled together each has its own errors and warnings") {
  std::vector<CodeletJob> jobs = manyJobs("-Wall");
  jobs[2].source.text += "static int unused2;\n";
  jobs[5].source.text += "int f() { return nothing; }\n";
  jobs[7].source.text += "static_assert(sizeof(int) == 5, \"late\");\ntemplate <class T> int g(T t) { return t.x; }\n"
                         "int h() { return g(3); }\n";
  jobs[9].source.text += "static int unused9;\n";
  jobs[10].source.text += "#ifdef __riscv\n#error not for the stand-in\n#endif\n";
  std::vector<Outcome> apart;
  {
    const CountedCompiler compiler;
    apart = alone(jobs);
  }
  CHECK(apart[2].warnings.find("unused2") != std::string::npos);
  CHECK(apart[5].error.find("nothing") != std::string::npos);
  CHECK(apart[7].error.find("late") != std::string::npos);
  CHECK((apart[10].standIn.empty() && !apart[10].host.empty()));
  const CountedCompiler compiler;
  const std::vector<Outcome> both = together(jobs, Threads{1});
  for (std::size_t i = 0; i != jobs.size(); ++i) {
    CAPTURE(i);
    CHECK(both[i].error == apart[i].error);
    CHECK(both[i].warnings == apart[i].warnings);
    CHECK(both[i] == apart[i]);
  }
}

TEST_CASE("of sources that are compiled together those are compiled anew whose header has changed") {
  const CountedCompiler compiler;
  const auto header = [](int i, int value) {
    return writeSource("together" + std::to_string(i) + ".hpp",
                       "static const float value = " + std::to_string(value) + ";\n");
  };
  std::vector<CodeletJob> jobs;
  for (int i = 0; i != kSources; ++i) {
    const std::string include = "#include \"" + header(i, i) + "\"\n", name = "Reads" + std::to_string(i);
    // The parser sees the same text as the host's compiler.
    jobs.push_back(jobOf(i == 8 ? "#ifdef __riscv\n" + include + "#else\nstatic const float value = 1;\n#endif\n" +
                                      vertexText(name, "value")
                                : include + vertexText(name, "value")));
  }
  const std::vector<Outcome> before = together(jobs, Threads{1});
  const long runs = compiler.runs();
  CHECK(together(jobs, Threads{1}) == before);
  CHECK(compiler.runs() == runs);
  header(3, 100);
  const std::vector<Outcome> after = together(jobs, Threads{1});
  CHECK(compiler.runs() == runs + 2); // one source, for host and stand-in
  for (std::size_t i = 0; i != jobs.size(); ++i)
    CHECK((after[i].standIn == before[i].standIn) == (i != 3));
  header(8, 200); // a header that only the stand-in's compiler reads
  const std::vector<Outcome> last = together(jobs, Threads{1});
  for (std::size_t i = 0; i != jobs.size(); ++i)
    CHECK((last[i].standIn == after[i].standIn) == (i != 8));
}

TEST_CASE("of sources that are compiled together those that tell targets apart are compiled for each") {
  const CountedCompiler compiler;
  std::vector<CodeletJob> jobs = manyJobs();
  for (CodeletJob &job : jobs)
    job.targets = {CodeletTarget{"ipu1"}, CodeletTarget{"ipu2"}};
  jobs[4].source.text = "#include <poplar/AvailableVTypes.h>\n#ifdef VECTOR_AVAIL_SCALED_PTR64\n#define NUMBER 64\n"
                        "#else\n#define NUMBER 0\n#endif\n" +
                        vertexText("Tells", "NUMBER");
  const std::vector<CompiledSource> compiled = compileLibraries(jobs, Threads{1});
  for (std::size_t i = 0; i != jobs.size(); ++i) {
    REQUIRE_FALSE(compiled[i].error);
    CHECK((compiled[i].libraries[0].sharedObject == compiled[i].libraries[1].sharedObject) == (i != 4));
  }
}

TEST_CASE("sources behind a damaged precompiled header are compiled all the same") {
  const CountedCompiler compiler;
  const std::vector<CodeletJob> jobs = manyJobs();
  const std::vector<Outcome> before = together(jobs, Threads{1});
  for (const auto &entry : std::filesystem::recursive_directory_iterator(compiler.cache()))
    if (entry.path().extension() == ".pch")
      writeFile(entry.path().string(), "damaged");
    else if (entry.path().extension() == ".json")
      std::filesystem::remove(entry.path());
  CHECK(together(jobs, Threads{1}) == before);
}

TEST_SUITE_END();
