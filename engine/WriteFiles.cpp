#include "engine/WriteFiles.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <tuple>

namespace popscope {
namespace {

void writeFile(const char *option, const std::string &path, const std::string &text) {
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out)
    throw poplar::invalid_option(fmt::format("engine option \"{}\": the file '{}' cannot be written; name one in a folder that can be "
                                             "written",
                                             option, path));
}

/// Names may hold commas and quotes.
std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

} // namespace

void writeGraphFiles(const EngineSettings &settings, const poplar::Graph &graph, poplar::ArrayRef<poplar::program::Program> programs) {
  if (!settings.files.vertexGraph.empty()) {
    std::ostringstream dot;
    graph.outputVertexGraph(dot, programs);
    writeFile("target.saveOutputVertexGraph", settings.files.vertexGraph, dot.str());
  }
  if (settings.files.serializedGraph) {
    std::ostringstream bytes;
    graph.serialize(bytes, programs, poplar::SerializationFormat::SCHEMA);
    const std::filesystem::path folder = settings.reportDirectory.empty() ? "." : settings.reportDirectory;
    std::error_code error; // writing says what is wrong
    std::filesystem::create_directories(folder, error);
    writeFile("autoReport.outputSerializedGraph", (folder / "serialized_graph.bin").string(), bytes.str());
  }
}

void writeLoweredVariables(const CompiledProgram &compiled) {
  const std::string &path = compiled.settings.files.loweredVariables;
  if (path.empty())
    return;
  std::vector<const LoweredVariableRecord *> rows;
  for (const LoweredVariableRecord &v : compiled.record.loweredVariables)
    rows.push_back(&v);
  std::stable_sort(rows.begin(), rows.end(), [](const LoweredVariableRecord *a, const LoweredVariableRecord *b) {
    return std::tie(a->tile, a->offset) < std::tie(b->tile, b->offset);
  });
  std::string text = "name,tile,address,bytes,alignment,category,alwaysLive,overlapped\n";
  for (const LoweredVariableRecord *v : rows)
    text += fmt::format("{},{},{},{},{},{},{},{}\n", quoted(v->name), v->tile, v->offset, v->bytes, v->alignment, v->category,
                        v->alwaysLive ? 1 : 0, v->overlapped ? 1 : 0);
  writeFile("debug.loweredVarDumpFile", path, text);
}

} // namespace popscope
