// Graph::addCodelets in all its forms.
#include "base/ReadOwnBytes.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <fmt/format.h>
#include <istream>

using popscope::CodeletSourceKind;
using popscope::GraphAccess;
using popscope::GraphShared;

namespace popscope {
namespace {

CodeletOptions optionsFor(const GraphShared &graph, poplar::StringRef flags, poplar::StringRef targetName) {
  CodeletOptions options;
  const bool isCpu = graph.ir.machine.kind == DeviceKind::Cpu;
  options.flags = flags.cloneAsString();
  options.target = !targetName.empty() ? targetName.cloneAsString() : isCpu ? "cpu" : graph.ir.machine.architecture;
  options.halfAsFloat = halfIsFloat(graph.ir.machine);
  options.standIn = !isCpu; // a CPU target has no profile, so no sizes and cycles are needed
  return options;
}

} // namespace

int vertexClassIndex(GraphShared &graph, const std::string &name) {
  const int index = graph.ir.codelets.indexOf(name);
  return index < 0 && graph.ir.codelets.addRuntimeVertices(name, optionsFor(graph, "", ""))
             ? graph.ir.codelets.indexOf(name)
             : index;
}

const VertexClass *findVertexClass(GraphShared &graph, const std::string &name) {
  if (const VertexClass *known = graph.ir.codelets.find(name))
    return known;
  GraphShared::RuntimeClasses &runtime = graph.runtimeClasses;
  const std::scoped_lock lock(runtime.mutex);
  runtime.set.addRuntimeVertices(name, optionsFor(graph, "", ""));
  return runtime.set.find(name);
}

} // namespace popscope

namespace poplar {

namespace {

using popscope::optionsFor;

CodeletSourceKind kindOf(CodeletFileType type) {
  switch (type) {
  case CodeletFileType::PreprocessedAsmSource: return CodeletSourceKind::PreprocessedAsm;
  case CodeletFileType::AsmSource: return CodeletSourceKind::Asm;
  case CodeletFileType::IrSource: return CodeletSourceKind::Ir;
  case CodeletFileType::CSource: return CodeletSourceKind::C;
  case CodeletFileType::CppSource: return CodeletSourceKind::Cpp;
  case CodeletFileType::Object: return CodeletSourceKind::GraphObject;
  case CodeletFileType::Auto: break;
  }
  return CodeletSourceKind::Auto;
}

bool addFile(const Graph &graph, const std::string &path, CodeletFileType type, StringRef flags, StringRef targetName,
             std::ostream *output) {
  GraphShared &shared = *GraphAccess::shared(graph);
  return shared.ir.codelets.addFile(path, kindOf(type), optionsFor(shared, flags, targetName), output);
}

void addText(const Graph &graph, const std::stringstream &text, CodeletFileType type, StringRef flags,
             StringRef targetName, std::ostream *output) {
  GraphShared &shared = *GraphAccess::shared(graph);
  const CodeletFileType language = type == CodeletFileType::Auto ? CodeletFileType::CppSource : type;
  shared.ir.codelets.addSource(text.str(), kindOf(language), optionsFor(shared, flags, targetName), output);
}

} // namespace

bool Graph::addCodelets(StringRef src, CodeletFileType type, StringRef compileFlags, StringRef targetName) {
  return addFile(*this, src, type, compileFlags, targetName, nullptr);
}

bool Graph::addCodelets(StringRef src, CodeletFileType type, StringRef compileFlags, std::ostream &compileOutput,
                        StringRef targetName) {
  return addFile(*this, src, type, compileFlags, targetName, &compileOutput);
}

bool Graph::addCodelets(StringRef src, std::ostream &compileOutput, CodeletFileType type, StringRef compileFlags,
                        StringRef targetName) {
  return addFile(*this, src, type, compileFlags, targetName, &compileOutput);
}

bool Graph::addCodelets(ArrayRef<std::string> xs, StringRef compileFlags, StringRef targetName) {
  bool added = false;
  for (const std::string &path : xs)
    added = addCodelets(path, CodeletFileType::Auto, compileFlags, targetName) || added;
  return added;
}

void Graph::addCodelets(std::stringstream &stream, StringRef compileFlags, CodeletFileType type, StringRef targetName) {
  addText(*this, stream, type, compileFlags, targetName, nullptr);
}

void Graph::addCodelets(std::stringstream &stream, std::ostream &compileOutput, StringRef compileFlags,
                        CodeletFileType type, StringRef targetName) {
  addText(*this, stream, type, compileFlags, targetName, &compileOutput);
}

void Graph::addCodelets(std::stringstream &stream, StringRef compileFlags, std::ostream &compileOutput,
                        CodeletFileType type, StringRef targetName) {
  addText(*this, stream, type, compileFlags, targetName, &compileOutput);
}

void Graph::addCodeletPlaceholder(std::istream &in) {
  GraphShared &shared = *GraphAccess::shared(*this);
  shared.ir.codelets.addSource(popscope::readRest(in), CodeletSourceKind::GraphObject, optionsFor(shared, "", ""),
                               nullptr);
}

} // namespace poplar
