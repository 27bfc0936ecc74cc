// The execution part of package pva, the operations of debug.cbor, and traces of the host.
#include "python/bindings/Bind.hpp"

namespace popscope::python {
namespace {

void bindRuns(py::module_ &m) {
  auto computeSet = handle<pva::ComputeSet>(
      m, "ComputeSet", "A compiled compute set. Equality and hash depend only on the compute set.");
  comparable(computeSet)
      .def_property_readonly("name", &pva::ComputeSet::name, "The debug name.")
      .def_property_readonly("vertices", &pva::ComputeSet::vertices,
                             "The vertices of the compute set, one VertexInstances per vertex type.")
      .def_property_readonly("operands", &pva::ComputeSet::operands,
                             "Extension: the accesses of the vertices through their fields, each a VertexOperand, "
                             "sorted by vertex type, then field.")
      .def_property_readonly(
          "flops", &pva::ComputeSet::flops,
          "Extension: the floating-point operations of all vertices of the compute set in one execution, a Flops.")
      .def_property_readonly("estimatedCyclesByTile", &pva::ComputeSet::estimatedCyclesByTile,
                             "The cycles per tile in one execution, if the cycles of all vertices are known before "
                             "they run; otherwise empty. Always empty on a device, which measures cycles.")
      .def_property_readonly("cycleSources", &pva::ComputeSet::cycleSources,
                             "Extension: the sources of cycles in the recorded runs, each a CycleSource, sorted by "
                             "vertex type, then source; empty before the first run.")
      .def_property_readonly("_id", &pva::ComputeSet::_id);
  handle<pva::ExecutionStepIpu>(
      m, "ExecutionStepIpu",
      "The part of a step on one IPU. Balances are between 0 and 1, and 0 if no tile did anything.")
      .def_property_readonly("cycles", &pva::ExecutionStepIpu::cycles,
                             "The cycles from the start of the first active tile to the end of the last active tile.")
      .def_property_readonly(
          "allCycles", &pva::ExecutionStepIpu::allCycles,
          "The cycles at which tiles enter and leave the step, over all tiles, including waiting; a CycleRange.")
      .def_property_readonly(
          "activeCycles", &pva::ExecutionStepIpu::activeCycles,
          "The cycles at which tiles enter and leave the step, over the tiles with work in the step; a CycleRange.")
      .def_property_readonly("activeTiles", &pva::ExecutionStepIpu::activeTiles,
                             "The number of tiles with work in the step.")
      .def_property_readonly("tileBalance", &pva::ExecutionStepIpu::tileBalance,
                             "The mean over all tiles of busy cycles / cycles.")
      .def_property_readonly("activeTileBalance", &pva::ExecutionStepIpu::activeTileBalance,
                             "The mean over active tiles of busy cycles / cycles.")
      .def_property_readonly(
          "dataBalance", &pva::ExecutionStepIpu::dataBalance,
          "The mean over all tiles of the sent and received bytes, divided by the maximum over tiles.")
      .def_property_readonly("dataIn", &pva::ExecutionStepIpu::dataIn, "The bytes that the tiles of the IPU receive.")
      .def_property_readonly("dataOut", &pva::ExecutionStepIpu::dataOut, "The bytes that the tiles of the IPU send.")
      .def_property_readonly("busyCycles", &pva::ExecutionStepIpu::busyCycles,
                             "Extension: the cycles in which tiles work on the step, summed over tiles.")
      .def_property_readonly("cyclesKnown", &pva::ExecutionStepIpu::cyclesKnown,
                             "Extension: whether the instrumentation recorded cycles. If False, cycles is 0.")
      .def_property_readonly("busyCyclesKnown", &pva::ExecutionStepIpu::busyCyclesKnown,
                             "Extension: whether the instrumentation recorded busyCycles. If False, busyCycles and "
                             "both tile balances are 0.")
      .def_property_readonly(
          "timeKnown", &pva::ExecutionStepIpu::timeKnown,
          "Extension: whether the instrumentation recorded allCycles and activeCycles. If False, their members are 0.")
      .def_property_readonly("maxTileData", &pva::ExecutionStepIpu::maxTileData,
                             "Extension: the largest number of bytes that one tile sends and receives together.")
      .def_property_readonly("tiles", &pva::ExecutionStepIpu::tiles, "Extension: the number of tiles of the IPU.");
  handle<pva::ExecutionComputeSet>(m, "ExecutionComputeSet", "A compute set that a step executes.")
      .def_property_readonly("name", &pva::ExecutionComputeSet::name, "The debug name.")
      .def_property_readonly("vertices", &pva::ExecutionComputeSet::vertices,
                             "The vertices of the compute set, one VertexInstances per vertex type.")
      .def_property_readonly("cyclesByTile", &pva::ExecutionComputeSet::cyclesByTile,
                             "The cycles per tile; empty if they are unknown.")
      .def_property_readonly(
          "estimatedCyclesByTile", &pva::ExecutionComputeSet::estimatedCyclesByTile,
          "The cycles per tile in one execution, as estimated at compile time; empty if there is no estimate.");
  handle<pva::WorkerSlots>(
      m, "WorkerSlots",
      "Extension: the load of each tile's worker slots in a step with a compute set.\n\nOn each tile:\n\n  "
      "cyclesByTile = count * (maximum of threadCyclesByTile over slots) + supervisorCyclesByTile")
      .def_property_readonly("known", &pva::WorkerSlots::known,
                             "Whether the slots are known. False = the step has no compute set, or its slots were not "
                             "recorded; count is then 0.")
      .def_property_readonly("_id", &pva::WorkerSlots::_id,
                             "An id that is equal for steps with equal slots; 0 = unknown.")
      .def_property_readonly("count", &pva::WorkerSlots::count,
                             "The number of worker slots of a tile; 0 if they are unknown.")
      .def("threadCyclesByTile", byIndex(&pva::WorkerSlots::threadCyclesByTile), py::arg("slot"),
           "Returns the thread cycles of one slot per tile. Raises IndexError if tiles do not have this slot.")
      .def_property_readonly("supervisorCyclesByTile", &pva::WorkerSlots::supervisorCyclesByTile,
                             "The tile cycles of supervisor vertices per tile; empty if they are unknown.")
      .def_property_readonly("dealtVertices", &pva::WorkerSlots::dealtVertices,
                             "The worker vertices of tiles with more vertices than slots, a DealtVertices. On other "
                             "tiles, vertex i is alone in slot i.");
  handle<pva::ExecutionStep>(m, "ExecutionStep", "One executed program of a run.")
      .def_property_readonly("program", &pva::ExecutionStep::program, "The executed program.")
      .def_property_readonly("ipus", &pva::ExecutionStep::ipus,
                             "The part of the step on each IPU, each an ExecutionStepIpu.")
      .def_property_readonly("computeSets", &pva::ExecutionStep::computeSets,
                             "The compute sets that the step executed; empty for a program without vertices.")
      .def_property_readonly(
          "cyclesByTile", &pva::ExecutionStep::cyclesByTile,
          "The cycles per tile; 0 = the tile takes no part. Empty for a Sync, or if the cycles are unknown.")
      .def_property_readonly(
          "vertexTypes", &pva::ExecutionStep::vertexTypes,
          "Extension: the cycles of each vertex type, each a VertexTypeCycles. The type with the most cycles is first.")
      .def_property_readonly("threadCyclesKnown", &pva::ExecutionStep::threadCyclesKnown,
                             "Extension: whether threadCycles is known.")
      .def_property_readonly(
          "threadCycles", &pva::ExecutionStep::threadCycles,
          "Extension: the busy cycles without idle threads, summed over tiles; 0 if they are unknown.")
      .def_property_readonly("workerSlots", &pva::ExecutionStep::workerSlots,
                             "Extension: the load of each tile's worker slots, a WorkerSlots.");
  handle<pva::Run>(m, "Run", "One recorded call of Engine.run.")
      .def_property_readonly("name", &pva::Run::name, "The debug name that was passed to Engine.run.")
      .def_property_readonly("steps", &pva::Run::steps, "The executed steps, in the order of time.")
      .def_property_readonly("microseconds", &pva::Run::microseconds,
                             "The start and the end on the host clock, in microseconds, a Microseconds. Both are 0 if "
                             "the clock was not read; they are equal if the run did not end.")
      .def_property_readonly("program", &pva::Run::program,
                             "Extension: the index of the program that was passed to Engine.run.")
      .def_property_readonly("totalCycles", &pva::Run::totalCycles, "Extension: the cycles of this run, a CycleTotals.")
      .def_property_readonly("numberKnown", &pva::Run::numberKnown,
                             "Extension: whether number is known. If False, number is 0.")
      .def_property_readonly("number", &pva::Run::number,
                             "Extension: the number of earlier calls of Engine.run, which include unrecorded calls; 0 "
                             "if numberKnown is False.")
      .def_property_readonly("label", &pva::Run::label,
                             "Extension: the labels of the scopes that were open during the run (popscope.poplar.Scope "
                             "or popscope.profile), joined by \"/\"; empty = none.")
      .def_property_readonly("controlFlow", &pva::Run::controlFlow,
                             "Extension: the last execution of each loop and conditional, each a ControlFlow, sorted "
                             "by program; empty if the device does not record them.")
      .def_property_readonly("executions", &pva::Run::executions,
                             "Extension: all executions of each program, each a ProgramExecutions, sorted by program; "
                             "empty without popscope.recordEveryExecution.")
      .def_property_readonly("memorySamples", &pva::Run::memorySamples,
                             "Extension: the live memory at every n-th step, each a MemorySample, in the order of "
                             "time. The engine option popscope.sampleMemory sets n; empty without this option.")
      .def_property_readonly(
          "categories", &pva::Run::categories,
          "Extension: the kinds of steps whose time is recorded. These are compute, exchange, globalExchange, host, "
          "sync and controlFlow, unless popscope.profileCategories or a popscope.poplar.Scope selects some of them.")
      .def_property_readonly("lastVertexTypes", &pva::Run::lastVertexTypes,
                             "Extension: the cycles of each vertex type as in ExecutionReport.lastVertexTypes, but "
                             "only for the vertices that this run executed.")
      .def_property_readonly(
          "complete", &pva::Run::complete,
          "Extension: whether the run is complete. False = the run was cut short or is still running.");
  handle<pva::ExecutionReport>(
      m, "ExecutionReport",
      "The recorded execution. If no run was recorded, it has no runs, no steps and a total of 0 cycles.")
      .def_property_readonly("steps", &pva::ExecutionReport::steps,
                             "The steps of all recorded runs, in the order of time.")
      .def_property_readonly("runs", &pva::ExecutionReport::runs,
                             "The recorded calls of Engine.run, in the order of time.")
      .def_property_readonly("totalCycles", &pva::ExecutionReport::totalCycles,
                             "The cycles of all recorded runs together, a CycleTotals.")
      .def("cyclesOfTile", byIndex(&pva::ExecutionReport::cyclesOfTile), py::arg("tile"),
           "Extension: returns cyclesByTile[tile] of all steps, in the order of steps, in one pass. A step without "
           "cycles has 0. Returns an empty list for a tile outside the first replica. Raises IndexError if the target "
           "has no such tile.")
      .def_property_readonly("vertexTypes", &pva::ExecutionReport::vertexTypes,
                             "Extension: the cycles of each vertex type, each a VertexTypeCycles, summed over all "
                             "executions in all recorded runs.")
      .def_property_readonly("lastVertexTypes", &pva::ExecutionReport::lastVertexTypes,
                             "Extension: the cycles of each vertex type, each a VertexTypeCycles. Each vertex counts "
                             "once: with the cycles of its last recorded execution, or with its estimate if no "
                             "execution was recorded. `instances` is the number of vertices with known cycles.")
      .def_property_readonly("vertices", &pva::ExecutionReport::vertices,
                             "Extension: the cycles of single vertices, each a VertexExecution, sorted by compute set; "
                             "empty without debug.computeInstrumentationLevel = vertex.")
      .def("blocks", byIndex(&pva::ExecutionReport::blocks), py::arg("tile"),
           "Returns the blocks of lightweight profiling on a tile, each a Block, sorted by beginning. An outer block "
           "comes before the blocks within it. Returns an empty list if no blocks were recorded on the tile. Raises "
           "IndexError if the target has no such tile.")
      .def_property_readonly("pausedSpans", &pva::ExecutionReport::pausedSpans,
                             "Extension: the spans of calls of Engine.run that were not recorded, each a PausedSpan, "
                             "in the order of time.");
}

void bindOperations(py::module_ &m) {
  handle<pva::DebugContext>(m, "DebugContext",
                            "A recorded DebugInfo. An object with id 0 and empty texts stands for no record.")
      .def_property_readonly("id", &pva::DebugContext::id, "The id of the DebugInfo; 0 = no record.")
      .def(
          "__eq__",
          [](const pva::DebugContext &a, const pva::DebugContext &b) {
            return a.id() == b.id() && a.json() == b.json();
          },
          py::is_operator())
      .def("__hash__", [](const pva::DebugContext &a) { return a.id(); })
      .def_property_readonly("json", &pva::DebugContext::json, "The record as JSON text.")
      .def_property_readonly("layer", &pva::DebugContext::layer,
                             "The layer as JSON text: an object with the single key \"layer\".")
      .def_property_readonly(
          "parents", &pva::DebugContext::parents,
          "A list with the context in which this context was created; empty if that context was not recorded.")
      .def_property_readonly("location", &pva::DebugContext::location,
                             "The place in the source code where the context was created, a DebugLocation; its texts "
                             "are empty if the place is unknown.")
      .def_property_readonly("name", &pva::DebugContext::name,
                             "Extension: the debug name, preceded by the names of the enclosing contexts.");
  handle<pva::Operation>(
      m, "Operation",
      "One debug context, and the programs that were created directly in this context, not in a nested context. The "
      "programs of a loaded executable do not contain their context. Such a program belongs to the context with the "
      "longest name that equals the program's name or is a prefix of its path.")
      .def_property_readonly("name", &pva::Operation::name, "The name of the debug context.")
      .def("programs", &pva::Operation::programs, "Returns the programs of the operation, in program order.")
      .def_property_readonly("vars", &pva::Operation::vars,
                             "The lowered variables that occupy memory while the operation's programs run, except "
                             "always-live variables. Each variable occurs once.")
      .def_property_readonly(
          "flops", &pva::Operation::flops,
          "Extension: the floating-point operations if each program of the operation runs once, a Flops.")
      .def_property_readonly(
          "firstStepIndex", &pva::Operation::firstStepIndex,
          "The first index in livenessProgramSteps of the operation's programs; 0 if none of them is in that list.")
      .def_property_readonly("lastStepIndex", &pva::Operation::lastStepIndex,
                             "The last index in livenessProgramSteps of the operation's programs, inclusive; 0 if none "
                             "of them is in that list.")
      .def_property_readonly("debugContext", &pva::Operation::debugContext, "The debug context of the operation.")
      .def_property_readonly("replacedDebugContext", &pva::Operation::replacedDebugContext,
                             "An empty list, because Popscope never replaces a debug context.");
  handle<pva::OperationAnalysis>(
      m, "OperationAnalysis",
      "The operations of a report, in the order in which their contexts were created. There is one operation per "
      "context, or one operation per name if the programs contain no contexts. A report without debug information has "
      "no operations. The constructor raises ProfileError, which names the path, if the debug file cannot be read.")
      .def(py::init<const pva::Report &>(), py::arg("report"))
      .def_property_readonly("operations", &pva::OperationAnalysis::operations,
                             "The operations, in the order in which their contexts were created.");
}

void bindTraces(py::module_ &m) {
  handle<pva::Event>(
      m, "Event",
      "An event with a beginning and an end on one thread. Times are in microseconds of the host's clock, since 1970.")
      .def_property_readonly("label", &pva::Event::label, "The label of the event.")
      .def_property_readonly("channel", &pva::Event::channel, "The name of the event's channel.")
      .def_property_readonly("timestamp", &pva::Event::timestamp,
                             "The beginning of the event, in microseconds since 1970.")
      .def_property_readonly("duration", &pva::Event::duration, "The duration in microseconds; 0 for an instant.")
      .def_property_readonly("isClosed", &pva::Event::isClosed,
                             "Extension: whether the trace contains the end of the event. If False, the event lasts "
                             "until the thread's last record.")
      .def("children", &pva::Event::children, "Returns the events directly within this event.");
  handle<pva::Thread>(m, "Thread", "One thread of a traced process.")
      .def_property_readonly("tid", &pva::Thread::tid, "The number of the thread in the operating system.")
      .def_property_readonly("events", &pva::Thread::events, "The events that are not within another event.");
  handle<pva::Process>(m, "Process", "One traced process.")
      .def_property_readonly("pid", &pva::Process::pid, "The number of the process in the operating system.")
      .def_property_readonly("threads", &pva::Process::threads,
                             "The threads of the process, in the order of their first records.")
      .def("thread", &pva::Process::thread, py::arg("tid"),
           "Returns the thread with the number `tid`. Raises IndexError if the process has no such thread.");
  handle<pva::Trace>(m, "Trace", "A trace that the package libpvti, or a C++ program with <pvti/pvti.hpp>, wrote.")
      .def_property_readonly("processes", &pva::Trace::processes,
                             "The processes of the trace, in the order of their first records.")
      .def("process", &pva::Trace::process, py::arg("pid"),
           "Returns the process with the number `pid`. Raises IndexError if the trace has no such process.");
  m.def("openTrace", pva::openTrace, py::arg("path"), py::call_guard<WithoutGil>());
}

} // namespace

void bindExecution(py::module_ &m) {
  bindRuns(m);
  bindOperations(m);
  bindTraces(m);
}

} // namespace popscope::python
