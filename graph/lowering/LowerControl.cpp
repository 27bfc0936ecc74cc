// LowerControl: lowers programs whose control flow depends on data. Each tile has its own program counter, so the word
// that decides is first sent to every other tile.
#include "graph/lowering/ProgramLowering.hpp"

#include <cctype>

namespace popscope {

void ProgramLowering::lowerRepeat(const ProgramNode &p) {
  c_.out.repeats.push_back({p.as<RepeatArguments>().count});
  const StepIndex repeat = open(StepKind::Repeat, p.name, static_cast<std::uint32_t>(c_.out.repeats.size() - 1));
  lowerAsSequence(p.children.empty() ? nullptr : p.children.front());
  close(repeat);
}

LoweredSteps ProgramLowering::lowerBroadcast(ControlWord &control, const std::string &varName,
                                             const std::string &base) {
  const HomeBytes &word = control.word;
  const TileId from = c_.tileOf(word.home);
  const ElementType type = c_.varOf(word.home).type;
  std::vector<std::pair<TileId, std::uint64_t>> homes;
  for (std::uint32_t t = 0; t < c_.out.numTiles; ++t)
    if (TileId(t) != from)
      homes.push_back({TileId(t), 1});
  LoweredSteps steps;
  if (homes.empty())
    return steps;
  const VarId var = c_.addVariable(c_.name(varName), StorageCategory::ControlId, type, homes);
  control.copies = var;
  Moves moves;
  for (std::uint32_t h = 0; h < homes.size(); ++h)
    moves.push_back({{word.offset, word.home, HomeId(c_.out.vars[var].firstHome + h), {}, narrow(word.bytes)}, 0});
  c_.addExchanges(steps, base, "ExchangePre", std::move(moves));
  return steps;
}

std::vector<Touch> ProgramLowering::touchesOfTest(const HomeBytes &word, VarId copies) const {
  std::vector<Touch> touches;
  c_.touch(word, AccessKind::Read, touches);
  if (!copies.valid())
    return touches; // a machine of one tile
  const StepVar &var = c_.out.vars[copies];
  for (std::uint32_t h = 0; h < var.numHomes; ++h)
    c_.touch({HomeId(var.firstHome + h), Bytes(), word.bytes}, AccessKind::Read, touches);
  return touches;
}

ProgramLowering::ControlWord ProgramLowering::broadcastControl(const ProgramNode &p) {
  ControlWord control{c_.singleRun(p.a), VarId()};
  auto known = built_.find({&p});
  if (known == built_.end()) {
    std::string plain = c_.graph.names[c_.graph.vars[p.a.runs.front().var].name];
    if (plain.empty())
      plain = "control";
    plain[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(plain[0])));
    LoweredSteps steps = lowerBroadcast(control, "broadcast" + plain, joinName(p.name, "ControlBroadcast"));
    known = built_.emplace(std::vector{&p}, BuiltSteps{{std::move(steps), {}}, control.copies}).first;
  }
  control.copies = known->second.copies;
  emit(known->second.steps.before, joinName(p.name, "ControlBroadcast"));
  return control;
}

StepIndex ProgramLowering::openTest(StepKind kind, const ProgramNode &p, SwitchStep payload,
                                    const ControlWord &control) {
  payload.control = control.word;
  payload.copies = control.copies;
  payload.type = p.a.type;
  c_.out.switches.push_back(std::move(payload));
  return open(kind, p.name, static_cast<std::uint32_t>(c_.out.switches.size() - 1),
              touchesOfTest(control.word, control.copies));
}

void ProgramLowering::lowerIf(const ProgramNode &p) {
  const ControlWord word = broadcastControl(p);
  const StepIndex step = openTest(StepKind::If, p, SwitchStep(), word);
  for (std::size_t i = 0; i < 2; ++i)
    lowerAsSequence(i < p.children.size() ? p.children[i] : nullptr);
  close(step);
}

void ProgramLowering::lowerSwitch(const ProgramNode &p) {
  const auto &cases = p.as<SwitchArguments>();
  POPSCOPE_CHECK(p.children.size() == cases.labels.size() + (cases.hasDefault ? 1 : 0),
                 "a Switch of {} labels and {} bodies", cases.labels.size(), p.children.size());
  const ControlWord word = broadcastControl(p);
  SwitchStep payload;
  payload.labels = cases.labels;
  const StepIndex step = openTest(StepKind::Switch, p, std::move(payload), word);
  for (const ProgramPtr &child : p.children)
    lowerAsSequence(child);
  close(step);
}

void ProgramLowering::lowerWhile(const ProgramNode &p) {
  TestStep test;
  test.type = p.a.type;
  test.continueOn = p.kind == ProgramKind::RepeatWhileTrue;
  test.predicate = c_.singleRun(p.a);
  c_.out.tests.push_back(test);
  const auto payload = static_cast<std::uint32_t>(c_.out.tests.size() - 1);
  const StepIndex loop = open(StepKind::RepeatWhile, p.name, payload);
  const StepIndex condition = lowerAsSequence(p.children.empty() ? nullptr : p.children.front());
  test.copies = broadcastControl(p).copies;
  c_.out.tests[payload] = test;
  open(StepKind::WhileTest, p.name, payload, touchesOfTest(test.predicate, test.copies));
  close(condition);
  lowerAsSequence(p.children.size() > 1 ? p.children[1] : nullptr);
  close(loop);
}

void ProgramLowering::lowerAbortOnCondition(const ProgramNode &p) {
  TestStep test;
  const ControlWord control = broadcastControl(p);
  test.predicate = control.word;
  test.copies = control.copies;
  test.type = p.a.type;
  test.continueOn = false;
  test.text = static_cast<std::int64_t>(c_.out.messagesText.size());
  c_.out.messagesText.push_back({p.as<TextArguments>().text});
  c_.out.tests.push_back(test);
  open(StepKind::AbortOnCondition, p.name, static_cast<std::uint32_t>(c_.out.tests.size() - 1),
       touchesOfTest(test.predicate, test.copies));
}

void ProgramLowering::lowerCall(const ProgramNode &p) {
  const FunctionId f = newFunction_[p.as<CallArguments>().function.index()];
  POPSCOPE_CHECK(f.valid(), "a Call of function {} that no program reaches", p.as<CallArguments>().function.index());
  c_.out.calls.push_back({f});
  open(StepKind::Call, p.name, static_cast<std::uint32_t>(c_.out.calls.size() - 1));
}

} // namespace popscope
