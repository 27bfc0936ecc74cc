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
    "A type of program that the compiler of Popscope never creates. It exists for scripts that name it.";

template <class T> void program(py::module_ &m, const char *name, const char *doc = kNeverMade) {
  py::class_<T, pva::Program, std::shared_ptr<T>>(m, name, doc);
}
template <class T> void exchange(py::module_ &m, const char *name, const char *doc) {
  py::class_<T, pva::ExchangeProgram, std::shared_ptr<T>>(m, name, doc);
}

void bindMemory(py::module_ &m) {
  auto categories = handle<pva::Categories>(
      m, "Categories",
      "The bytes of each storage category on one tile. `list(categories)` returns (name, Category) pairs.");
  categories
      .def("byIndex", byIndex(&pva::Categories::byIndex), py::arg("index"),
           "Extension: returns the Category at a position of storageCategoryNames(). Raises IndexError for a position "
           "outside [0, 25).")
      .def("__iter__", [](const pva::Categories &c) { return py::iter(categoryPairs(c)); });
  const std::vector<std::string> names = pva::storageCategoryNames();
  for (std::size_t i = 0; i < names.size(); ++i)
    categories.def_property_readonly(
        names[i].c_str(), [i](const pva::Categories &c) { return c.byIndex(i); },
        ("The bytes of the storage category " + names[i] + ", a Category.").c_str());
  auto vertexType =
      handle<pva::VertexType>(m, "VertexType", "A type of vertices. Equality and hash depend only on the type.");
  comparable(vertexType)
      .def_property_readonly("name", &pva::VertexType::name,
                             "The registered name of the class, with template arguments.")
      .def_property_readonly("size", &pva::VertexType::size, "The state of one instance, in bytes.")
      .def_property_readonly("instances", &pva::VertexType::instances,
                             "Extension: the number of vertices over all tiles.")
      .def_property_readonly("memoryBytes", &pva::VertexType::memoryBytes,
                             "Extension: the state, the field data and the descriptors of all instances, plus the code "
                             "once per tile, in bytes.")
      .def_property_readonly("cycleProvenance", &pva::VertexType::cycleProvenance,
                             "Extension: the least direct source of the cycles of these vertices in the recorded runs: "
                             "\"estimate\", \"estimator\", \"codelet\", \"stand-in\", \"last known\" or \"runtime\" "
                             "(see CycleSource). Empty = unknown, or no run was recorded.")
      .def_property_readonly("_id", &pva::VertexType::_id);
  handle<pva::VertexOnTile>(m, "VertexOnTile", "The vertices of one type on one tile. Sizes are in bytes.")
      .def_property_readonly("type", &pva::VertexOnTile::type, "The type of the vertices, a VertexType.")
      .def_property_readonly("count", &pva::VertexOnTile::count, "The number of instances on this tile.")
      .def_property_readonly(
          "codeBytes", &pva::VertexOnTile::codeBytes,
          "The code of this type on this tile, in bytes. The size does not depend on the number of instances.")
      .def_property_readonly("vertexDataBytes", &pva::VertexOnTile::vertexDataBytes,
                             "The fields that are not edges, in bytes.")
      .def_property_readonly("edgePtrBytes", &pva::VertexOnTile::edgePtrBytes,
                             "The pointers and lengths of edges, in bytes.")
      .def_property_readonly("copyPtrBytes", &pva::VertexOnTile::copyPtrBytes,
                             "The pointers of copy vertices, in bytes.")
      .def_property_readonly("paddingBytes", &pva::VertexOnTile::paddingBytes,
                             "The bytes that are lost to alignment between fields.")
      .def_property_readonly("descriptorBytes", &pva::VertexOnTile::descriptorBytes,
                             "The descriptors of copies and of nested vectors, in bytes.");
  handle<pva::TileMemory>(m, "TileMemory",
                          "The memory of one tile, in bytes. All values are 0 if the target has no tile memory (CPU).")
      .def_property_readonly("total", &pva::TileMemory::total, "The used bytes in all regions, a MemorySize.")
      .def_property_readonly("nonInterleaved", &pva::TileMemory::nonInterleaved,
                             "The used bytes in the region below the interleaved region, a MemorySize.")
      .def_property_readonly("interleaved", &pva::TileMemory::interleaved,
                             "The used bytes in the interleaved region, a MemorySize.")
      .def_property_readonly("overflowed", &pva::TileMemory::overflowed,
                             "The used bytes past the end of the tile's memory, a MemorySize.")
      .def_property_readonly("alwaysLiveBytes", &pva::TileMemory::alwaysLiveBytes,
                             "The bytes that are occupied during the whole program.")
      .def_property_readonly("notAlwaysLiveBytes", &pva::TileMemory::notAlwaysLiveBytes,
                             "The maximum over the steps of the live bytes that are not always live.")
      .def_property_readonly("afterOverlappingBytes", &pva::TileMemory::afterOverlappingBytes,
                             "Extension: the number of addresses that overlapped allocations occupy, in bytes.")
      .def_property_readonly("lowerBoundOverlappedBytes", &pva::TileMemory::lowerBoundOverlappedBytes,
                             "Extension: the maximum over the steps of the bytes that overlapped allocations occupy.")
      .def_property_readonly("category", &pva::TileMemory::category,
                             "The bytes of each storage category, a Categories.")
      .def_property_readonly("occupiedByCategory", &pva::TileMemory::occupiedByCategory,
                             "Extension: the number of addresses that each category occupies, in the order of "
                             "storageCategoryNames(). An address that several categories occupy at different times "
                             "counts for multiple alone. The values add up to total.excludingGaps.")
      .def_property_readonly("vertices", &pva::TileMemory::vertices,
                             "The vertices on the tile, one VertexOnTile per vertex type.");
  handle<pva::Tile>(m, "Tile", "One tile of the target.")
      .def_property_readonly("memory", &pva::Tile::memory, "The use of the memory of the tile, a TileMemory.");
  m.def("storageCategoryNames", pva::storageCategoryNames,
        "Extension: returns the names of the 25 storage categories, in the order of Categories.byIndex().");
}

