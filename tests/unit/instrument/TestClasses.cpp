#include "TestClasses.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace popscope::test {
namespace {

struct AddObject {
  HostSpan in, out;
  std::int32_t bias;
};
struct TickObject {
  std::int32_t count;
  std::int32_t *out;
};
struct FlagObject {
  bool good;
};
struct DecrementObject {
  std::int32_t *value;
};
struct CostedObject {
  std::uint32_t cycles;
};
struct SpanObject {
  HostSpan span;
};
struct GatherObject {
  HostSpan lists, singles, weights;
  std::int32_t *out;
};

bool runAdd(void *object, unsigned) {
  auto *o = static_cast<AddObject *>(object);
  for (std::size_t i = 0; i < o->out.size; ++i)
    static_cast<std::int32_t *>(o->out.data)[i] = static_cast<std::int32_t *>(o->in.data)[i] + o->bias;
  return true;
}

bool runTick(void *object, unsigned) {
  auto *o = static_cast<TickObject *>(object);
  *o->out = ++o->count;
  return true;
}

bool runGather(void *object, unsigned) {
  auto *o = static_cast<GatherObject *>(object);
  std::int32_t sum = 1000 * static_cast<std::int32_t>(o->lists.size);
  const auto addSpan = [&](const HostSpan &span) {
    for (std::size_t i = 0; i < span.size; ++i)
      sum += static_cast<std::int32_t *>(span.data)[i];
  };
  for (std::size_t l = 0; l < o->lists.size; ++l)
    addSpan(static_cast<HostSpan *>(o->lists.data)[l]);
  for (std::size_t s = 0; s < o->singles.size; ++s)
    sum += *static_cast<std::int32_t **>(o->singles.data)[s];
  addSpan(o->weights);
  *o->out = sum;
  return true;
}

FieldInfo makeField(const char *name, FieldDirection direction, FieldShape shape, ElementType type,
                    std::size_t offset) {
  FieldInfo field;
  field.name = name;
  field.direction = direction;
  field.shape = shape;
  field.type = type;
  field.hostOffset = offset;
  return field;
}

template <class Object>
VertexClass makeClass(const char *name, std::vector<FieldInfo> fields, bool (*run)(void *, unsigned),
                      VertexClassKind kind = VertexClassKind::Worker) {
  VertexClass c;
  c.name = name;
  c.kind = kind;
  c.fields = std::move(fields);
  c.hostSize = sizeof(Object);
  c.hostAlign = alignof(Object);
  c.run = run;
  return c;
}

bool runNothing(void *, unsigned) { return true; }

} // namespace

TestClasses::TestClasses() {
  using enum FieldDirection;
  using enum FieldShape;
  const auto kInt = ElementType::Int;
  add = codelets.addClass(makeClass<AddObject>("Add",
                                               {makeField("in", Input, Vector, kInt, offsetof(AddObject, in)),
                                                makeField("out", Output, Vector, kInt, offsetof(AddObject, out)),
                                                makeField("bias", State, Scalar, kInt, offsetof(AddObject, bias))},
                                               runAdd));
  tick = codelets.addClass(makeClass<TickObject>("Tick",
                                                 {makeField("count", State, Scalar, kInt, offsetof(TickObject, count)),
                                                  makeField("out", Output, Scalar, kInt, offsetof(TickObject, out))},
                                                 runTick));
  flag = codelets.addClass(makeClass<FlagObject>("Flag", {makeField("good", State, Scalar, ElementType::Bool, 0)},
                                                 [](void *o, unsigned) { return static_cast<FlagObject *>(o)->good; }));
  decrement = codelets.addClass(
      makeClass<DecrementObject>("Decrement", {makeField("value", InOut, Scalar, kInt, 0)}, [](void *o, unsigned) {
        --*static_cast<DecrementObject *>(o)->value;
        return true;
      }));
  VertexClass withEstimate =
      makeClass<CostedObject>("Costed", {makeField("cycles", State, Scalar, ElementType::UnsignedInt, 0)}, runNothing);
  withEstimate.hasCycleEstimate = true;
  withEstimate.cycleEstimate = [](const void *o) -> std::uint64_t {
    return static_cast<const CostedObject *>(o)->cycles;
  };
  costed = codelets.addClass(withEstimate);
  silent = codelets.addClass(makeClass<SpanObject>("Silent", {makeField("in", Input, Vector, kInt, 0)}, runNothing));
  workers = codelets.addClass(makeClass<SpanObject>(
      "Workers", {makeField("out", Output, Vector, kInt, 0)},
      [](void *o, unsigned worker) {
        static_cast<std::int32_t *>(static_cast<SpanObject *>(o)->span.data)[worker] = 10 + static_cast<int>(worker);
        return true;
      },
      VertexClassKind::Multi));
  own = codelets.addClass(makeClass<char>("Own", {}, runNothing, VertexClassKind::Supervisor));
  gather = codelets.addClass(
      makeClass<GatherObject>("Gather",
                              {makeField("lists", Input, VectorOfVectors, kInt, offsetof(GatherObject, lists)),
                               makeField("singles", Input, VectorOfScalars, kInt, offsetof(GatherObject, singles)),
                               makeField("weights", State, Vector, kInt, offsetof(GatherObject, weights)),
                               makeField("out", Output, Scalar, kInt, offsetof(GatherObject, out))},
                              runGather));
}

