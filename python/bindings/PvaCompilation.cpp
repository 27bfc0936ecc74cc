// The compilation part of package pva: targets, memory of tiles, programs and liveness.
#include "python/bindings/Bind.hpp"

namespace popscope::python {
namespace {

/// Returns the pairs (name, Category) in the order of storageCategoryNames().
py::list categoryPairs(const pva::Categories &categories) {
  py::list pairs;
  const std::vector<std::string> names = pva::storageCategoryNames();
  for (std::size_t i = 0; i < names.size(); ++i)
    pairs.append(py::make_tuple(names[i], categories.byIndex(i)));
  return pairs;
}

pva::Variable unloweredVar(const pva::LoweredVariable &variable) {
  if (variable.hasUnloweredVar())
    return variable.unloweredVar();
  PyErr_SetString(PyExc_LookupError, "code and system data have no unlowered variable; ask hasUnloweredVar first");
  throw py::error_already_set();
}

/// Calls the visitor's method for the program's type by name, because a Python visitor is not a pva::ProgramVisitor.
void accept(const py::object &self, const py::object &visitor) {
  if (!py::isinstance(visitor, record("ProgramVisitor")))
    throw py::type_error("accept: the visitor must derive from pva.ProgramVisitor");
  const auto type = self.cast<const pva::Program &>().type();
  if (type != pva::Program::Type::Unknown)
    visitor.attr(("visit" + pva::programTypeName(type)).c_str())(self);
}

/// The docstring of classes for types of programs that Popscope's compiler never creates.
constexpr const char *kNeverMade =
    "Exists for scripts that name this type of program; Popscope's compiler creates none.";

template <class T> void program(py::module_ &m, const char *name, const char *doc = kNeverMade) {
  py::class_<T, pva::Program, std::shared_ptr<T>>(m, name, doc);
}
template <class T> void exchange(py::module_ &m, const char *name, const char *doc) {
  py::class_<T, pva::ExchangeProgram, std::shared_ptr<T>>(m, name, doc);
}

void bindMemory(py::module_ &m) {
  handle<pva::Categories>(m, "Categories",
                          "The storage categories of a tile by name; `list(categories)` gives (name, Category) pairs.")
      .def("byIndex", byIndex(&pva::Categories::byIndex), py::arg("index"),
           "Extension: a category by its position in storageCategoryNames().")
      .def("__iter__", [](const pva::Categories &c) { return py::iter(categoryPairs(c)); })
      .def_property_readonly("constant", &pva::Categories::constant,
                             "Bytes of the storage category constant, a Category.")
      .def_property_readonly("controlCode", &pva::Categories::controlCode,
                             "Bytes of the storage category controlCode, a Category.")
      .def_property_readonly("controlId", &pva::Categories::controlId,
                             "Bytes of the storage category controlId, a Category.")
      .def_property_readonly("controlTable", &pva::Categories::controlTable,
                             "Bytes of the storage category controlTable, a Category.")
      .def_property_readonly("copyDescriptor", &pva::Categories::copyDescriptor,
                             "Bytes of the storage category copyDescriptor, a Category.")
      .def_property_readonly("globalExchangeCode", &pva::Categories::globalExchangeCode,
                             "Bytes of the storage category globalExchangeCode, a Category.")
      .def_property_readonly("globalExchangePacketHeader", &pva::Categories::globalExchangePacketHeader,
                             "Bytes of the storage category globalExchangePacketHeader, a Category.")
      .def_property_readonly("globalMessage", &pva::Categories::globalMessage,
                             "Bytes of the storage category globalMessage, a Category.")
      .def_property_readonly("hostExchangeCode", &pva::Categories::hostExchangeCode,
                             "Bytes of the storage category hostExchangeCode, a Category.")
      .def_property_readonly("hostExchangePacketHeader", &pva::Categories::hostExchangePacketHeader,
                             "Bytes of the storage category hostExchangePacketHeader, a Category.")
      .def_property_readonly("hostMessage", &pva::Categories::hostMessage,
                             "Bytes of the storage category hostMessage, a Category.")
      .def_property_readonly("instrumentationResults", &pva::Categories::instrumentationResults,
                             "Bytes of the storage category instrumentationResults, a Category.")
      .def_property_readonly("internalExchangeCode", &pva::Categories::internalExchangeCode,
                             "Bytes of the storage category internalExchangeCode, a Category.")
      .def_property_readonly("message", &pva::Categories::message, "Bytes of the storage category message, a Category.")
      .def_property_readonly("multiple", &pva::Categories::multiple,
                             "Bytes of the storage category multiple, a Category.")
      .def_property_readonly("outputEdge", &pva::Categories::outputEdge,
                             "Bytes of the storage category outputEdge, a Category.")
      .def_property_readonly("rearrangement", &pva::Categories::rearrangement,
                             "Bytes of the storage category rearrangement, a Category.")
      .def_property_readonly("sharedCodeStorage", &pva::Categories::sharedCodeStorage,
                             "Bytes of the storage category sharedCodeStorage, a Category.")
      .def_property_readonly("sharedDataStorage", &pva::Categories::sharedDataStorage,
                             "Bytes of the storage category sharedDataStorage, a Category.")
      .def_property_readonly("stack", &pva::Categories::stack, "Bytes of the storage category stack, a Category.")
      .def_property_readonly("variable", &pva::Categories::variable,
                             "Bytes of the storage category variable, a Category.")
      .def_property_readonly("vectorListDescriptor", &pva::Categories::vectorListDescriptor,
                             "Bytes of the storage category vectorListDescriptor, a Category.")
      .def_property_readonly("vertexCode", &pva::Categories::vertexCode,
                             "Bytes of the storage category vertexCode, a Category.")
      .def_property_readonly("vertexFieldData", &pva::Categories::vertexFieldData,
                             "Bytes of the storage category vertexFieldData, a Category.")
      .def_property_readonly("vertexInstanceState", &pva::Categories::vertexInstanceState,
                             "Bytes of the storage category vertexInstanceState, a Category.");
  auto vertexType = handle<pva::VertexType>(m, "VertexType", "A class of vertices. Equality and hash are by type.");
  comparable(vertexType)
      .def_property_readonly("name", &pva::VertexType::name, "The registered name, with template arguments.")
      .def_property_readonly("size", &pva::VertexType::size, "State bytes of one instance.")
      .def_property_readonly("instances", &pva::VertexType::instances, "Extension: number of vertices over all tiles.")
      .def_property_readonly(
          "memoryBytes", &pva::VertexType::memoryBytes,
          "Extension: state, field data and descriptors of all instances, and the code once per tile.")
      .def_property_readonly(
          "cycleProvenance", &pva::VertexType::cycleProvenance,
          "Extension: the source of its cycles: estimate, estimator, codelet, stand-in, runtime or \"\".")
      .def_property_readonly("_id", &pva::VertexType::_id);
  handle<pva::VertexOnTile>(m, "VertexOnTile", "Vertices of one type on one tile. Bytes.")
      .def_property_readonly("type", &pva::VertexOnTile::type, "The type of the vertices, a VertexType.")
      .def_property_readonly("count", &pva::VertexOnTile::count, "Instances on this tile.")
      .def_property_readonly("codeBytes", &pva::VertexOnTile::codeBytes,
                             "Code of this type on this tile, independent of the number of instances.")
      .def_property_readonly("vertexDataBytes", &pva::VertexOnTile::vertexDataBytes,
                             "Bytes of fields that are not edges.")
      .def_property_readonly("edgePtrBytes", &pva::VertexOnTile::edgePtrBytes,
                             "Bytes of pointers and lengths of edges.")
      .def_property_readonly("copyPtrBytes", &pva::VertexOnTile::copyPtrBytes, "Bytes of pointers of copy vertices.")
      .def_property_readonly("paddingBytes", &pva::VertexOnTile::paddingBytes,
                             "Bytes lost to alignment between fields.")
      .def_property_readonly("descriptorBytes", &pva::VertexOnTile::descriptorBytes,
                             "Bytes of descriptors of copies and of nested vectors.");
  handle<pva::TileMemory>(m, "TileMemory",
                          "Memory of one tile, bytes. All values are 0 if the target has no tile memory (CPU).")
      .def_property_readonly("total", &pva::TileMemory::total, "Bytes in all regions, a MemorySize.")
      .def_property_readonly("nonInterleaved", &pva::TileMemory::nonInterleaved,
                             "Bytes in the region below the interleaved one, a MemorySize.")
      .def_property_readonly("interleaved", &pva::TileMemory::interleaved,
                             "Bytes in the interleaved region, a MemorySize.")
      .def_property_readonly("overflowed", &pva::TileMemory::overflowed,
                             "Bytes past the end of the tile's memory, a MemorySize.")
      .def_property_readonly("alwaysLiveBytes", &pva::TileMemory::alwaysLiveBytes,
                             "Bytes occupied during the whole program.")
      .def_property_readonly("notAlwaysLiveBytes", &pva::TileMemory::notAlwaysLiveBytes,
                             "Maximum over the steps of the live bytes that are not always live.")
      .def_property_readonly("afterOverlappingBytes", &pva::TileMemory::afterOverlappingBytes,
                             "Extension: addresses occupied by overlapped allocations, bytes.")
      .def_property_readonly("lowerBoundOverlappedBytes", &pva::TileMemory::lowerBoundOverlappedBytes,
                             "Extension: peak of live bytes among the overlapped allocations.")
      .def_property_readonly("category", &pva::TileMemory::category, "Bytes by storage category, a Categories.")
      .def_property_readonly("occupiedByCategory", &pva::TileMemory::occupiedByCategory,
                             "Extension: number of addresses that each category occupies, in the order of "
                             "storageCategoryNames(). What several categories occupy at different times counts for "
                             "multiple alone, so the values add up to total.excludingGaps.")
      .def_property_readonly("vertices", &pva::TileMemory::vertices, "One entry per vertex type that the tile has.");
  handle<pva::Tile>(m, "Tile", "One tile of the target.")
      .def_property_readonly("memory", &pva::Tile::memory, "What occupies the memory of the tile, a TileMemory.");
  m.def("storageCategoryNames", pva::storageCategoryNames,
        "Extension: the 25 names, in the order of Categories.byIndex().");
}

void bindPrograms(py::module_ &m) {
  handle<pva::Program, std::shared_ptr<pva::Program>>(
      m, "Program", "One lowered program. Equality and hash depend on the program only, not on its list.")
      .def_property_readonly("name", &pva::Program::name, "Debug name, or \"\".")
      .def_property_readonly("type", &pva::Program::type, "The kind of the program, a Program.Type.")
      .def_property_readonly("children", &pva::Program::children, "The programs directly inside it, in program order.")
      .def_property_readonly("vars", &pva::Program::vars,
                             "Lowered variables that are not always live and whose memory is occupied at this program. "
                             "Empty without autoReport.outputLoweredVars.")
      .def_property_readonly("controlCodeByTile", &pva::Program::controlCodeByTile,
                             "Bytes of control code by tile, children included.")
      .def_property_readonly(
          "debugContextId", &pva::Program::debugContextId,
          "Extension: id of the DebugInfo in which it was created, or of an enclosing one; 0 = none or not known.")
      .def_property_readonly(
          "debugContext", &pva::Program::debugContext,
          "Extension: that DebugInfo from debug.cbor; a context with id 0 if there is none, or if the report has no "
          "debug information. Raises ProfileError, which names the path, if the debug information cannot be read.")
      .def_property_readonly("moreDebugContextIds", &pva::Program::moreDebugContextIds,
                             "Extension: ids of the DebugInfos of programs that the compiler merged into it, in "
                             "program order, in addition to debugContextId.")
      .def_property_readonly(
          "moreDebugContexts", &pva::Program::moreDebugContexts,
          "Extension: those of them that debug.cbor contains. Raises ProfileError as debugContext does.")
      .def_property_readonly("barriers", &pva::Program::barriers,
                             "Extension: the barriers that all tiles pass, in order: \"internal\", \"external\", "
                             "\"global\" (see Target.syncDelays).")
      .def_property_readonly("counterCyclesByTile", &pva::Program::counterCyclesByTile,
                             "Extension: cycles by tile of reading the counters of instrumentation after its work.")
      .def_property_readonly("counterStoresByTile", &pva::Program::counterStoresByTile,
                             "Extension: number of rounds of the workers in counterCyclesByTile.")
      .def(
          "__eq__", [](const pva::Program &a, const pva::Program &b) { return &a == &b; }, py::is_operator())
      .def("__hash__", [](const pva::Program &p) { return p._id(); })
      .def("accept", accept, py::arg("visitor"),
           "Calls the method of `visitor` for this program's type; does not descend into children.")
      .def_property_readonly("_id", &pva::Program::_id);
  handle<pva::ExchangeProgram, pva::Program, std::shared_ptr<pva::ExchangeProgram>>(m, "ExchangeProgram",
                                                                                    "A program with exchange code.")
      .def_property_readonly(
          "codeBytesByTile", &pva::ExchangeProgram::codeBytesByTile,
          "Bytes per tile of exchange code that no earlier program has. Their sum is the exchange code of the profile.")
      .def_property_readonly(
          "codeSharedWith", &pva::ExchangeProgram::codeSharedWith,
          "Extension: the program whose exchange code this one also executes; None = it has its own.")
      .def_property_readonly("estimatedCyclesByTile", &pva::ExchangeProgram::estimatedCyclesByTile,
                             "Compile-time estimate, cycles by tile; empty if there is none.")
      .def_property_readonly("bytesSentByTile", &pva::ExchangeProgram::bytesSentByTile, "Bytes by tile.")
      .def_property_readonly("bytesReceivedByTile", &pva::ExchangeProgram::bytesReceivedByTile, "Bytes by tile.")
      .def_property_readonly("messagesReceivedByTile", &pva::ExchangeProgram::messagesReceivedByTile,
                             "Extension: messages by tile, of an exchange.")
      .def_property_readonly(
          "receiveLatencyByTile", &pva::ExchangeProgram::receiveLatencyByTile,
          "Extension, of a DoExchange: cycles per tile until the first word of the furthest sender. On each tile: "
          "estimated cycles = max(ceil(bytes sent / width), latency + max(transfer, controls * cycles of a control))  "
          "with width = exchange.bytesPerCycle and exchange.controlCycles of CompilationReport.machineCosts.")
      .def_property_readonly("receiveTransferByTile", &pva::ExchangeProgram::receiveTransferByTile,
                             "Extension, of a DoExchange: cycles per tile in which the received words pass.")
      .def_property_readonly(
          "receiveControlsByTile", &pva::ExchangeProgram::receiveControlsByTile,
          "Extension, of a DoExchange: controls per tile: 2 for another sender, 1 for another address alone.")
      .def_property_readonly("receiveDistanceByTile", &pva::ExchangeProgram::receiveDistanceByTile,
                             "Extension, of a DoExchange: number of tiles to the furthest sender.")
      .def_property_readonly("messageSizesByTile", &pva::ExchangeProgram::messageSizesByTile,
                             "Extension, of a DoExchange: the sizes of the messages that a tile receives, as a "
                             "position in CompilationReport.messageSizes plus 1; 0 = nothing.")
      .def_property_readonly("linkTransfers", &pva::ExchangeProgram::linkTransfers,
                             "Extension, of a GlobalExchange: the transfers between IPUs.")
      .def_property_readonly("traffic", &pva::ExchangeProgram::traffic,
                             "Extension, of a DoExchange or a GlobalExchange within a replica: senders, receivers and "
                             "bytes. Empty if nothing moves.");
  handle<pva::OnTileExecuteProgram, pva::Program, std::shared_ptr<pva::OnTileExecuteProgram>>(m, "OnTileExecuteProgram",
                                                                                              "Executes a compute set.")
      .def_property_readonly("computeset", &pva::OnTileExecuteProgram::computeset, "The compute set that is executed.");
  handle<pva::RepeatProgram, pva::Program, std::shared_ptr<pva::RepeatProgram>>(m, "RepeatProgram",
                                                                                "Executes its child a number of times.")
      .def_property_readonly("count", &pva::RepeatProgram::count, "Iterations.");
  exchange<pva::DoExchangeProgram>(m, "DoExchangeProgram", "Moves data between the tiles of an IPU.");
  exchange<pva::GlobalExchangeProgram>(m, "GlobalExchangeProgram", "Moves data between IPUs.");
  exchange<pva::StreamCopyBeginProgram>(m, "StreamCopyBeginProgram", "Prepares a copy between the host and tiles.");
  exchange<pva::StreamCopyMidProgram>(m, "StreamCopyMidProgram",
                                      "Moves the data of a copy between the host and tiles.");
  exchange<pva::StreamCopyEndProgram>(m, "StreamCopyEndProgram", "Ends a copy between the host and tiles.");
  program<pva::SyncAnsProgram>(m, "SyncAnsProgram");
  program<pva::SansProgram>(m, "SansProgram");
  program<pva::SequenceProgram>(m, "SequenceProgram", "Runs its children one after the other.");
  program<pva::OnEveryTileSwitchProgram>(m, "OnEveryTileSwitchProgram",
                                         "Selects the program that Engine.run requests.");
  handle<pva::CallProgram, pva::Program, std::shared_ptr<pva::CallProgram>>(m, "CallProgram",
                                                                            "Runs a function. It has no children.")
      .def_property_readonly("function", &pva::CallProgram::function,
                             "Extension: the root of the function's body, one of functionPrograms; None = not "
                             "recorded.");
  program<pva::CopyProgram>(m, "CopyProgram");
  program<pva::CopySharedStructureProgram>(m, "CopySharedStructureProgram");
  program<pva::CrossReplicaCopyProgram>(m, "CrossReplicaCopyProgram");
  program<pva::ExecuteProgram>(m, "ExecuteProgram");
  program<pva::OnTileCopyProgram>(m, "OnTileCopyProgram");
  program<pva::OnTileSwitchProgram>(m, "OnTileSwitchProgram");
  program<pva::RepeatWhileProgram>(
      m, "RepeatWhileProgram",
      "Runs its first child, the condition, then its second child, the body, repeatedly until the test ends the loop.");
  program<pva::SetLocalConsensusProgram>(m, "SetLocalConsensusProgram");
  program<pva::SetLocalConsensusFromVarProgram>(m, "SetLocalConsensusFromVarProgram");
  program<pva::GetGlobalConsensusProgram>(m, "GetGlobalConsensusProgram");
  program<pva::WriteUndefProgram>(m, "WriteUndefProgram", "Ends the life of variables until they are written again.");
  program<pva::AssumeEqualAcrossReplicasProgram>(
      m, "AssumeEqualAcrossReplicasProgram", "States the program's promise that a tensor is the same on all replicas.");
  program<pva::SwitchProgram>(m, "SwitchProgram", "Runs one of its children, by the value of a tensor.");
  program<pva::WhileProgram>(m, "WhileProgram");
  program<pva::BlockProgram>(m, "BlockProgram", "Runs its child as one block under its name.");
  program<pva::IfProgram>(m, "IfProgram", "Runs its first or its second child.");
  program<pva::AbortProgram>(m, "AbortProgram", "Stops the program.");
  program<pva::AbortOnConditionProgram>(m, "AbortOnConditionProgram",
                                        "Stops the program if its predicate is not zero.");
  program<pva::ErrorProgramProgram>(m, "ErrorProgramProgram", "Stops the program with a message.");
  program<pva::PrintTensorProgram>(m, "PrintTensorProgram", "Prints a tensor.");
  program<pva::WhileTestProgram>(m, "WhileTestProgram", "Extension: tests the condition of a RepeatWhile.");
  program<pva::TileRegisterProgram>(m, "TileRegisterProgram", "Extension: reads or writes registers of tiles.");
}

void bindLiveness(py::module_ &m) {
  auto variable = handle<pva::Variable>(
      m, "Variable",
      "A variable of the liveness lists. Equality and hash depend on the variable only, not on its list.");
  comparable(variable)
      .def(
          "__lt__", [](const pva::Variable &a, const pva::Variable &b) { return a < b; }, py::is_operator())
      .def_property_readonly("name", &pva::Variable::name,
                             "Its debug name; for code and system data the storage category.")
      .def_property_readonly("size", &pva::Variable::size,
                             "Bytes over all tiles of a replica, or on the requested tile or IPU.")
      .def_property_readonly("category", &pva::Variable::category, "Extension: storage category, e.g. \"variable\".")
      .def_property_readonly("alwaysLive", &pva::Variable::alwaysLive, "Extension: live at every step.")
      .def_property_readonly("bytesByTile", &pva::Variable::bytesByTile,
                             "Extension: its bytes on each tile of one replica.")
      .def_property_readonly("tiles", &pva::Variable::tiles,
                             "Extension: the tiles of one replica that hold a part of it, ascending.")
      .def("bytesOn", byIndex(&pva::Variable::bytesOn), py::arg("tile"),
           "Extension: its bytes on one tile; 0 if it has none.")
      .def_property_readonly("liveSteps", &pva::Variable::liveSteps,
                             "Extension: the steps at which it is live, as indices into livenessProgramSteps; all "
                             "steps for an always-live variable.")
      .def("liveStepsOn", byIndex(&pva::Variable::liveStepsOn), py::arg("tile"),
           "Extension: the steps at which its part on one tile is live. These are fewer than liveSteps if a source "
           "finishes with the variable earlier on this tile.")
      .def_property_readonly(
          "parts", &pva::Variable::parts,
          "Extension: all tiles of one replica that hold a part, grouped by the steps at which it is live there.")
      .def_property_readonly("_id", &pva::Variable::_id);
  handle<pva::LivenessMemory>(m, "LivenessMemory", "The memory that is live, but not always live, at a step.")
      .def_property_readonly("bytes", &pva::LivenessMemory::bytes, "Sum of the sizes of the variables, bytes.")
      .def_property_readonly("variables", &pva::LivenessMemory::variables,
                             "The variables, with their bytes on the requested tiles.");
  handle<pva::LivenessProgramStep>(m, "LivenessProgramStep",
                                   "One program position of the compiled graph; loops are not unrolled.")
      .def_property_readonly("program", &pva::LivenessProgramStep::program, "The program at this position.")
      .def_property_readonly("notAlwaysLiveMemory", &pva::LivenessProgramStep::notAlwaysLiveMemory,
                             "Live memory over the tiles of one replica.")
      .def("notAlwaysLiveMemoryForIpu", byIndex(&pva::LivenessProgramStep::notAlwaysLiveMemoryForIpu), py::arg("ipu"),
           "Live memory over the tiles of one IPU.")
      .def("notAlwaysLiveMemoryForTile", byIndex(&pva::LivenessProgramStep::notAlwaysLiveMemoryForTile),
           py::arg("tile"), "On one tile.");
  handle<pva::EquivalenceClass>(m, "EquivalenceClass", "Lowered variables with the same live intervals.")
      .def_property_readonly("id", &pva::EquivalenceClass::id, "The number of the class; -1: live at every step.")
      .def_property_readonly("steps", &pva::EquivalenceClass::steps,
                             "The live steps, as intervals of indices into livenessProgramSteps.");
  handle<pva::BriefVar>(m, "BriefVar", "The data of a lowered variable that an analysis of memory over time needs.")
      .def_property_readonly("id", &pva::BriefVar::id, "The _id of the LoweredVariable.")
      .def_property_readonly("bytes", &pva::BriefVar::bytes, "Bytes that it occupies.")
      .def_property_readonly("tileId", &pva::BriefVar::tileId, "Its tile, an index into CompilationReport.tiles.")
      .def_property_readonly("equivalenceClass", &pva::BriefVar::equivalenceClass,
                             "The steps at which its addresses are occupied, an EquivalenceClass.");
  auto loweredVariable = handle<pva::LoweredVariable>(
      m, "LoweredVariable", "One allocation on one tile. Equality and hash are by allocation.");
  comparable(loweredVariable)
      .def_property_readonly("name", &pva::LoweredVariable::name,
                             "Its debug name; for code and system data the storage category.")
      .def_property_readonly("bytes", &pva::LoweredVariable::bytes, "Bytes that it occupies.")
      .def_property_readonly("hasUnloweredVar", &pva::LoweredVariable::hasUnloweredVar,
                             "False for code and system data.")
      .def_property_readonly("unloweredVar", unloweredVar,
                             "Its part on this tile. Raises LookupError if there is none.")
      .def_property_readonly("alwaysLive", &pva::LoweredVariable::alwaysLive, "Whether it is live at every step.")
      .def_property_readonly("offset", &pva::LoweredVariable::offset, "Address from the base of tile memory, bytes.")
      .def_property_readonly("alignment", &pva::LoweredVariable::alignment,
                             "Alignment in bytes: its address is a multiple of this.")
      .def_property_readonly("category", &pva::LoweredVariable::category, "Storage category, e.g. \"variable\".")
      .def_property_readonly("isConstant", &pva::LoweredVariable::isConstant, "Whether it holds constants.")
      .def_property_readonly("tile", &pva::LoweredVariable::tile, "Its tile, an index into CompilationReport.tiles.")
      .def_property_readonly("equivalenceClass", &pva::LoweredVariable::equivalenceClass,
                             "The steps at which its addresses are occupied.")
      .def_property_readonly("inInterleavedMem", &pva::LoweredVariable::inInterleavedMem,
                             "Whether its address is in the interleaved region.")
      .def_property_readonly("overlapped", &pva::LoweredVariable::overlapped,
                             "Extension: shares its addresses with others over time.")
      .def_property_readonly("_id", &pva::LoweredVariable::_id);
  handle<pva::LoweredVariables>(m, "LoweredVariables",
                                "The allocations of all tiles. Empty without autoReport.outputLoweredVars.")
      .def_property_readonly("allBriefVars", &pva::LoweredVariables::allBriefVars,
                             "One BriefVar per allocation, by tile.")
      .def("forTile", byIndex(&pva::LoweredVariables::forTile), py::arg("tile"),
           "The allocations of one tile. Raises IndexError if the tile does not exist.");
}

} // namespace

void bindCompilation(py::module_ &m) {
  bindMemory(m);
  bindPrograms(m);
  bindLiveness(m);
}

} // namespace popscope::python
