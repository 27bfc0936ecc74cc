// Programs that decide: loops, branches, aborts and prints.
#include "base/NoCaseText.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/ProgramBuild.hpp"
#include "graph/ir/ProgramKinds.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>

using popscope::GraphAccess;
using popscope::nodeOf;
using popscope::ProgramKind;

namespace poplar {
namespace program {

Repeat::Repeat(unsigned count, const Program &prog, const DebugContext &dc) {
  auto node = popscope::newNode(ProgramKind::Repeat, dc);
  node->as<popscope::RepeatArguments>().count = count;
  popscope::adopt(*node, nodeOf(prog));
  node_ = std::move(node);
}

namespace {
popscope::ProgramPtr whileNode(ProgramKind kind, const Program &cond, const Tensor &predicate, const Program &body,
                               const DebugContext &dc) {
  popscope::checkScalar(predicate, true, "predicate of a loop");
  auto node = popscope::newNode(kind, dc);
  node->a = popscope::take(*node, popscope::GraphAccess::data(predicate));
  popscope::adopt(*node, nodeOf(cond));
  popscope::adopt(*node, nodeOf(body));
  return node;
}
} // namespace

RepeatWhileTrue::RepeatWhileTrue(const Program &cond, Tensor predicate, const Program &body, const DebugContext &dc) {
  node_ = whileNode(ProgramKind::RepeatWhileTrue, cond, predicate, body, dc);
}
RepeatWhileFalse::RepeatWhileFalse(const Program &cond, Tensor predicate, const Program &body, const DebugContext &dc) {
  node_ = whileNode(ProgramKind::RepeatWhileFalse, cond, predicate, body, dc);
}

If::If(Tensor predicate, const Program &trueBody, const Program &falseBody, const DebugContext &dc) {
  popscope::checkScalar(predicate, true, "predicate of If");
  auto node = popscope::newNode(ProgramKind::If, dc);
  node->a = popscope::take(*node, popscope::GraphAccess::data(predicate));
  popscope::adopt(*node, nodeOf(trueBody));
  popscope::adopt(*node, nodeOf(falseBody));
  node_ = std::move(node);
}

Switch::Switch(Tensor control, const DebugContext &dc) {
  popscope::checkScalar(control, false, "control tensor of Switch");
  auto node = popscope::newNode(ProgramKind::Switch, dc);
  node->a = popscope::take(*node, popscope::GraphAccess::data(control));
  node_ = std::move(node);
}
Switch::Switch(Tensor control, const Program &defaultCaseBody, const DebugContext &dc)
    : Switch(std::move(control), dc) {
  auto node = popscope::ownNode(*this);
  popscope::adopt(*node, nodeOf(defaultCaseBody));
  node->as<popscope::SwitchArguments>().hasDefault = true;
  node_ = std::move(node);
}
Switch::Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>> &cases, const DebugContext &dc)
    : Switch(std::move(control), dc) {
  for (const auto &c : cases)
    add(c.first, c.second);
}
Switch::Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>> &cases,
               const Program &defaultCaseBody, const DebugContext &dc)
    : Switch(std::move(control), defaultCaseBody, dc) {
  for (const auto &c : cases)
    add(c.first, c.second);
}

Switch &Switch::add(std::int32_t label, const Program &body) {
  const popscope::ProgramPtr child = nodeOf(body);
  auto node = popscope::ownNode(*this);
  auto &cases = node->as<popscope::SwitchArguments>();
  if (std::find(cases.labels.begin(), cases.labels.end(), label) != cases.labels.end())
    throw control_program_error(fmt::format("{} has a case {} already.", popscope::programLabel(*node), label));
  cases.labels.push_back(label);
  popscope::adopt(*node, child, node->children.size() - (cases.hasDefault ? 1 : 0));
  node_ = std::move(node);
  return *this;
}

Switch Switch::switchWithBoundsChecking(Tensor control, const std::vector<std::pair<std::int32_t, Program>> &cases,
                                        const DebugContext &dc) {
  return Switch(control, cases, ErrorProgram(popscope::kNoCaseText, control, dc), dc);
}
Switch Switch::switchWithBoundsChecking(Tensor control, const DebugContext &dc) {
  return switchWithBoundsChecking(std::move(control), {}, dc);
}
Switch Switch::switchWithUnreachableDefault(Tensor control, const std::vector<std::pair<std::int32_t, Program>> &cases,
                                            const DebugContext &dc) {
  return Switch(std::move(control), cases, dc);
}
Switch Switch::switchWithUnreachableDefault(Tensor control, const DebugContext &dc) {
  return Switch(std::move(control), dc);
}

