// The execution part of package pva, the operations of debug.cbor, and traces of the host.
#include "python/bindings/Bind.hpp"

namespace popscope::python {
namespace {

void bindRuns(py::module_ &m) {
  auto computeSet =
      handle<pva::ComputeSet>(m, "ComputeSet", "A compute set as compiled. Equality and hash are by compute set.");
  comparable(computeSet)
      .def_property_readonly("name", &pva::ComputeSet::name, "Its debug name.")
      .def_property_readonly("vertices", &pva::ComputeSet::vertices, "One entry per vertex type.")
      .def_property_readonly("operands", &pva::ComputeSet::operands,
                             "Extension: the operands, by vertex type, then field.")
      .def_property_readonly("flops", &pva::ComputeSet::flops,
                             "Extension: floating-point operations of all its vertices, the sum over their types.")
      .def_property_readonly("estimatedCyclesByTile", &pva::ComputeSet::estimatedCyclesByTile,
                             "Cycles by tile; empty if there is no estimate.")
      .def_property_readonly("cycleSources", &pva::ComputeSet::cycleSources,
                             "Extension: the sources of cycles in the recorded runs, by vertex type and source; empty "
                             "before the first run.")
      .def_property_readonly("_id", &pva::ComputeSet::_id);
  handle<pva::ExecutionStepIpu>(
      m, "ExecutionStepIpu", "The part of a step on one IPU. Balances are between 0 and 1, and 0 if nothing was done.")
      .def_property_readonly("cycles", &pva::ExecutionStepIpu::cycles,
                             "Cycles from the first active tile's start to the last one's end.")
      .def_property_readonly("allCycles", &pva::ExecutionStepIpu::allCycles,
                             "Range of cycles over all tiles, including waiting.")
      .def_property_readonly("activeCycles", &pva::ExecutionStepIpu::activeCycles,
                             "Range of cycles over the tiles with work in the step.")
      .def_property_readonly("activeTiles", &pva::ExecutionStepIpu::activeTiles, "Tiles with work in the step.")
      .def_property_readonly("tileBalance", &pva::ExecutionStepIpu::tileBalance,
                             "Mean over all tiles of busy cycles / cycles.")
      .def_property_readonly("activeTileBalance", &pva::ExecutionStepIpu::activeTileBalance,
                             "Mean over active tiles of busy cycles / cycles.")
      .def_property_readonly("dataBalance", &pva::ExecutionStepIpu::dataBalance,
                             "Mean over tiles of their data / the largest of a tile.")
      .def_property_readonly("dataIn", &pva::ExecutionStepIpu::dataIn, "Bytes received.")
      .def_property_readonly("dataOut", &pva::ExecutionStepIpu::dataOut, "Bytes sent.")
      .def_property_readonly("busyCycles", &pva::ExecutionStepIpu::busyCycles,
                             "Extension: sum over tiles of cycles in the step's work.")
      .def_property_readonly(
          "cyclesKnown", &pva::ExecutionStepIpu::cyclesKnown,
          "Extension: False if the instrumentation of the device did not record the cycles, which are then 0.")
      .def_property_readonly("busyCyclesKnown", &pva::ExecutionStepIpu::busyCyclesKnown,
                             "Extension: the same for busy cycles, and therefore for both tile balances.")
      .def_property_readonly("timeKnown", &pva::ExecutionStepIpu::timeKnown, "Extension: the same for the ranges.")
      .def_property_readonly("maxTileData", &pva::ExecutionStepIpu::maxTileData,
                             "Extension: maximum over tiles of bytes sent + received.")
      .def_property_readonly("tiles", &pva::ExecutionStepIpu::tiles, "Extension: tiles of the IPU.");
  handle<pva::ExecutionComputeSet>(m, "ExecutionComputeSet", "A compute set as executed by a step.")
      .def_property_readonly("name", &pva::ExecutionComputeSet::name, "Its debug name.")
      .def_property_readonly("vertices", &pva::ExecutionComputeSet::vertices,
                             "The vertices that ran, one entry per vertex type.")
      .def_property_readonly("cyclesByTile", &pva::ExecutionComputeSet::cyclesByTile,
                             "Cycles per tile; empty if not known.")
      .def_property_readonly("estimatedCyclesByTile", &pva::ExecutionComputeSet::estimatedCyclesByTile,
                             "Compile-time estimate, cycles by tile; empty if there is none.");
  handle<pva::WorkerSlots>(
      m, "WorkerSlots",
      "Extension: the load of each tile's worker slots in a step with a compute set. On each tile  cyclesByTile = "
      "count * (maximum of threadCyclesByTile over slots) + supervisorCyclesByTile")
      .def_property_readonly("known", &pva::WorkerSlots::known,
                             "False: there is no compute set, or its slots were not recorded. Then count is 0.")
      .def_property_readonly("_id", &pva::WorkerSlots::_id,
                             "An id that is equal for steps with equal slots; 0 if not known.")
      .def_property_readonly("count", &pva::WorkerSlots::count, "Worker slots of a tile.")
      .def("threadCyclesByTile", byIndex(&pva::WorkerSlots::threadCyclesByTile), py::arg("slot"),
           "Thread cycles of one slot per tile. Raises IndexError for a slot that a tile does not have.")
      .def_property_readonly("supervisorCyclesByTile", &pva::WorkerSlots::supervisorCyclesByTile,
                             "Tile cycles of supervisor vertices by tile; empty if not known.")
      .def_property_readonly(
          "dealtVertices", &pva::WorkerSlots::dealtVertices,
          "Worker vertices of tiles with more of them than slots; on other tiles each slot has one vertex, in order.");
  handle<pva::ExecutionStep>(m, "ExecutionStep", "One executed program of a run.")
      .def_property_readonly("program", &pva::ExecutionStep::program, "The program that was executed.")
      .def_property_readonly("ipus", &pva::ExecutionStep::ipus, "The part of the step on each IPU.")
      .def_property_readonly("computeSets", &pva::ExecutionStep::computeSets,
                             "The compute sets that it executed; empty for a program without vertices.")
      .def_property_readonly("cyclesByTile", &pva::ExecutionStep::cyclesByTile,
                             "Cycles per tile, 0 = tile not involved; empty for a Sync and if not known.")
      .def_property_readonly("vertexTypes", &pva::ExecutionStep::vertexTypes,
                             "Extension: cycles by vertex type, most first.")
      .def_property_readonly("threadCyclesKnown", &pva::ExecutionStep::threadCyclesKnown, "Extension.")
      .def_property_readonly("threadCycles", &pva::ExecutionStep::threadCycles,
                             "Extension: busy cycles without idle threads, sum over tiles; 0 if not known.")
      .def_property_readonly("workerSlots", &pva::ExecutionStep::workerSlots,
                             "Extension: the load of each tile's worker slots.");
  handle<pva::Run>(m, "Run", "One recorded call of Engine.run.")
      .def_property_readonly("name", &pva::Run::name, "The debug name given to the run.")
      .def_property_readonly("steps", &pva::Run::steps, "The executed steps, in order.")
      .def_property_readonly("microseconds", &pva::Run::microseconds, "Start and end on the host clock, microseconds.")
      .def_property_readonly("program", &pva::Run::program, "Extension: index given to Engine.run.")
      .def_property_readonly("totalCycles", &pva::Run::totalCycles, "Extension: cycles of this run.")
      .def_property_readonly("numberKnown", &pva::Run::numberKnown,
                             "Extension: False if the number is not recorded, which is then 0.")
      .def_property_readonly("number", &pva::Run::number, "Extension: number of earlier calls of Engine.run.")
      .def_property_readonly("label", &pva::Run::label,
                             "Extension: the label of the popscope::profile::Scope in which it ran, or empty.")
      .def_property_readonly("controlFlow", &pva::Run::controlFlow,
                             "Extension: loops and conditionals, by program; empty if the device does not record them.")
      .def_property_readonly("executions", &pva::Run::executions,
                             "Extension: every execution, by program; empty without popscope.recordEveryExecution.")
      .def_property_readonly(
          "memorySamples", &pva::Run::memorySamples,
          "Extension: live memory at every n-th step, in order; empty without popscope.sampleMemory.")
      .def_property_readonly(
          "categories", &pva::Run::categories,
          "Extension: the kinds of steps whose time is recorded: all of compute, exchange, globalExchange, host, sync "
          "and controlFlow unless popscope.profileCategories or a popscope::profile::Scope selected some.")
      .def_property_readonly("lastVertexTypes", &pva::Run::lastVertexTypes,
                             "Extension: ExecutionReport.lastVertexTypes for the vertices that this run executed.")
      .def_property_readonly("complete", &pva::Run::complete,
                             "Extension: False while it is running or if it was cut short.");
  handle<pva::ExecutionReport>(m, "ExecutionReport",
                               "The recorded execution. Without one: no runs, no steps, a total of 0.")
      .def_property_readonly("steps", &pva::ExecutionReport::steps, "The steps of all runs, in order.")
      .def_property_readonly("runs", &pva::ExecutionReport::runs, "The recorded calls of Engine.run, in order.")
      .def_property_readonly("totalCycles", &pva::ExecutionReport::totalCycles, "Sum over the recorded runs.")
      .def("cyclesOfTile", byIndex(&pva::ExecutionReport::cyclesOfTile), py::arg("tile"),
           "Extension: cyclesByTile[tile] of all steps, in order, in one pass; 0 for a step without cycles. Empty for "
           "a tile of another replica than the first.")
      .def_property_readonly("vertexTypes", &pva::ExecutionReport::vertexTypes,
                             "Extension: sums over every execution in all runs, by vertex type.")
      .def_property_readonly("lastVertexTypes", &pva::ExecutionReport::lastVertexTypes,
                             "Extension: counts each vertex once, by vertex type: its last recorded execution, "
                             "otherwise its estimate. `instances` is the number of vertices with known cycles.")
      .def_property_readonly("vertices", &pva::ExecutionReport::vertices,
                             "Extension: single vertices; empty without debug.computeInstrumentationLevel = vertex.")
      .def("blocks", byIndex(&pva::ExecutionReport::blocks), py::arg("tile"),
           "Blocks of lightweight profiling on a tile, in the order of their beginnings, an outer block before "
           "those "
           "in it; empty for a tile that recorded none.")
      .def_property_readonly("pausedSpans", &pva::ExecutionReport::pausedSpans,
                             "Extension: the runs that were left out, by number.");
}

void bindOperations(py::module_ &m) {
  handle<pva::DebugContext>(m, "DebugContext",
                            "One recorded DebugInfo. An object with id 0 and empty text stands for none.")
      .def_property_readonly("id", &pva::DebugContext::id, "Its number; 0 stands for none.")
      .def(
          "__eq__",
          [](const pva::DebugContext &a, const pva::DebugContext &b) {
            return a.id() == b.id() && a.json() == b.json();
          },
          py::is_operator())
      .def("__hash__", [](const pva::DebugContext &a) { return a.id(); })
      .def_property_readonly("json", &pva::DebugContext::json, "The record as JSON.")
      .def_property_readonly("layer", &pva::DebugContext::layer, "A JSON object with the one key \"layer\".")
      .def_property_readonly("parents", &pva::DebugContext::parents,
                             "The context in which this one was created, if it was recorded.")
      .def_property_readonly("location", &pva::DebugContext::location,
                             "The place in the source where it was created, a DebugLocation; empty text if not known.")
      .def_property_readonly("name", &pva::DebugContext::name,
                             "Extension: the debug name, with those of the enclosing contexts.");
  handle<pva::Operation>(
      m, "Operation",
      "One debug context and its programs: those that were created directly in the context, not in a context inside "
      "it. The programs of a loaded executable do not know their context. There, a program belongs to the context with "
      "the longest name that equals the program's name or is a prefix of its path.")
      .def_property_readonly("name", &pva::Operation::name, "The name of its debug context.")
      .def("programs", &pva::Operation::programs, "Its programs, in program order.")
      .def_property_readonly("vars", &pva::Operation::vars, "Lowered variables that its programs occupy, each once.")
      .def_property_readonly("flops", &pva::Operation::flops,
                             "Extension: floating-point operations of one execution of each of its programs.")
      .def_property_readonly("firstStepIndex", &pva::Operation::firstStepIndex,
                             "Index into livenessProgramSteps; 0 for an operation without programs there.")
      .def_property_readonly("lastStepIndex", &pva::Operation::lastStepIndex, "Inclusive.")
      .def_property_readonly("debugContext", &pva::Operation::debugContext, "Its debug context.")
      .def_property_readonly("replacedDebugContext", &pva::Operation::replacedDebugContext,
                             "Always empty: nothing replaces contexts.");
  handle<pva::OperationAnalysis>(
      m, "OperationAnalysis",
      "One operation for each context, or, in a profile that matches by name, for each "
      "name; in the order in which contexts were made. None for a report without debug information. Raises "
      "ProfileError, which names the path, if the debug file cannot be read.")
      .def(py::init<const pva::Report &>(), py::arg("report"))
      .def_property_readonly("operations", &pva::OperationAnalysis::operations, "The operations.");
}

void bindTraces(py::module_ &m) {
  handle<pva::Event>(
      m, "Event",
      "An event with a beginning and an end on one thread. Times are microseconds of the host's clock, since 1970.")
      .def_property_readonly("label", &pva::Event::label, "The label of the event.")
      .def_property_readonly("channel", &pva::Event::channel, "The name of its channel.")
      .def_property_readonly("timestamp", &pva::Event::timestamp, "When it began.")
      .def_property_readonly("duration", &pva::Event::duration, "The duration; 0 for an instant.")
      .def_property_readonly(
          "isClosed", &pva::Event::isClosed,
          "Extension: False if the trace ends before the event does. It then lasts until the thread's last record.")
      .def("children", &pva::Event::children, "Events within it.");
  handle<pva::Thread>(m, "Thread", "One thread of a traced process.")
      .def_property_readonly("tid", &pva::Thread::tid, "The number of the thread in the system.")
      .def_property_readonly("events", &pva::Thread::events, "The events that lie in no other event.");
  handle<pva::Process>(m, "Process", "One traced process.")
      .def_property_readonly("pid", &pva::Process::pid, "The number of the process in the system.")
      .def_property_readonly("threads", &pva::Process::threads, "In the order of their first records.")
      .def("thread", &pva::Process::thread, py::arg("tid"),
           "Returns a thread. Raises IndexError if the process has none with this number.");
  handle<pva::Trace>(m, "Trace", "A trace that libpvti, or a C++ program with <pvti/pvti.hpp>, wrote.")
      .def_property_readonly("processes", &pva::Trace::processes, "In the order of their first records.")
      .def("process", &pva::Trace::process, py::arg("pid"),
           "Returns a process. Raises IndexError if the trace has none with this number.");
  m.def("openTrace", pva::openTrace, py::arg("path"), py::call_guard<py::gil_scoped_release>());
}

} // namespace

void bindExecution(py::module_ &m) {
  bindRuns(m);
  bindOperations(m);
  bindTraces(m);
}

} // namespace popscope::python
