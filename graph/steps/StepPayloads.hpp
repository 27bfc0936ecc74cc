// StepPayloads: finds the row of a step's payload. A walk over steps has one lambda for each type of payload that it
// handles, and a catch-all lambda for all other types:
//   visitPayload(program, step, Overloaded{[&](const ExchangeStep &e) { ... }, [](const auto &) {}});
#pragma once
#include "graph/steps/StepKinds.hpp"
#include "graph/steps/StepProgram.hpp"

#include <array>

namespace popscope {

/// A visitor made of lambdas.
template <class... Visits> struct Overloaded : Visits... { using Visits::operator()...; };
template <class... Visits> Overloaded(Visits...) -> Overloaded<Visits...>;

/// The payload that a visitor receives for a step without a payload.
struct NoPayload {};

/// Calls `visit` with the table of StepProgram that contains payloads of this type. For StepPayload::None, calls
/// `visit` with a table of one NoPayload.
template <class Visit>
decltype(auto) withPayloadTable(const StepProgram &program, StepPayload payload, const Visit &visit) {
  static constexpr std::array<NoPayload, 1> kNothing;
  switch (payload) {
  case StepPayload::None: break;
  case StepPayload::Sync: return visit(program.syncs);
  case StepPayload::Exchange: return visit(program.exchanges);
  case StepPayload::Execute: return visit(program.executes);
  case StepPayload::StreamCopy: return visit(program.streamCopies);
  case StepPayload::Switch: return visit(program.switches);
  case StepPayload::Repeat: return visit(program.repeats);
  case StepPayload::Test: return visit(program.tests);
  case StepPayload::Call: return visit(program.calls);
  case StepPayload::Print: return visit(program.prints);
  case StepPayload::Message: return visit(program.messagesText);
  case StepPayload::TileRegister: return visit(program.tileRegisters);
  case StepPayload::Block: return visit(program.blocks);
  }
  return visit(kNothing);
}

/// Calls `visit` with the row of the step's payload, or with NoPayload. Throws std::out_of_range for a missing row.
template <class Visit> decltype(auto) visitPayload(const StepProgram &program, const Step &step, Visit &&visit) {
  const StepPayload payload = stepKindRow(step.kind).payload;
  const std::size_t row = payload == StepPayload::None ? 0 : step.payload;
  return withPayloadTable(program, payload, [&](const auto &table) -> decltype(auto) { return visit(table.at(row)); });
}

/// Returns whether Step::payload is an index into the table that contains payloads of the step's kind. Also returns
/// true if steps of this kind have no payload.
[[nodiscard]] inline bool hasPayload(const StepProgram &program, const Step &step) {
  const StepPayload payload = stepKindRow(step.kind).payload;
  return payload == StepPayload::None ||
         withPayloadTable(program, payload, [&](const auto &table) { return step.payload < table.size(); });
}

} // namespace popscope