namespace {

/// Returns the index of the format in the graph's table. Adds the format if it is new.
std::uint32_t formatIndex(popscope::GraphShared &graph, const PrintTensorFmt &format) {
  constexpr unsigned kMostDigits = 149; // no float has more digits after the decimal point
  if (format.digits() > kMostDigits)
    throw control_program_error(fmt::format(
        "PrintTensor: digits of the PrintTensorFmt is {}; the limit is {}, because no float has more digits "
        "after the decimal point.",
        format.digits(), kMostDigits));
  popscope::PrintFormat f;
  f.summariseThreshold = format.summariseThreshold();
  f.edgeItems = format.edgeItems();
  f.maxLineWidth = format.maxLineWidth();
  f.digits = format.digits();
  f.floatFormat = static_cast<unsigned>(format.floatFormat());
  f.separator = format.separator();
  f.open = format.openBracket();
  f.close = format.closeBracket();
  std::vector<popscope::PrintFormat> &formats = graph.ir.printFormats;
  const auto at = std::find(formats.begin(), formats.end(), f);
  const auto index = static_cast<std::uint32_t>(at - formats.begin());
  if (at == formats.end())
    formats.push_back(f);
  return index;
}

PrintTensorFmt formatOfPlainPrints() {
  const popscope::PrintFormat f;
  return PrintTensorFmt(f.summariseThreshold, f.edgeItems, f.maxLineWidth, f.digits);
}

} // namespace

PrintTensor::PrintTensor(StringRef title, Tensor t, const PrintTensorFmt &fmt, const DebugContext &dc) {
  auto node = popscope::newNode(ProgramKind::PrintTensor, dc);
  const popscope::TensorData &data = GraphAccess::data(t);
  node->a = popscope::take(*node, data);
  node->arguments = popscope::TextArguments{title.cloneAsString(), formatIndex(*data.graph, fmt)};
  node_ = std::move(node);
}
PrintTensor::PrintTensor(StringRef title, Tensor t, const DebugContext &dc)
    : PrintTensor(title, std::move(t), formatOfPlainPrints(), dc) {}
PrintTensor::PrintTensor(Tensor t, const PrintTensorFmt &fmt, const DebugContext &dc)
    : PrintTensor(dc.getPathName().empty() ? t.getVarStr() : dc.getPathName(), t, fmt, dc) {}
PrintTensor::PrintTensor(Tensor t, const DebugContext &dc) : PrintTensor(std::move(t), formatOfPlainPrints(), dc) {}

ErrorProgram::ErrorProgram(StringRef message, Tensor debugTensor, const DebugContext &dc) {
  auto node = popscope::newNode(ProgramKind::ErrorProgram, dc);
  node->a = popscope::take(*node, popscope::GraphAccess::data(debugTensor));
  node->as<popscope::TextArguments>().text = message.cloneAsString();
  node_ = std::move(node);
}

Abort::Abort(StringRef message, const DebugContext &dc) {
  auto node = popscope::newNode(ProgramKind::Abort, dc);
  node->as<popscope::TextArguments>().text = message.cloneAsString();
  node_ = std::move(node);
}
Abort::Abort(const DebugContext &dc) : Abort(StringRef(""), dc) {}

AbortOnCondition::AbortOnCondition(Tensor predicate, StringRef message, const DebugContext &dc) {
  popscope::checkScalar(predicate, true, "predicate of AbortOnCondition");
  auto node = popscope::newNode(ProgramKind::AbortOnCondition, dc);
  node->a = popscope::take(*node, popscope::GraphAccess::data(predicate));
  node->as<popscope::TextArguments>().text = message.cloneAsString();
  node_ = std::move(node);
}
AbortOnCondition::AbortOnCondition(Tensor predicate, const DebugContext &dc)
    : AbortOnCondition(std::move(predicate), StringRef(""), dc) {}

} // namespace program
} // namespace poplar