void bindPrograms(py::module_ &m) {
  handle<pva::Program, std::shared_ptr<pva::Program>>(
      m, "Program",
      "A lowered program. Equality and hash depend only on the program, not on the list from which the object comes.")
      .def_property_readonly("name", &pva::Program::name, "The debug name; empty = none.")
      .def_property_readonly("type", &pva::Program::type, "The type of the program, a Program.Type.")
      .def_property_readonly("children", &pva::Program::children,
                             "The programs directly inside this program, in program order.")
      .def_property_readonly("vars", &pva::Program::vars,
                             "The lowered variables that occupy memory at this program, except always-live variables; "
                             "empty without autoReport.outputLoweredVars.")
      .def_property_readonly(
          "controlCodeByTile", &pva::Program::controlCodeByTile,
          "The bytes of control code per tile, including the code of the children. If the profile has "
          "no code (PopscopeData.codeIncluded), these are the bytes that the code takes on a device.")
      .def_property_readonly("debugContextId", &pva::Program::debugContextId,
                             "Extension: the id of the DebugInfo in which the program was created, or of an enclosing "
                             "DebugInfo; 0 = none or unknown.")
      .def_property_readonly("debugContext", &pva::Program::debugContext,
                             "Extension: the DebugInfo of debugContextId from debug.cbor, a DebugContext. Its id is 0 "
                             "if debug.cbor has no such DebugInfo, or if the report has no debug information. Raises "
                             "ProfileError, which names the path, if the debug information cannot be read.")
      .def_property_readonly("moreDebugContextIds", &pva::Program::moreDebugContextIds,
                             "Extension: the ids of the DebugInfos of other programs that the compiler merged into "
                             "this program, in program order. They do not include debugContextId.")
      .def_property_readonly("moreDebugContexts", &pva::Program::moreDebugContexts,
                             "Extension: those DebugInfos of moreDebugContextIds that debug.cbor contains. Raises "
                             "ProfileError as debugContext does.")
      .def_property_readonly("barriers", &pva::Program::barriers,
                             "Extension: the kinds of the barriers that the tiles pass in the program, in order. The "
                             "names of the kinds are as in Target.syncDelays.")
      .def_property_readonly(
          "counterCyclesByTile", &pva::Program::counterCyclesByTile,
          "Extension: the cycles per tile in which the program reads the instrumentation's counters after its work.")
      .def_property_readonly(
          "counterStoresByTile", &pva::Program::counterStoresByTile,
          "Extension: the number of stores per tile whose cycles counterCyclesByTile includes. Each store takes "
          "Target.workerContexts cycles.")
      .def(
          "__eq__", [](const pva::Program &a, const pva::Program &b) { return &a == &b; }, py::is_operator())
      .def("__hash__", [](const pva::Program &p) { return p._id(); })
      .def("accept", accept, py::arg("visitor"),
           "Calls the method of `visitor` for this program's type, with the program as the argument. Calls no method "
           "for the children, or for the type Unknown. Raises TypeError if `visitor` is not a ProgramVisitor.")
      .def_property_readonly("_id", &pva::Program::_id);
  handle<pva::ExchangeProgram, pva::Program, std::shared_ptr<pva::ExchangeProgram>>(m, "ExchangeProgram",
                                                                                    "A program with exchange code.")
      .def_property_readonly("codeBytesByTile", &pva::ExchangeProgram::codeBytesByTile,
                             "The bytes per tile of exchange code that no earlier program has. The sum over all "
                             "programs is the exchange code of the profile. If the profile has no code "
                             "(PopscopeData.codeIncluded), these are the bytes that the code takes on a device.")
      .def_property_readonly("codeSharedWith", &pva::ExchangeProgram::codeSharedWith,
                             "Extension: the other program whose exchange code this program executes; None = this "
                             "program has its own code.")
      .def_property_readonly(
          "estimatedCyclesByTile", &pva::ExchangeProgram::estimatedCyclesByTile,
          "The cycles per tile in one execution, as estimated at compile time; empty if there is no estimate.")
      .def_property_readonly("bytesSentByTile", &pva::ExchangeProgram::bytesSentByTile,
                             "The bytes per tile that the tile sends in one execution.")
      .def_property_readonly("bytesReceivedByTile", &pva::ExchangeProgram::bytesReceivedByTile,
                             "The bytes per tile that the tile receives in one execution.")
      .def_property_readonly(
          "messagesReceivedByTile", &pva::ExchangeProgram::messagesReceivedByTile,
          "Extension, of a DoExchange or a GlobalExchange: the number of messages per tile that the tile receives.")
      .def_property_readonly(
          "receiveLatencyByTile", &pva::ExchangeProgram::receiveLatencyByTile,
          "Extension, of a DoExchange: the cycles per tile until the first word of the furthest sender arrives. On "
          "each tile:\n\n  estimated cycles = max(ceil(bytes sent / width), latency + max(transfer, controls * cycles "
          "of a control))\n\nThe width and the cycles of a control are exchange.bytesPerCycle and "
          "exchange.controlCycles in CompilationReport.machineCosts.")
      .def_property_readonly("receiveTransferByTile", &pva::ExchangeProgram::receiveTransferByTile,
                             "Extension, of a DoExchange: the cycles per tile during which the received words arrive.")
      .def_property_readonly("receiveControlsByTile", &pva::ExchangeProgram::receiveControlsByTile,
                             "Extension, of a DoExchange: the number of controls per tile: 2 for a change of sender, 1 "
                             "for a change of address alone.")
      .def_property_readonly("receiveDistanceByTile", &pva::ExchangeProgram::receiveDistanceByTile,
                             "Extension, of a DoExchange: the distance per tile to the furthest sender, in tiles.")
      .def_property_readonly("messageSizesByTile", &pva::ExchangeProgram::messageSizesByTile,
                             "Extension, of a DoExchange: the sizes of the messages that each tile receives, as an "
                             "index into CompilationReport.messageSizes plus 1; 0 = the tile receives nothing.")
      .def_property_readonly("linkTransfers", &pva::ExchangeProgram::linkTransfers,
                             "Extension, of a GlobalExchange: the transfers between IPUs, each a LinkTransfer.")
      .def_property_readonly("traffic", &pva::ExchangeProgram::traffic,
                             "Extension, of a DoExchange or a GlobalExchange: the traffic between the tiles of a "
                             "replica, a TileTraffic. Its lists are empty if nothing moves.");
  handle<pva::OnTileExecuteProgram, pva::Program, std::shared_ptr<pva::OnTileExecuteProgram>>(
      m, "OnTileExecuteProgram", "A program that executes a compute set.")
      .def_property_readonly("computeset", &pva::OnTileExecuteProgram::computeset,
                             "The compute set that the program executes, a ComputeSet.");
  handle<pva::RepeatProgram, pva::Program, std::shared_ptr<pva::RepeatProgram>>(
      m, "RepeatProgram", "A program that executes its child a number of times.")
      .def_property_readonly("count", &pva::RepeatProgram::count, "The number of iterations.");
  exchange<pva::DoExchangeProgram>(m, "DoExchangeProgram", "A program that moves data between the tiles of an IPU.");
  exchange<pva::GlobalExchangeProgram>(m, "GlobalExchangeProgram", "A program that moves data between IPUs.");
  exchange<pva::StreamCopyBeginProgram>(m, "StreamCopyBeginProgram",
                                        "A program that prepares a copy between the host and tiles.");
  exchange<pva::StreamCopyMidProgram>(m, "StreamCopyMidProgram",
                                      "A program that moves the data of a copy between the host and tiles.");
  exchange<pva::StreamCopyEndProgram>(m, "StreamCopyEndProgram",
                                      "A program that ends a copy between the host and tiles.");
  program<pva::SyncAnsProgram>(m, "SyncAnsProgram");
  program<pva::SansProgram>(m, "SansProgram");
  program<pva::SequenceProgram>(m, "SequenceProgram", "A program that runs its children one after the other.");
  program<pva::OnEveryTileSwitchProgram>(m, "OnEveryTileSwitchProgram",
                                         "A program that selects the program that Engine.run requests.");
  handle<pva::CallProgram, pva::Program, std::shared_ptr<pva::CallProgram>>(
      m, "CallProgram", "A program that runs a function. It has no children.")
      .def_property_readonly("function", &pva::CallProgram::function,
                             "Extension: the root of the function's body, one of CompilationReport.functionPrograms; "
                             "None = not recorded.");
  program<pva::CopyProgram>(m, "CopyProgram");
  program<pva::CopySharedStructureProgram>(m, "CopySharedStructureProgram");
  program<pva::CrossReplicaCopyProgram>(m, "CrossReplicaCopyProgram");
  program<pva::ExecuteProgram>(m, "ExecuteProgram");
  program<pva::OnTileCopyProgram>(m, "OnTileCopyProgram");
  program<pva::OnTileSwitchProgram>(m, "OnTileSwitchProgram");
  program<pva::RepeatWhileProgram>(m, "RepeatWhileProgram",
                                   "A loop. It runs its first child, the condition, then its second child, the body, "
                                   "repeatedly until the test ends the loop.");
  program<pva::SetLocalConsensusProgram>(m, "SetLocalConsensusProgram");
  program<pva::SetLocalConsensusFromVarProgram>(m, "SetLocalConsensusFromVarProgram");
  program<pva::GetGlobalConsensusProgram>(m, "GetGlobalConsensusProgram");
  program<pva::WriteUndefProgram>(m, "WriteUndefProgram",
                                  "A program that ends the life of variables until a program writes them again.");
  program<pva::AssumeEqualAcrossReplicasProgram>(
      m, "AssumeEqualAcrossReplicasProgram", "A promise of the user that a tensor has the same value on all replicas.");
  program<pva::SwitchProgram>(m, "SwitchProgram",
                              "A program that runs one of its children, chosen by the value of a tensor.");
  program<pva::WhileProgram>(m, "WhileProgram");
  program<pva::BlockProgram>(m, "BlockProgram", "A program that runs its child as one block under its name.");
  program<pva::IfProgram>(m, "IfProgram", "A program that runs its first or its second child.");
  program<pva::AbortProgram>(m, "AbortProgram", "A program that stops the run.");
  program<pva::AbortOnConditionProgram>(m, "AbortOnConditionProgram",
                                        "A program that stops the run if its predicate is not zero.");
  program<pva::ErrorProgramProgram>(m, "ErrorProgramProgram", "A program that stops the run with a message.");
  program<pva::PrintTensorProgram>(m, "PrintTensorProgram", "A program that prints a tensor.");
  program<pva::WhileTestProgram>(m, "WhileTestProgram", "Extension: the test at the end of a RepeatWhile's condition.");
  program<pva::TileRegisterProgram>(m, "TileRegisterProgram",
                                    "Extension: a program that reads or writes registers of tiles.");
}

