#include "engine/compile/WriteFiles.hpp"

#include "base/Check.hpp"
#include "base/CsvField.hpp"
#include "base/DebugSites.hpp"
#include "base/TerminalText.hpp"
#include "base/Utf8.hpp"
#include "base/WholeFile.hpp"
#include "graph/codelets/ContentHash.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <system_error>
#include <tuple>

namespace popscope {
namespace {

/// Writes a file. Throws if the path cannot be opened, because this is the user's mistake. If there is no space, or no
/// permission in the report's folder, the program continues without the file.
void writeFile(const char *option, const std::string &path, const std::string &text, bool inReport) {
  try {
    writeWholeFile(path, text);
  } catch (const std::system_error &e) {
    const int cause = e.code().value();
    if (!(inReport ? isRefusal(cause) : isLackOfRoom(cause)))
      throw poplar::invalid_option(
          fmt::format("engine option \"{}\": the file '{}' cannot be written ({}); name one in a folder that can be "
                      "written",
                      option, path, e.code().message()));
    printMessage(
        fmt::format("Popscope: {} is not written ({} bytes): {}. A file that had this name stays; the program goes on.",
                    path, text.size(), e.code().message()));
  }
}

/// Returns the text in at most 200 bytes. A longer text is cut behind a character, and gets a hash of the whole text.
std::string shortName(const std::string &text) {
  constexpr std::size_t kMost = 200, kHash = 16;
  if (text.size() <= kMost)
    return text;
  std::size_t end = kMost - kHash - 1;
  for (int i = 0; i < 3 && isContinuation(text[end]); ++i)
    --end;
  return text.substr(0, end) + "." + ContentHash().add(text).hex().substr(0, kHash);
}

/// Returns the folders for the name of a debug context, without "..", so that no name leads to a folder outside.
std::filesystem::path foldersOf(std::string name) {
  constexpr std::size_t kMostInAll = 1000; // bytes; a whole path may have at most 4,096
  if (name.size() > kMostInAll)
    std::replace(name.begin(), name.end(), '/', '_');
  std::filesystem::path folders;
  for (const std::filesystem::path &part : std::filesystem::path(name).relative_path())
    if (part != "..")
      folders /= shortName(part.string());
  return folders;
}

} // namespace

std::string reportPath(const EngineSettings &settings, const char *file) {
  std::filesystem::path folder = settings.reportDirectory.empty() ? "." : settings.reportDirectory;
  if (const std::filesystem::path inner = foldersOf(settings.files.subfolder); !inner.empty())
    folder /= inner;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error)
    return (folder / file).string();
  if (!isRefusal(error.value()))
    throw poplar::invalid_option(
        fmt::format("autoReport.directory '{}' cannot be created: {}; name a folder that can be "
                    "written",
                    folder.string(), error.message()));
  printMessage(fmt::format("Popscope: {} is not written: the folder cannot be created: {}. The program goes on.",
                           (folder / file).string(), error.message()));
  return "";
}

void writeGraphFiles(const EngineSettings &settings, const poplar::Graph &graph,
                     poplar::ArrayRef<poplar::program::Program> programs) {
  if (!settings.files.vertexGraph.empty()) {
    std::ostringstream dot;
    graph.outputVertexGraph(dot, programs);
    writeFile("target.saveOutputVertexGraph", settings.files.vertexGraph, dot.str(), false);
  }
  if (settings.files.serializedGraph) {
    std::ostringstream bytes;
    graph.serialize(bytes, programs, poplar::SerializationFormat::SCHEMA);
    if (const std::string path = reportPath(settings, "serialized_graph.bin"); !path.empty())
      writeFile("autoReport.outputSerializedGraph", path, bytes.str(), true);
  }
}

std::vector<poplar::ProfileValue::Map> debugSiteRecords(const CompiledProgram &compiled) {
  // A program without a name takes the name of the compute set that it executes. A program gets no name if its context
  // also belongs to a program with children: programs without a known place share their parent's context.
  std::map<poplar::DebugId, std::string> names;
  std::set<poplar::DebugId> around;
  for (std::size_t s = 0; s < compiled.program.contexts.size(); ++s)
    if (const poplar::DebugId id = compiled.program.contexts[s]; isDebugSite(id)) {
      std::string &name = names[id];
      if (compiled.program.steps[StepIndex(static_cast<std::uint32_t>(s))].end > s + 1)
        around.insert(id);
      if (const ProgramRecord &step = compiled.record.programs.at(s);
          name.empty() && around.count(id) == 0 && step.type == "OnTileExecute")
        name = step.name;
    }
  for (const StepContext &merged : compiled.program.moreContexts)
    if (isDebugSite(merged.context))
      names[merged.context]; // merged programs have the names of their own constructors
  std::vector<poplar::ProfileValue::Map> records;
  for (const auto &[id, executed] : names) {
    const std::optional<DebugSite> site = debugSite(id);
    POPSCOPE_CHECK(site.has_value(), "no debug site {}", id);
    poplar::ProfileValue::Map record, location;
    record.emplace("id", id);
    record.emplace("parentId", poplar::DebugId(0));
    record.emplace("layer", "poplar");
    record.emplace("category", "program");
    record.emplace("name", site->name.empty() ? executed : site->name);
    location.emplace("functionName", site->function);
    location.emplace("fileName", site->file);
    location.emplace("lineNumber", site->line);
    if (!site->file.empty())
      record.emplace("location", std::move(location));
    records.push_back(std::move(record));
  }
  return records;
}

void writePassDump(const EngineSettings &settings, const char *pass, const std::function<std::string()> &text) {
  const std::vector<std::string> &asked = settings.files.dumpedPasses;
  if (std::find(asked.begin(), asked.end(), pass) == asked.end())
    return;
  const auto *const at = std::find(kLoweringPasses.begin(), kLoweringPasses.end(), std::string_view(pass));
  const std::string file = fmt::format("steps-{:02}-{}.txt", at - kLoweringPasses.begin() + 1, pass);
  if (const std::string path = reportPath(settings, file.c_str()); !path.empty())
    writeFile("popscope.dump", path, text(), true);
}

void writeLoweredVariables(const CompiledProgram &compiled) {
  const std::string &path = compiled.settings.files.loweredVariables;
  if (path.empty())
    return;
  std::vector<LoweredVariableRecord> rows;
  compiled.rows->loweredVariables(
      [&](std::span<const LoweredVariableRecord> some) { rows.insert(rows.end(), some.begin(), some.end()); });
  std::stable_sort(rows.begin(), rows.end(), [](const LoweredVariableRecord &a, const LoweredVariableRecord &b) {
    return std::tie(a.tile, a.offset) < std::tie(b.tile, b.offset);
  });
  std::string text = "name,tile,address,bytes,alignment,category,alwaysLive,overlapped\n";
  for (const LoweredVariableRecord &v : rows)
    text += fmt::format("{},{},{},{},{},{},{},{}\n", csvText(compiled.record.variableNames[v.name]), v.tile,
                        v.offset.count(), v.bytes.count(), v.alignment, storageCategoryKey(v.category),
                        v.alwaysLive ? 1 : 0, v.overlapped ? 1 : 0);
  writeFile("debug.loweredVarDumpFile", path, text, false);
}

} // namespace popscope