void TestHost::fetch(StreamId stream, void *data, std::size_t bytes) {
  ++calls;
  std::size_t &at = taken_[stream.index()];
  std::memcpy(data, toDevice[stream.index()].data() + at, bytes);
  at += bytes / sizeof(std::int32_t);
}

void TestHost::fetchBlock(StreamId stream, std::uint32_t block, std::uint32_t, void *data, std::size_t bytes) {
  ++calls;
  std::memcpy(data, toDevice[stream.index()].data() + block * (bytes / sizeof(std::int32_t)), bytes);
}

void TestHost::deliver(StreamId stream, const void *data, std::size_t bytes) {
  ++calls;
  auto &to = fromDevice[stream.index()];
  const auto *values = static_cast<const std::int32_t *>(data);
  to.insert(to.end(), values, values + bytes / sizeof(std::int32_t));
}

void TestHost::readRemote(StreamId, std::uint64_t row, void *data, std::size_t bytes) {
  ++calls;
  std::memcpy(data, rows[row].data(), bytes);
}

void TestHost::writeRemote(StreamId, std::uint64_t row, const void *data, std::size_t bytes) {
  ++calls;
  const auto *values = static_cast<const std::int32_t *>(data);
  rows[row].assign(values, values + bytes / sizeof(std::int32_t));
}

void TestHost::print(const std::string &title, ElementType, const std::vector<std::size_t> &shape, std::uint32_t,
                     const void *data) {
  std::size_t n = 1;
  for (const std::size_t s : shape)
    n *= s;
  std::vector<std::int32_t> values(n);
  std::memcpy(values.data(), data, n * sizeof(std::int32_t));
  printed.push_back(fmt::format("{}{} {}", title, shape, fmt::join(values, " ")));
}

void EventLog::beginRun(std::uint32_t, const std::string &runName) {
  name = runName;
  entries.clear();
  controlFlow.clear();
  clocks.clear();
}

void EventLog::step(const StepEvent &event) {
  const auto times = [&](std::span<const Cycles> s) {
    auto since = countsOf(s);
    for (std::uint64_t &time : since)
      time += event.origin.count();
    return since;
  };
  if (event.kind == TimeKind::ControlFlow) {
    controlFlow.push_back({event.step.index(), event.controlFlow.value(), times(event.begin), times(event.end)});
    return;
  }
  Entry entry{event.step.index(),
              event.kind,
              times(event.begin),
              times(event.end),
              countsOf(event.busy),
              countsOf(event.dataIn),
              countsOf(event.dataOut),
              countOf(event.threadCycles),
              {}};
  for (const auto &type : event.types)
    entry.types.push_back({type.type.index(), type.instances, countOf(type.cycles)});
  entries.push_back(std::move(entry));
}

void EventLog::endRun(std::span<const Cycles> end) { clocks = countsOf(end); }

Rig::Rig(ProgramBuilder &builder, MachineOptions options)
    : costs(testMachine(builder.program.tilesPerIpu, builder.program.numTiles / builder.program.tilesPerIpu)),
      machine(builder.program, classes.codelets, costs, options) {}

void show(ProgramBuilder &builder, const std::string &title, HomeId home) {
  PrintStep print;
  const std::uint64_t elements = builder.program.homes[home].elements;
  print.pieces = {{home, {}, Bytes(elements * sizeof(std::int32_t))}};
  print.type = ElementType::Int;
  print.shape = {elements};
  builder.program.prints.push_back(print);
  builder.add(StepKind::PrintTensor, title, static_cast<std::uint32_t>(builder.program.prints.size() - 1));
}

const TestClasses &classes() {
  static const TestClasses instance;
  return instance;
}

} // namespace popscope::test