void bindLiveness(py::module_ &m) {
  auto variable = handle<pva::Variable>(m, "Variable",
                                        "A variable of the liveness lists. Equality and hash depend only on the "
                                        "variable, not on the list from which the object comes.");
  comparable(variable)
      .def(
          "__lt__", [](const pva::Variable &a, const pva::Variable &b) { return a < b; }, py::is_operator())
      .def_property_readonly("name", &pva::Variable::name,
                             "The debug name; for code and system data, the name of the storage category.")
      .def_property_readonly("size", &pva::Variable::size,
                             "The size in bytes over all tiles of a replica. For a variable from a list of one tile or "
                             "IPU, the bytes on this tile or IPU. For a variable from the list of a liveness step, "
                             "only the tiles on which the variable is live at this step count.")
      .def_property_readonly("category", &pva::Variable::category,
                             "Extension: the storage category, for example \"variable\".")
      .def_property_readonly("alwaysLive", &pva::Variable::alwaysLive,
                             "Extension: whether the variable is live at every step.")
      .def_property_readonly("bytesByTile", &pva::Variable::bytesByTile,
                             "Extension: the bytes of the variable per tile of one replica.")
      .def_property_readonly("tiles", &pva::Variable::tiles,
                             "Extension: the tiles of one replica that hold a part of the variable, in ascending "
                             "order. If few tiles hold a part, tiles and bytesOn() are faster than bytesByTile.")
      .def("bytesOn", byIndex(&pva::Variable::bytesOn), py::arg("tile"),
           "Extension: returns the bytes of the variable's part on a tile; 0 if the tile holds no part. Raises "
           "IndexError if the target has no such tile.")
      .def_property_readonly("liveSteps", &pva::Variable::liveSteps,
                             "Extension: the steps at which the variable is live, as intervals of indices into "
                             "livenessProgramSteps. For an always-live variable, these are all steps.")
      .def("liveStepsOn", byIndex(&pva::Variable::liveStepsOn), py::arg("tile"),
           "Extension: returns the steps at which the variable's part on a tile is live. These can be fewer steps than "
           "liveSteps, because a tile may need its part only at some steps of an Execute or Copy. Empty if the tile "
           "holds no part. Raises IndexError if the target has no such tile.")
      .def_property_readonly("parts", &pva::Variable::parts,
                             "Extension: all tiles of one replica that hold a part of the variable, grouped by the "
                             "steps at which the part is live. Each group is a VariablePart.")
      .def_property_readonly("_id", &pva::Variable::_id);
  handle<pva::LivenessMemory>(m, "LivenessMemory", "The memory that is live, but not always live, at a step.")
      .def_property_readonly("bytes", &pva::LivenessMemory::bytes, "The sum of the sizes of the variables, in bytes.")
      .def_property_readonly("variables", &pva::LivenessMemory::variables,
                             "The variables, with their bytes on the requested tiles.");
  handle<pva::LivenessProgramStep>(m, "LivenessProgramStep",
                                   "One program position of the compiled graph. Loops are not unrolled.")
      .def_property_readonly("program", &pva::LivenessProgramStep::program, "The program at this position.")
      .def_property_readonly(
          "notAlwaysLiveMemory", &pva::LivenessProgramStep::notAlwaysLiveMemory,
          "The live memory over the tiles of one replica, without always-live memory, a LivenessMemory.")
      .def("notAlwaysLiveMemoryForIpu", byIndex(&pva::LivenessProgramStep::notAlwaysLiveMemoryForIpu), py::arg("ipu"),
           "Returns the live memory over the tiles of one IPU, without always-live memory. Raises IndexError if the "
           "target has no such IPU.")
      .def("notAlwaysLiveMemoryForTile", byIndex(&pva::LivenessProgramStep::notAlwaysLiveMemoryForTile),
           py::arg("tile"),
           "Returns the live memory of one tile, without always-live memory. Raises IndexError if the target has no "
           "such tile.");
  handle<pva::EquivalenceClass>(m, "EquivalenceClass", "The lowered variables that occupy memory at the same steps.")
      .def_property_readonly("id", &pva::EquivalenceClass::id,
                             "The number of the class; -1 = a class that contains all steps.")
      .def_property_readonly("steps", &pva::EquivalenceClass::steps,
                             "The steps at which the variables occupy memory, as intervals of indices into "
                             "livenessProgramSteps. If only programs without a liveness step lie between two "
                             "intervals, the second one begins where the first one ends.");
  handle<pva::BriefVar>(m, "BriefVar", "The data of a lowered variable that an analysis of memory over time needs.")
      .def_property_readonly("id", &pva::BriefVar::id, "The _id of the LoweredVariable.")
      .def_property_readonly("bytes", &pva::BriefVar::bytes, "The size of the allocation, in bytes.")
      .def_property_readonly("tileId", &pva::BriefVar::tileId,
                             "The tile of the allocation, an index into CompilationReport.tiles.")
      .def_property_readonly("equivalenceClass", &pva::BriefVar::equivalenceClass,
                             "The steps at which the addresses of the allocation are occupied, an EquivalenceClass.");
  auto loweredVariable = handle<pva::LoweredVariable>(
      m, "LoweredVariable",
      "A lowered variable: one allocation on one tile. Equality and hash depend only on the allocation.");
  comparable(loweredVariable)
      .def_property_readonly("name", &pva::LoweredVariable::name,
                             "The debug name; for code and system data, the name of the storage category.")
      .def_property_readonly("bytes", &pva::LoweredVariable::bytes, "The size of the allocation, in bytes.")
      .def_property_readonly("hasUnloweredVar", &pva::LoweredVariable::hasUnloweredVar,
                             "Whether unloweredVar exists. False for code and system data.")
      .def_property_readonly("unloweredVar", unloweredVar,
                             "The variable that has this part on the tile, a Variable. Its size is the size of this "
                             "part. Raises LookupError if hasUnloweredVar is False.")
      .def_property_readonly("alwaysLive", &pva::LoweredVariable::alwaysLive,
                             "Whether the allocation is live at every step.")
      .def_property_readonly("offset", &pva::LoweredVariable::offset,
                             "The address, in bytes from the base of tile memory.")
      .def_property_readonly("alignment", &pva::LoweredVariable::alignment,
                             "The alignment in bytes. The address is a multiple of this number.")
      .def_property_readonly("category", &pva::LoweredVariable::category,
                             "The storage category, for example \"variable\".")
      .def_property_readonly("isConstant", &pva::LoweredVariable::isConstant,
                             "Whether the allocation holds constants, whose values never change.")
      .def_property_readonly("tile", &pva::LoweredVariable::tile,
                             "The tile of the allocation, an index into CompilationReport.tiles.")
      .def_property_readonly("equivalenceClass", &pva::LoweredVariable::equivalenceClass,
                             "The steps at which the addresses of the allocation are occupied, an EquivalenceClass.")
      .def_property_readonly("inInterleavedMem", &pva::LoweredVariable::inInterleavedMem,
                             "Whether the address is in the interleaved region.")
      .def_property_readonly(
          "overlapped", &pva::LoweredVariable::overlapped,
          "Extension: whether the allocation shares its addresses with allocations that are live at other times.")
      .def_property_readonly("_id", &pva::LoweredVariable::_id);
  handle<pva::LoweredVariables>(
      m, "LoweredVariables",
      "The lowered variables of the tiles of one replica. Without autoReport.outputLoweredVars, all lists are empty.")
      .def_property_readonly("allBriefVars", &pva::LoweredVariables::allBriefVars,
                             "All lowered variables, each a BriefVar, in the order of tiles.")
      .def("forTile", byIndex(&pva::LoweredVariables::forTile), py::arg("tile"),
           "Returns the lowered variables on a tile. Raises IndexError if the target has no such tile.");
}

} // namespace

void bindCompilation(py::module_ &m) {
  bindMemory(m);
  bindPrograms(m);
  bindLiveness(m);
}

} // namespace popscope::python
