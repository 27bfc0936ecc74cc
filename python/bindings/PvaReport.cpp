// The report of package pva, its target, its graph, and the data that only Popscope's profiles have.
#include "python/bindings/Bind.hpp"

namespace popscope::python {

void bindReport(py::module_ &m) {
  handle<pva::IPU>(m, "IPU", "One IPU of the target.")
      .def_property_readonly("tiles", &pva::IPU::tiles, "Its tiles, in order.");
  handle<pva::Target>(m, "Target", "Sizes in bytes; counts over all IPUs and replicas unless the name says otherwise.")
      .def_property_readonly("type", &pva::Target::type, "IPU, IPU Model or CPU, a Target.Type.")
      .def_property_readonly("architecture", &pva::Target::architecture, "An IPU.Architecture.")
      .def_property_readonly("numIPUs", &pva::Target::numIPUs, "Number of IPUs of all replicas.")
      .def_property_readonly("tilesPerIpu", &pva::Target::tilesPerIpu, "Number of tiles of one IPU.")
      .def_property_readonly("numTiles", &pva::Target::numTiles, "Number of tiles of all replicas.")
      .def_property_readonly("numReplicas", &pva::Target::numReplicas, "Number of replicas; 1 without replication.")
      .def_property_readonly("ipusPerReplica", &pva::Target::ipusPerReplica, "Number of IPUs of one replica.")
      .def_property_readonly("tilesPerReplica", &pva::Target::tilesPerReplica, "Number of tiles of one replica.")
      .def_property_readonly("memoryPerReplica", &pva::Target::memoryPerReplica, "Bytes.")
      .def_property_readonly("bytesPerTile", &pva::Target::bytesPerTile, "Bytes.")
      .def_property_readonly("bytesPerIPU", &pva::Target::bytesPerIPU, "Bytes.")
      .def_property_readonly("totalMemory", &pva::Target::totalMemory, "Bytes.")
      .def_property_readonly("clockFrequency", &pva::Target::clockFrequency, "Hz.")
      .def_property_readonly("architectureName", &pva::Target::architectureName,
                             "Extension: ipu1, ipu2, ipu21, cpu or a model's name.")
      .def_property_readonly("workerContexts", &pva::Target::workerContexts, "Extension: worker threads of a tile.")
      .def_property_readonly("interleavedOffset", &pva::Target::interleavedOffset,
                             "Extension: start of the interleaved region from the base, bytes; 0 = no such region.")
      .def_property_readonly("machine", &pva::Target::machine,
                             "Extension: all fields of the machine as JSON (docs/MACHINES.md).")
      .def_property_readonly("syncDelays", &pva::Target::syncDelays, "Extension: by kind.")
      .def_property_readonly("minSyncDelay", &pva::Target::minSyncDelay,
                             "Extension: the least release delay of a sync within an IPU, in cycles.")
      .def_property_readonly("relativeSyncDelayByTile", &pva::Target::relativeSyncDelayByTile,
                             "Extension: the additional release delay per tile, beyond minSyncDelay.");
  handle<pva::Graph>(m, "Graph", "Counts after lowering, including objects that the compiler added.")
      .def_property_readonly("numComputeSets", &pva::Graph::numComputeSets, "Number of compute sets.")
      .def_property_readonly("numVertices", &pva::Graph::numVertices, "Number of vertices.")
      .def_property_readonly("numEdges", &pva::Graph::numEdges, "Connections of vertex fields.")
      .def_property_readonly("numVars", &pva::Graph::numVars, "Number of variables.")
      .def_property_readonly("numVariables", &pva::Graph::numVariables, "The same as numVars.");
  handle<pva::CompilationReport>(m, "CompilationReport",
                                 "The compiled graph: target, graph, memory of tiles, programs and liveness.")
      .def_property_readonly("graph", &pva::CompilationReport::graph, "Counts of the graph after lowering.")
      .def_property_readonly("target", &pva::CompilationReport::target, "The machine that the graph was compiled for.")
      .def_property_readonly(
          "tiles", &pva::CompilationReport::tiles,
          "The tiles of all replicas, by IPU: tile = ipu * tilesPerIpu + i. The first target.tilesPerReplica are "
          "those of the first replica; the tiles of the other replicas are equal.")
      .def_property_readonly("ipus", &pva::CompilationReport::ipus, "The IPUs of all replicas, with their tiles.")
      .def_property_readonly("programs", &pva::CompilationReport::programs,
                             "All programs, sub-programs included; index = _id.")
      .def_property_readonly("controlPrograms", &pva::CompilationReport::controlPrograms,
                             "The programs that were given to the engine.")
      .def_property_readonly("functionPrograms", &pva::CompilationReport::functionPrograms, "Roots of function bodies.")
      .def_property_readonly("computeSets", &pva::CompilationReport::computeSets,
                             "All compute sets, including those of the compiler.")
      .def_property_readonly(
          "variables", &pva::CompilationReport::variables,
          "Extension: all variables of the liveness lists, with their bytes over all tiles of one replica.")
      .def_property_readonly(
          "alwaysLiveVariables", &pva::CompilationReport::alwaysLiveVariables,
          "Sizes over all tiles of one replica, bytes. Code and system data have the names of their categories.")
      .def("alwaysLiveVariablesForTile", byIndex(&pva::CompilationReport::alwaysLiveVariablesForTile), py::arg("tile"),
           "Sizes on this tile, bytes.")
      .def_property_readonly("livenessProgramSteps", &pva::CompilationReport::livenessProgramSteps,
                             "Program positions in compile-time order.")
      .def_property_readonly("loweredVariables", &pva::CompilationReport::loweredVariables,
                             "All allocations of all tiles. Empty without autoReport.outputLoweredVars.")
      .def_property_readonly("vertexTypes", &pva::CompilationReport::vertexTypes,
                             "Extension: the vertex types that the graph uses.")
      .def_property_readonly("engineOptions", &pva::CompilationReport::engineOptions,
                             "Extension: all options of the engine, with their values.")
      .def_property_readonly("targetOptions", &pva::CompilationReport::targetOptions,
                             "Extension: all options of the target, with their values.")
      .def_property_readonly("optimizations", &pva::CompilationReport::optimizations,
                             "Extension: the effects of the compiler's passes.")
      .def_property_readonly("machineCosts", &pva::CompilationReport::machineCosts, "Extension: by key.")
      .def_property_readonly(
          "flops", &pva::CompilationReport::flops,
          "Extension: floating-point operations of all compute sets, by compute set, then vertex type.")
      .def_property_readonly("messageSizes", &pva::CompilationReport::messageSizes,
                             "Extension: the combinations of message sizes, each once.");
  handle<pva::PoplarVersion>(m, "PoplarVersion",
                             "Version of the library that wrote the profile: \"3.1.0 (a027fa0bd5)\".")
      .def_property_readonly("major", &pva::PoplarVersion::majorVer, "The first number.")
      .def_property_readonly("minor", &pva::PoplarVersion::minorVer, "The second number.")
      .def_property_readonly("packageHash", &pva::PoplarVersion::packageHash,
                             "The text in brackets, which identifies the build.")
      .def_property_readonly("point", &pva::PoplarVersion::pointVer, "The third number.")
      .def_property_readonly("string", &pva::PoplarVersion::string, "The whole version as text.");
  handle<pva::ProfileReportVersion>(m, "ProfileReportVersion", "Version of the file format.")
      .def_property_readonly("isUnstableFormat", &pva::ProfileReportVersion::isUnstableFormat,
                             "False, because files of this version stay readable.")
      .def_property_readonly("major", &pva::ProfileReportVersion::majorVer, "The first number.")
      .def_property_readonly("minor", &pva::ProfileReportVersion::minorVer, "The second number.")
      .def_property_readonly("point", &pva::ProfileReportVersion::pointVer, "The third number.");
  handle<pva::InstrumentationSettings>(m, "InstrumentationSettings",
                                       "The requested instrumentation. Unknown: the profile does not contain it.")
      .def_property_readonly("compute", &pva::InstrumentationSettings::compute,
                             "debug.computeInstrumentationLevel, a ComputeInstrumentationLevel.")
      .def_property_readonly("externalExchange", &pva::InstrumentationSettings::externalExchange,
                             "debug.externalExchangeInstrumentationLevel, an ExternalExchangeInstrumentationLevel.")
      .def_property_readonly("controlFlow", &pva::InstrumentationSettings::controlFlow,
                             "Extension: whether counters of branches and iterations were requested.");
  handle<pva::PopscopeData>(m, "PopscopeData", "Extension: data that only Popscope's profiles have.")
      .def_property_readonly("codeIncluded", &pva::PopscopeData::codeIncluded,
                             "False for an IPU Model without compileIPUCode: code takes no memory in the profile.")
      .def_property_readonly("complete", &pva::PopscopeData::complete, "Whether the writer finished the file.")
      .def_property_readonly("compilePhases", &pva::PopscopeData::compilePhases,
                             "The phases of the compilation, in the order in which they began; empty without "
                             "popscope.recordCompilePhases.")
      .def(
          "plainDatabase", [](const pva::PopscopeData &data) { return py::bytes(data.plainDatabase()); },
          "The bytes of a plain SQLite database with every table and view of the profile. Costs a copy of the profile.")
      .def_property_readonly("ending", &pva::PopscopeData::ending,
                             "Where and why an incomplete profile ends; empty for a complete one.")
      .def_property_readonly("program", &pva::PopscopeData::program,
                             "The file name of the program that wrote the profile, or of its script; empty: not known.")
      .def_property_readonly("warnings", &pva::PopscopeData::warnings, "The compiler's warnings about the settings.")
      .def_property_readonly("cycleProvenance", &pva::PopscopeData::cycleProvenance,
                             "What cycles are: \"estimated\" (by a model of the machine).")
      .def_property_readonly("tilesOutOfMemory", &pva::PopscopeData::tilesOutOfMemory, "Fullest first.")
      .def_property_readonly("couldNotRun", &pva::PopscopeData::couldNotRun,
                             "Whether no program could run because the graph does not fit.")
      .def_property_readonly("alwaysLiveBytes", &pva::PopscopeData::alwaysLiveBytes, "Bytes of one replica.")
      .def_property_readonly("maxLiveBytes", &pva::PopscopeData::maxLiveBytes,
                             "Maximum of live bytes of one replica, including always-live bytes.")
      .def_property_readonly(
          "livenessAdvice", &pva::PopscopeData::livenessAdvice,
          "Why variables are live, what is false-live (no path reads it), and where a WriteUndef helps.")
      .def_property_readonly("hasVariableAccesses", &pva::PopscopeData::hasVariableAccesses,
                             "Whether the file contains the accesses of programs to variables. It does if liveness is "
                             "explained, except in older files.")
      .def("variableAccesses", &pva::PopscopeData::variableAccesses, py::arg("variable"),
           "The accesses of programs to a variable, by program; empty if the file does not contain them.")
      .def_property_readonly(
          "adviceTrials", &pva::PopscopeData::adviceTrials,
          "The trials of changes of the program, the unchanged program first; empty if nothing was tried.")
      .def_property_readonly("path", &pva::PopscopeData::path, "The path of the file; empty for a profile in memory.")
      .def("save", &pva::PopscopeData::save, py::arg("path"),
           "Writes the present contents of the profile to the file `path`, which appears at once or not at all.");
  handle<pva::Report>(m, "Report", "A profile. The file stays open while the report, or any object from it, is in use.")
      .def_property_readonly("poplarVersion", &pva::Report::poplarVersion, "Version of the library that wrote it.")
      .def_property_readonly("version", &pva::Report::version, "Version of the file format.")
      .def_property_readonly("compilation", &pva::Report::compilation,
                             "The compiled graph: memory, programs and liveness.")
      .def_property_readonly("execution", &pva::Report::execution, "The recorded runs and their cycles.")
      .def_property_readonly("instrumentationSettings", &pva::Report::instrumentationSettings,
                             "The requested instrumentation.")
      .def_property_readonly("popscope", &pva::Report::popscope, "Extension: data that only Popscope's profiles have.")
      .def(
          "listPrintLength",
          [](const pva::Report &, const py::object &length) { record("setListPrintLength")(length); },
          py::arg("newLength"),
          "Sets the number of elements that the repr of a sequence shows, for all reports; default 10.");
  m.def("hostSamples", pva::hostSamples, py::arg("report"),
        "Extension: samples of the host resources of the program's process, in the order of time; empty without "
        "popscope.sampleHost.");
  m.def("measuredCycles", pva::measuredCycles, py::arg("report"),
        "Extension: cycles measured on a real machine, in the order of their import; empty if nothing was imported.");
}

} // namespace popscope::python
