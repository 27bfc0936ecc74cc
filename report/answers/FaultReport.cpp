#include "report/answers/FaultReport.hpp"

#include "base/Version.hpp"

#include <fstream>
#include <sys/utsname.h>
#include <thread>

namespace popscope {
namespace {

#if defined(__clang__)
constexpr const char *kCompiler = "clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char *kCompiler = "gcc " __VERSION__;
#else
constexpr const char *kCompiler = "unknown";
#endif

/// Returns the value of `key` in a file of lines "key : value" or "KEY=value". Returns "" if there is no such line.
std::string valueIn(const char *file, const std::string &key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t from = line.rfind(key, 0) == 0 ? line.find_first_of(":=", key.size()) : std::string::npos;
    const std::size_t value = from == std::string::npos ? from : line.find_first_not_of(" \t\"", from + 1);
    if (value != std::string::npos)
      return line.substr(value, line.find_last_not_of(" \t\"") + 1 - value);
  }
  return "";
}

Cell known(const std::string &text) { return text.empty() ? Cell(Unknown()) : Cell(text); }

void addSystem(Rows &rows) {
  rows.fact("popscope", std::string(kOwnVersion));
  rows.fact("interface", std::string(kInterfaceVersion));
  rows.fact("compiler", std::string(kCompiler));
  rows.fact("language", std::uint64_t(__cplusplus), Unit::Id);
#ifdef NDEBUG
  rows.fact("build", std::string("release"));
#else
  rows.fact("build", std::string("with assertions"));
#endif
  utsname system{};
  const bool told = ::uname(&system) == 0;
  rows.fact("system", known(told ? std::string(system.sysname) + " " + system.release + " " + system.machine : ""));
  rows.fact("distribution", known(valueIn("/etc/os-release", "PRETTY_NAME")));
  rows.fact("processor", known(valueIn("/proc/cpuinfo", "model name")));
  rows.fact("threads", std::uint64_t(std::thread::hardware_concurrency()));
  rows.fact("memory", known(valueIn("/proc/meminfo", "MemTotal")));
  rows.lines = {"Popscope {popscope}, for the interface of Poplar {interface}; built by {compiler}, {build}.",
                "System: {system}; {distribution}; {processor}, {threads:thread}, {memory} of memory."};
}

void addProfile(const pva::Report &report, Rows &rows) {
  const pva::Target target = report.compilation().target();
  const pva::Graph graph = report.compilation().graph();
  rows.fact("writer", versionForPeople(report.poplarVersion().string()));
  rows.fact("format", report.version().majorVer());
  rows.fact("complete", report.popscope().complete());
  rows.fact("machine", target.architectureName());
  rows.fact("ipus", target.numIPUs());
  rows.fact("replicas", target.numReplicas());
  rows.fact("tiles", target.numTiles(), Unit::Tiles);
  rows.fact("tileMemory", target.bytesPerTile(), Unit::Bytes);
  rows.fact("vertices", graph.numVertices(), Unit::Vertices);
  rows.fact("edges", graph.numEdges());
  rows.fact("computeSets", graph.numComputeSets());
  rows.fact("recordedRuns", std::uint64_t(report.execution().runs().size()));
  rows.lines.emplace_back(
      "Profile: written by {writer}, format {format}, complete: {complete}; {recordedRuns:recorded run}.");
  rows.lines.emplace_back("Machine: {machine}, {ipus:IPU}, {replicas:replica}, {tiles} of {tileMemory}; {vertices}, "
                          "{edges:edge}, {computeSets:compute set}.");
  Table options{
      "options", "Options that are not the default", {{"scope", "Of"}, {"option", "Option"}, {"value", "Value"}}};
  for (const auto &list : {report.compilation().engineOptions(), report.compilation().targetOptions()})
    for (const pva::Option &option : list)
      if (!option.isDefault)
        options.rows.push_back({option.scope, option.key, option.value});
  rows.tables.push_back(std::move(options));
  for (const auto &w : report.popscope().warnings())
    rows.notes.emplace_back("the compiler said: " + w.about + " " + w.text);
}

} // namespace

Rows collectFaultReport(const Request &request) {
  Rows rows("info");
  rows.counted = false;
  addSystem(rows);
  if (request.profile.empty()) {
    rows.next = {"popscope info --help"};
    return rows;
  }
  addProfile(request.report, rows);
  suggest(rows, request, "info");
  return rows;
}

} // namespace popscope
