// The graph of a random program, and programs with children.
#include "tests/property/programs/RandomProgram.hpp"

#include "tests/MachineRules.hpp"

#include <poplar/DeviceManager.hpp>
#include <poplar/MetadataCreation.hpp>

#include <bit>
#include <optional>
#include <stdexcept>

namespace random_programs {

using namespace poplar::program;
using Values = std::vector<std::int64_t>;

namespace {

constexpr unsigned kLeaves = 24, kDepth = 4;

poplar::Device modelOf(const std::string &version, unsigned tiles, unsigned ipus) {
  poplar::IPUModel model(version.c_str());
  model.tilesPerIPU = tiles;
  model.numIPUs = ipus;
  return model.createDevice();
}

poplar::Device deviceFor(std::mt19937_64 &random, std::uint32_t replicas) {
  const auto below = [&](std::uint64_t n) { return static_cast<unsigned>(random() % n); };
  if (replicas == 1 && below(10) == 0)
    return poplar::Device::createCPUDevice();
  const std::string version = below(2) == 0 ? "ipu1" : "ipu2";
  const unsigned tiles = 1 + below(6), ipus = (replicas == 1 ? 1 + below(2) : 1) * replicas;
  std::optional<MachineRules> asSent;
  if (below(2) == 0)
    asSent.emplace(version, R"("receivedPieces": "asSent")");
  return modelOf(version, tiles, ipus);
}

/// Returns a simulated IPU device of the same size in place of the model, if there is one: hardware has 1, 2, 4 or 8
/// IPUs.
std::optional<poplar::Device> simulated(const poplar::Device &model) {
  const poplar::Target &target = model.getTarget();
  if (target.getTargetType() == poplar::TargetType::CPU || !std::has_single_bit(target.getNumIPUs()))
    return std::nullopt;
  auto devices = poplar::DeviceManager::createDeviceManager().getDevices(poplar::TargetType::IPU, target.getNumIPUs());
  if (devices.empty())
    throw std::runtime_error("POPSCOPE_SIM_IPUS gives no device of " + std::to_string(target.getNumIPUs()) + " IPUs");
  return devices.front().createVirtualDevice(target.getTilesPerIPU());
}

} // namespace

RandomProgram::RandomProgram(std::uint32_t seed, Tally &tally) : random_(seed), tally_(tally) {
  static constexpr std::uint32_t kReplicas[] = {1, 1, 1, 2, 3};
  replicas = kReplicas[below(5)];
  verified = chance(35);
  device = deviceFor(random_, replicas);
  if (seed % 4 == 2)
    if (std::optional<poplar::Device> ipus = simulated(device)) {
      device = std::move(*ipus);
      count("simulated IPU");
    }
  graph = poplar::Graph(device.getTarget(), poplar::replication_factor(replicas));
  addCodelets(graph);
  metadata = poplar::createConstantMetadataTensor(graph, poplar::QuarterMetadata::Format::F143, kQuarterScale);
  addVariables();
  for (const poplar::Type &type : {poplar::BOOL, poplar::INT, poplar::UNSIGNED_INT}) {
    controls_.push_back(
        addVariable(kindOf(type), {}, "control" + std::to_string(controls_.size()), false, false, true));
    Variable &v = variables.back(); // small, with an initial value
    const std::int64_t small = below(2);
    graph.setInitialValue(v.whole.tensor, small);
    v.initial.assign(replicas, small);
  }
  for (std::size_t i = 0; i < 6; ++i) { // three to the device, two from it, one with an offset
    Stream s;
    s.type = someKind().type;
    s.handle = "stream" + std::to_string(i);
    s.elements = 1 + below(6);
    s.toDevice = i < 3 || i == 5;
    s.callback = i != 5 && chance(50);
    s.broadcast = s.toDevice && chance(40) && !(s.callback && replicas > 1);
    s.blocks = 1 + below(4);
    for (std::size_t k = 0; k < s.elements * s.blocks * (s.broadcast ? 1 : replicas); ++k)
      s.data.push_back(s.toDevice ? value(kindOf(s.type)) : kUndefined);
    const poplar::OptionFlags options{{"bufferingDepth", std::to_string(1 + below(3))}};
    s.stream = s.toDevice ? graph.addHostToDeviceFIFO(s.handle, s.type, s.elements,
                                                      s.broadcast ? poplar::ReplicatedStreamMode::BROADCAST
                                                                  : poplar::ReplicatedStreamMode::REPLICATE,
                                                      options)
                          : graph.addDeviceToHostFIFO(s.handle, s.type, s.elements);
    streams.push_back(std::move(s));
  }
  for (std::size_t i = 0; i < 2; ++i) {
    Remote b{someKind().type, "remote" + std::to_string(i), 1 + below(5), 1 + below(4), {}};
    b.buffer = graph.addRemoteBuffer(b.handle, b.type, b.elements, b.rows, chance(50));
    remotes.push_back(std::move(b));
    HostFn f{{}, 1 + below(5), 1 + below(5)};
    const std::string handle = "function" + std::to_string(i);
    f.function = graph.addHostFunction(handle, {poplar::Graph::HostFunctionArgument(poplar::INT, f.in)},
                                       {poplar::Graph::HostFunctionArgument(poplar::INT, f.out)});
    hostFunctions.push_back(f);
  }
}

World RandomProgram::start() const {
  World w;
  w.values.assign(replicas, Values(elements_));
  for (const Variable &v : variables) {
    const std::size_t n = v.initial.size() / replicas;
    for (std::uint32_t r = 0; r < replicas; ++r)
      for (std::size_t i = 0; i < n; ++i)
        w.values[r][v.first + i] = v.initial[r * n + i];
  }
  w.transfers.resize(streams.size());
  for (const Stream &s : streams)
    w.received.emplace_back(s.data.size(), kUndefined);
  for (const Remote &b : remotes)
    w.remote.emplace_back(replicas, Values(b.elements * b.rows, kUndefined));
  return w;
}

TwinProgram RandomProgram::sequence(unsigned depth) {
  std::vector<Program> programs;
  std::vector<Meaning> meanings;
  const auto add = [&](TwinProgram p) {
    programs.push_back(std::move(p.program));
    meanings.push_back(std::move(p.meaning));
  };
  std::optional<TwinProgram> leave;
  if (chance(20)) {
    auto both = copyThroughClone();
    add(std::move(both.first));
    leave = std::move(both.second);
  }
  for (std::uint32_t n = 1 + below(6); n > 0; --n) {
    TwinProgram p = depth > 0 && budget_ > 0 && chance(35) ? control(depth) : leaf();
    budget_ -= budget_ > 0 ? 1 : 0;
    add(std::move(p));
  }
  if (leave)
    add(std::move(*leave));
  return {Sequence(programs), [meanings](World &w) {
            for (const Meaning &m : meanings)
              m(w);
          }};
}

TwinTensor RandomProgram::someControl(const poplar::Type &type) {
  for (const TwinTensor &t : controls_)
    if (t.tensor.elementType() == type)
      return t;
  return controls_.front();
}

TwinProgram RandomProgram::whileLoop(unsigned depth) {
  // A separate counter, which nothing in the body changes.
  const std::string name = "controlOfLoop" + std::to_string(names_++);
  const TwinTensor left = addVariable(kindOf(poplar::INT), {}, name, false, false, false);
  const TwinTensor done = addVariable(kindOf(poplar::BOOL), {}, name + "Done", false, false, false);
  const bool untilDone = chance(50);
  const TwinProgram begin = set(left, below(4)), flag = set(done, 0), body = sequence(depth - 1),
                    step = stepDown(left, done);
  count(untilDone ? "RepeatWhileFalse" : "RepeatWhileTrue");
  const Program inside = Sequence(body.program, step.program);
  const Program loop = untilDone ? Program(RepeatWhileFalse(Sequence(), done.tensor, inside))
                                 : Program(RepeatWhileTrue(Sequence(), left.tensor, inside));
  const Meaning meaning = [=, l = left.naive.elements[0], d = done.naive.elements[0]](World &w) {
    begin.meaning(w);
    flag.meaning(w);
    while (untilDone ? w.values[0][d] == 0 : w.values[0][l] != 0) {
      body.meaning(w);
      step.meaning(w);
    }
  };
  return {Sequence(begin.program, flag.program, loop), meaning};
}

TwinProgram RandomProgram::branch(unsigned depth) {
  const TwinTensor predicate = controls_[below(narrow(controls_.size()))];
  const TwinProgram yes = sequence(depth - 1), no = sequence(depth - 1);
  count("If");
  return {If(predicate.tensor, yes.program, no.program),
          [=, e = predicate.naive.elements[0]](World &w) { (w.values[0][e] != 0 ? yes : no).meaning(w); }};
}

TwinProgram RandomProgram::choice(unsigned depth) {
  const TwinTensor control = someControl(chance(50) ? poplar::INT : poplar::UNSIGNED_INT);
  std::map<std::int64_t, Meaning> cases;
  std::vector<std::pair<std::int32_t, Program>> bodies;
  const bool other = chance(50);
  for (const std::int32_t label : {1, 7, 0}) {
    if (!other && chance(40))
      continue;
    const TwinProgram body = sequence(depth - 1);
    bodies.emplace_back(label, body.program);
    cases[label] = body.meaning;
  }
  const TwinProgram rest = sequence(depth - 1);
  count(other ? "Switch with default" : "Switch");
  const Program p = other ? Switch(control.tensor, bodies, rest.program) : Switch(control.tensor, bodies);
  return {p, [=, e = control.naive.elements[0]](World &w) {
            const auto at = cases.find(w.values[0][e]);
            if (at != cases.end())
              at->second(w);
            else if (other)
              rest.meaning(w);
          }};
}

TwinProgram RandomProgram::control(unsigned depth) {
  switch (below(7)) {
  case 0: {
    const unsigned times = below(4);
    const TwinProgram body = sequence(depth - 1);
    count("Repeat");
    return {Repeat(times, body.program), [=](World &w) {
              for (unsigned i = 0; i < times; ++i)
                body.meaning(w);
            }};
  }
  case 1: return whileLoop(depth);
  case 2: return branch(depth);
  case 3: return choice(depth);
  case 4: {
    const TwinProgram body = sequence(depth - 1);
    count("Block");
    return {Block(body.program, "block"), body.meaning};
  }
  case 5: {
    if (functions_.empty() || chance(50)) {
      const TwinProgram body = sequence(depth - 1);
      functions_.emplace_back(graph.addFunction(body.program), body.meaning);
    }
    const auto &f = functions_[below(narrow(functions_.size()))];
    count("Call");
    return {Call(f.first), f.second};
  }
  default: {
    const TwinProgram p = sequence(depth - 1);
    count("the same program twice");
    return {Sequence(p.program, p.program), [=](World &w) {
              p.meaning(w);
              p.meaning(w);
            }};
  }
  }
}

std::vector<TwinProgram> RandomProgram::programs() {
  std::vector<TwinProgram> all;
  for (std::uint32_t n = 1 + below(3); n > 0; --n) {
    budget_ = kLeaves;
    all.push_back(sequence(kDepth));
  }
  return all;
}

} // namespace random_programs
