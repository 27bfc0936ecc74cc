#include "tests/property/programs/Mistakes.hpp"

namespace random_programs {

Mistake makeMistake(RandomProgram &p, std::vector<poplar::program::Program> all, std::uint32_t seed) {
  using namespace poplar::program;
  const auto compile = [&p](std::vector<Program> programs) {
    poplar::Engine engine(p.graph, programs, {{"debug.allowOutOfMemory", "true"}});
  };
  const auto vertex = [&p](bool connected, bool mapped) {
    const poplar::Tensor t = p.graph.addVariable(poplar::INT, {3}, "ofTheMistake");
    p.graph.setTileMapping(t, 0);
    const poplar::ComputeSet cs = p.graph.addComputeSet("mistaken");
    const poplar::VertexRef v = p.graph.addVertex(cs, "Add<int>", {{"a", t}, {"b", t}});
    if (connected)
      p.graph.connect(v["out"], t);
    if (mapped)
      p.graph.setTileMapping(v, 0);
    return Execute(cs);
  };
  const auto with = [all](Program mistaken, std::uint32_t at) {
    std::vector<Program> programs = all;
    Program &one = programs[at % programs.size()];
    one = at % 2 == 0 ? Sequence(one, mistaken) : Sequence(mistaken, one);
    return programs;
  };
  // On a CPU target vertices need no tile; on a target of one tile variables need none.
  const poplar::Target &target = p.graph.getTarget();
  const bool placed[] = {target.getTargetType() == poplar::TargetType::CPU, false, target.getNumTiles() == 1};
  switch (const std::uint32_t mistake = seed % 9; mistake < 3 && placed[mistake] ? 1 : mistake) {
  case 0: return {"vertex without a tile", "Add<int>", [=] { compile(with(vertex(true, false), seed)); }};
  case 1: return {"field that is not connected", "'out'", [=] { compile(with(vertex(false, true), seed)); }};
  case 2:
    return {"variable without a tile", "nowhere", [=, &p] {
              const poplar::Tensor t = p.graph.addVariable(poplar::INT, {2}, "nowhere");
              p.graph.createHostRead("nowhere", t);
              compile(with(Copy(t, p.graph.clone(t, "elsewhere")), seed));
            }};
  case 3:
    return {"copy of another size", "5", [=, &p] {
              const poplar::Tensor t = p.graph.addVariable(poplar::INT, {5}, "five");
              p.graph.setTileMapping(t, 0);
              compile(with(Copy(t, p.graph.addVariable(poplar::INT, {4}, "four")), seed));
            }};
  case 4:
    return {"copy to another type", "half", [=, &p] {
              const poplar::Tensor t = p.graph.addVariable(poplar::INT, {2}, "whole");
              compile(with(Copy(t, p.graph.addVariable(poplar::HALF, {2}, "halves")), seed));
            }};
  case 5:
    return {"program that there is not", "99", [=, &p] {
              poplar::Engine engine(p.graph, all, {{"debug.allowOutOfMemory", "true"}});
              engine.load(p.device);
              engine.run(99);
            }};
  case 6:
    return {"handle that there is not", "noSuchHandle", [=, &p] {
              poplar::Engine engine(p.graph, all, {{"debug.allowOutOfMemory", "true"}});
              engine.load(p.device);
              int value = 0;
              engine.readTensor("noSuchHandle", &value, &value + 1);
            }};
  case 7:
    return {"two writes of one element", "overwritten", [=, &p] {
              const poplar::Tensor t = p.graph.addVariable(poplar::INT, {3}, "overwritten");
              p.graph.setTileMapping(t, 0);
              const poplar::ComputeSet cs = p.graph.addComputeSet("twice");
              for (int i = 0; i < 2; ++i)
                p.graph.setTileMapping(p.graph.addVertex(cs, "Add<int>", {{"a", t}, {"b", t}, {"out", t}}), 0);
              compile(with(Execute(cs), seed));
            }};
  default:
    return {"write to a constant", "fixed", [=, &p] {
              const poplar::Tensor fixed = p.graph.addConstant<int>(poplar::INT, {2}, 7, "fixed"),
                                   t = p.graph.addVariable(poplar::INT, {2}, "from");
              p.graph.setTileMapping(fixed, 0);
              p.graph.setTileMapping(t, 0);
              compile(with(Copy(t, fixed), seed));
            }};
  }
}

} // namespace random_programs
