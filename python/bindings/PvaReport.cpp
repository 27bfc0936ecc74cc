// The report of package pva, its target, its graph, and the data that only Popscope's profiles have.
#include "python/bindings/Bind.hpp"

namespace popscope::python {

void bindReport(py::module_ &m) {
  handle<pva::IPU>(m, "IPU", "One IPU of the target.")
      .def_property_readonly("tiles", &pva::IPU::tiles, "The tiles of the IPU, in ascending order.");
  handle<pva::Target>(m, "Target",
                      "The machine. Sizes are in bytes. Counts are over all IPUs and replicas unless the name of the "
                      "property states something else.")
      .def_property_readonly("type", &pva::Target::type,
                             "The kind of the target, a Target.Type. Unknown = another kind.")
      .def_property_readonly("architecture", &pva::Target::architecture,
                             "The architecture, an IPU.Architecture. Unknown = another name, see architectureName.")
      .def_property_readonly("numIPUs", &pva::Target::numIPUs, "The number of IPUs of all replicas.")
      .def_property_readonly("tilesPerIpu", &pva::Target::tilesPerIpu, "The number of tiles of one IPU.")
      .def_property_readonly("numTiles", &pva::Target::numTiles, "The number of tiles of all replicas.")
      .def_property_readonly("numReplicas", &pva::Target::numReplicas, "The number of replicas; 1 without replication.")
      .def_property_readonly("ipusPerReplica", &pva::Target::ipusPerReplica, "The number of IPUs of one replica.")
      .def_property_readonly("tilesPerReplica", &pva::Target::tilesPerReplica, "The number of tiles of one replica.")
      .def_property_readonly("memoryPerReplica", &pva::Target::memoryPerReplica,
                             "The tile memory of one replica, in bytes.")
      .def_property_readonly("bytesPerTile", &pva::Target::bytesPerTile, "The memory of one tile, in bytes.")
      .def_property_readonly("bytesPerIPU", &pva::Target::bytesPerIPU, "The tile memory of one IPU, in bytes.")
      .def_property_readonly("totalMemory", &pva::Target::totalMemory, "The tile memory of all replicas, in bytes.")
      .def_property_readonly("clockFrequency", &pva::Target::clockFrequency, "The frequency of the tile clock, in Hz.")
      .def_property_readonly(
          "architectureName", &pva::Target::architectureName,
          "Extension: the name of the architecture: \"ipu1\", \"ipu2\", \"ipu21\", \"cpu\" or the name of a model.")
      .def_property_readonly("workerContexts", &pva::Target::workerContexts,
                             "Extension: the number of worker threads of a tile.")
      .def_property_readonly("interleavedOffset", &pva::Target::interleavedOffset,
                             "Extension: the start of the interleaved region, in bytes from the base of tile memory; 0 "
                             "= the machine has no such region.")
      .def_property_readonly("machine", &pva::Target::machine,
                             "Extension: all fields of the machine as JSON text (docs/MACHINES.md); empty = unknown.")
      .def_property_readonly("syncDelays", &pva::Target::syncDelays,
                             "Extension: the delays of each kind of sync, each a SyncDelay.")
      .def_property_readonly("minSyncDelay", &pva::Target::minSyncDelay,
                             "Extension: the smallest release delay of a sync within an IPU, in cycles; 0 = unknown.")
      .def_property_readonly("relativeSyncDelayByTile", &pva::Target::relativeSyncDelayByTile,
                             "Extension: the additional release delay of a sync within an IPU, beyond minSyncDelay, in "
                             "cycles per tile of one replica; empty = unknown.");
  handle<pva::Graph>(m, "Graph",
                     "The numbers of objects in the graph after lowering, including objects that the compiler added.")
      .def_property_readonly("numComputeSets", &pva::Graph::numComputeSets, "The number of compute sets.")
      .def_property_readonly("numVertices", &pva::Graph::numVertices, "The number of vertices.")
      .def_property_readonly("numEdges", &pva::Graph::numEdges, "The number of connections of vertex fields.")
      .def_property_readonly("numVars", &pva::Graph::numVars, "The number of variables.")
      .def_property_readonly("numVariables", &pva::Graph::numVariables,
                             "The number of variables, the same as numVars.");
  handle<pva::CompilationReport>(
      m, "CompilationReport",
      "The compiled graph: the target, the graph, the memory of tiles, the programs and the liveness.")
      .def_property_readonly("graph", &pva::CompilationReport::graph,
                             "The numbers of objects in the graph after lowering.")
      .def_property_readonly("target", &pva::CompilationReport::target, "The machine for which the graph was compiled.")
      .def_property_readonly(
          "tiles", &pva::CompilationReport::tiles,
          "The tiles of all replicas, ordered by IPU: tile i of an IPU has the index ipu * tilesPerIpu + i. The first "
          "target.tilesPerReplica tiles belong to the first replica. Each other replica has equal tiles.")
      .def_property_readonly("ipus", &pva::CompilationReport::ipus, "The IPUs of all replicas, with their tiles.")
      .def_property_readonly("programs", &pva::CompilationReport::programs,
                             "All lowered programs, including children. The index of a program is its _id.")
      .def_property_readonly("controlPrograms", &pva::CompilationReport::controlPrograms,
                             "The lowered forms of the programs that the user gave to the engine, in the same order.")
      .def_property_readonly("functionPrograms", &pva::CompilationReport::functionPrograms,
                             "The roots of the bodies of functions.")
      .def_property_readonly("computeSets", &pva::CompilationReport::computeSets,
                             "All compute sets, including those that the compiler added.")
      .def_property_readonly(
          "variables", &pva::CompilationReport::variables,
          "Extension: all variables of the liveness lists. Their sizes are in bytes over all tiles of one replica.")
      .def_property_readonly("alwaysLiveVariables", &pva::CompilationReport::alwaysLiveVariables,
                             "The variables that are live at every step. Their sizes are in bytes over all tiles of "
                             "one replica. Code and system data have the names of their storage categories.")
      .def("alwaysLiveVariablesForTile", byIndex(&pva::CompilationReport::alwaysLiveVariablesForTile), py::arg("tile"),
           "Returns the variables of alwaysLiveVariables that have a part on one tile, with the part's size in bytes. "
           "Raises IndexError if the target has no such tile.")
      .def_property_readonly("livenessProgramSteps", &pva::CompilationReport::livenessProgramSteps,
                             "The program positions at which the profile lists live variables, in compile-time order. "
                             "Loops are not unrolled.")
      .def_property_readonly("loweredVariables", &pva::CompilationReport::loweredVariables,
                             "The lowered variables of the tiles of one replica; empty without "
                             "autoReport.outputLoweredVars.")
      .def_property_readonly("vertexTypes", &pva::CompilationReport::vertexTypes,
                             "Extension: the vertex types that the graph uses.")
      .def_property_readonly("engineOptions", &pva::CompilationReport::engineOptions,
                             "Extension: all options of the engine with their values, each an Option.")
      .def_property_readonly("targetOptions", &pva::CompilationReport::targetOptions,
                             "Extension: all options of the target with their values, each an Option.")
      .def_property_readonly(
          "optimizations", &pva::CompilationReport::optimizations,
          "Extension: the effects of the compiler passes, each an Optimization, in the order of the passes.")
      .def_property_readonly("machineCosts", &pva::CompilationReport::machineCosts,
                             "Extension: the costs of the machine on which estimates of cycles are based, each a "
                             "MachineCost, sorted by key.")
      .def_property_readonly("flops", &pva::CompilationReport::flops,
                             "Extension: the floating-point operations of all compute sets, each a VertexTypeFlops, "
                             "sorted by compute set, then vertex type.")
      .def_property_readonly("messageSizes", &pva::CompilationReport::messageSizes,
                             "Extension: the combinations of message sizes, each a MessageSizes and each once. "
                             "ExchangeProgram.messageSizesByTile refers to positions in this list.");
  handle<pva::PoplarVersion>(m, "PoplarVersion",
                             "The version of the library that wrote the profile, for example \"3.1.0 (a027fa0bd5)\".")
      .def_property_readonly("major", &pva::PoplarVersion::majorVer, "The first number of the version.")
      .def_property_readonly("minor", &pva::PoplarVersion::minorVer, "The second number of the version.")
      .def_property_readonly("packageHash", &pva::PoplarVersion::packageHash,
                             "The text in parentheses, which identifies the build.")
      .def_property_readonly("point", &pva::PoplarVersion::pointVer, "The third number of the version.")
      .def_property_readonly("string", &pva::PoplarVersion::string, "The whole version as text.");
  handle<pva::ProfileReportVersion>(m, "ProfileReportVersion", "The version of the file format.")
      .def_property_readonly("isUnstableFormat", &pva::ProfileReportVersion::isUnstableFormat,
                             "Always False, because files of this version stay readable.")
      .def_property_readonly("major", &pva::ProfileReportVersion::majorVer, "The first number of the version.")
      .def_property_readonly("minor", &pva::ProfileReportVersion::minorVer, "The second number of the version.")
      .def_property_readonly("point", &pva::ProfileReportVersion::pointVer, "The third number of the version.");
  handle<pva::InstrumentationSettings>(
      m, "InstrumentationSettings", "The requested instrumentation. Unknown = the profile does not contain the option.")
      .def_property_readonly("compute", &pva::InstrumentationSettings::compute,
                             "The counting of computation, a ComputeInstrumentationLevel. Off = the engine option "
                             "debug.instrumentCompute is off; otherwise the level of "
                             "debug.computeInstrumentationLevel. Unknown = the profile does not contain these options.")
      .def_property_readonly(
          "externalExchange", &pva::InstrumentationSettings::externalExchange,
          "The counting of exchanges with the host and other IPUs, an ExternalExchangeInstrumentationLevel. Tile = the "
          "engine option debug.instrumentExternalExchange is on. Off = the option is off. Unknown = the profile does "
          "not contain the option.")
      .def_property_readonly(
          "controlFlow", &pva::InstrumentationSettings::controlFlow,
          "Extension: whether the engine option debug.instrumentControlFlow is on, which requests counters of branches "
          "and iterations. False = off, or the profile does not contain the option.");
  handle<pva::PopscopeData>(m, "PopscopeData", "Extension: data that only Popscope's profiles have.")
      .def_property_readonly("codeIncluded", &pva::PopscopeData::codeIncluded,
                             "Whether the sizes include code. False = an IPU Model without compileIPUCode, whose code "
                             "takes no memory in the profile.")
      .def_property_readonly("complete", &pva::PopscopeData::complete, "Whether the writer completed the file.")
      .def_property_readonly("compilePhases", &pva::PopscopeData::compilePhases,
                             "The phases of the compilation, each a CompilePhase, in the order in which they began; "
                             "empty without popscope.recordCompilePhases.")
      .def(
          "plainDatabase", [](const pva::PopscopeData &data) { return py::bytes(data.plainDatabase()); },
          "Returns the bytes of a plain SQLite database with all tables and views of the profile. Values per tile are "
          "JSON arrays. Copies the profile in memory. Raises ProfileError if the database cannot be made.")
      .def_property_readonly(
          "ending", &pva::PopscopeData::ending,
          "The place at which an incomplete profile ends, and the reason. Empty for a complete profile. Also empty for "
          "a profile that this process writes, unless the recording ended early.")
      .def_property_readonly(
          "program", &pva::PopscopeData::program,
          "The file name of the program, or of the Python script, that wrote the profile; empty = unknown.")
      .def_property_readonly("warnings", &pva::PopscopeData::warnings,
                             "The warnings of the compiler about settings without an effect, and about vertex types "
                             "whose code has an unknown size, each a SettingWarning.")
      .def_property_readonly("cycleProvenance", &pva::PopscopeData::cycleProvenance,
                             "The origin of the cycles: \"estimated\" (by a model of the machine).")
      .def_property_readonly("tilesOutOfMemory", &pva::PopscopeData::tilesOutOfMemory,
                             "The numbers of the tiles that do not fit, the fullest first.")
      .def_property_readonly(
          "couldNotRun", &pva::PopscopeData::couldNotRun,
          "Whether no program could run because the graph does not fit. With debug.allowOutOfMemory, or on an IPU "
          "Model without compileIPUCode, a graph that does not fit can run.")
      .def_property_readonly("alwaysLiveBytes", &pva::PopscopeData::alwaysLiveBytes,
                             "The always-live bytes of one replica.")
      .def_property_readonly(
          "maxLiveBytes", &pva::PopscopeData::maxLiveBytes,
          "The maximum over the steps of the live bytes of one replica, including always-live bytes.")
      .def_property_readonly("livenessAdvice", &pva::PopscopeData::livenessAdvice,
                             "The reasons why variables are live, the false-live bytes, and the places at which a "
                             "WriteUndef saves memory, a LivenessAdvice. Each access reads the file.")
      .def_property_readonly("hasVariableAccesses", &pva::PopscopeData::hasVariableAccesses,
                             "Whether the file contains the accesses of programs to variables. Files with explained "
                             "liveness contain them, except files of older versions.")
      .def("variableAccesses", &pva::PopscopeData::variableAccesses, py::arg("variable"),
           "Returns the accesses of programs to a variable, each a VariableAccess, sorted by program. Returns an empty "
           "list if the file does not contain them. Each call reads the file.")
      .def_property_readonly("adviceTrials", &pva::PopscopeData::adviceTrials,
                             "The trials of changes to the program, each an AdviceTrial. The first trial is the "
                             "unchanged program; empty if nothing was tried. Each access reads the file.")
      .def_property_readonly("path", &pva::PopscopeData::path, "The path of the file; empty for a profile in memory.")
      .def_property_readonly(
          "unfinishedBeside", &pva::PopscopeData::unfinishedBeside,
          "The path of the newest unfinished profile in the folder of the file that is not older than "
          "the file; empty if there is none. A program leaves such a profile if it is killed.")
      .def("save", &pva::PopscopeData::save, py::arg("path"), py::arg("firstRun") = 0,
           "Writes the current profile, also that of a running engine, to the file `path`. The file appears complete "
           "or not at all. The file is marked as complete unless its latest run is incomplete. The file contains the "
           "runs from the call of Engine.run with the number firstRun on; 0 = the first call. Copies the profile in "
           "memory. Raises ProfileError if the file cannot be written.");
  handle<pva::Report>(m, "Report",
                      "A profile. The file stays open while the report, or any object from the report, exists. Any "
                      "access can raise ProfileError if the data that it reads is damaged.")
      .def_property_readonly("poplarVersion", &pva::Report::poplarVersion,
                             "The version of the library that wrote the profile.")
      .def_property_readonly("version", &pva::Report::version, "The version of the file format.")
      .def_property_readonly("compilation", &pva::Report::compilation,
                             "The compiled graph: memory, programs and liveness.")
      .def_property_readonly("execution", &pva::Report::execution, "The recorded runs and their cycles.")
      .def_property_readonly("instrumentationSettings", &pva::Report::instrumentationSettings,
                             "The instrumentation that the engine options requested.")
      .def_property_readonly("popscope", &pva::Report::popscope, "Extension: data that only Popscope's profiles have.")
      .def(
          "listPrintLength",
          [](const pva::Report &, const py::object &length) { record("setListPrintLength")(length); },
          py::arg("newLength"),
          "Sets the number of elements that the repr of a sequence shows, for all reports. The default is 10. Raises "
          "ValueError for a negative number, and TypeError for a value that is not an integer.");
  m.def("hostSamples", pva::hostSamples, py::arg("report"),
        "Extension: returns samples of the host resources that the program's process used, each a HostSample, in the "
        "order of time. Returns an empty list without popscope.sampleHost, or for a report without a file. Raises "
        "ProfileError if the file cannot be read.");
  m.def("measuredCycles", pva::measuredCycles, py::arg("report"),
        "Extension: returns the cycles that were measured on a real machine, each a MeasuredCycles, in the order of "
        "their import. Returns an empty list if no cycles were imported.");
}

} // namespace popscope::python
