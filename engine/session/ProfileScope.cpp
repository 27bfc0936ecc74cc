#include <popscope/profile.hpp>

#include "engine/session/ScopeStack.hpp"
#include "instrument/machine/Events.hpp"

#include <poplar/Engine.hpp>

#include <algorithm>

namespace popscope::profile {
namespace {

static_assert(static_cast<int>(Category::HostExchange) == static_cast<int>(TimeKind::HostExchange) &&
              static_cast<int>(Category::ControlFlow) == static_cast<int>(TimeKind::ControlFlow));

StepKindsMask maskOf(const Categories &categories) {
  StepKindsMask mask = 0;
  for (const Category category : categories)
    mask = static_cast<StepKindsMask>(mask | 1U << static_cast<unsigned>(category));
  return mask;
}

/// Returns the reason in the profile, or null for runs that are recorded.
const char *reasonOf(Scope::Runs runs) {
  switch (runs) {
  case Scope::Runs::Recorded: break;
  case Scope::Runs::Excluded: return "scope";
  case Scope::Runs::NotSampled: return "sample rate";
  case Scope::Runs::OverCount: return "run count";
  }
  return nullptr;
}

} // namespace

Scope::Scope(poplar::Engine &engine, const std::string &label, Runs runs)
    : stack_(engine.scopes()), id_(stack_->next++) {
  stack_->open.push_back({id_, label, reasonOf(runs)});
}

Scope::Scope(poplar::Engine &engine, const std::string &label, const Categories &categories)
    : stack_(engine.scopes()), id_(stack_->next++) {
  stack_->open.push_back({id_, label, nullptr, false, maskOf(categories)});
}

Scope::~Scope() {
  std::erase_if(stack_->open, [this](const ScopeStack::Entry &entry) { return entry.id == id_; });
}

void Scope::pause() { setPaused(true); }
void Scope::resume() { setPaused(false); }

void Scope::pause(const Categories &categories) {
  for (ScopeStack::Entry &entry : stack_->open)
    if (entry.id == id_)
      entry.pausedKinds = static_cast<StepKindsMask>(entry.pausedKinds | maskOf(categories));
}
void Scope::resume(const Categories &categories) {
  for (ScopeStack::Entry &entry : stack_->open)
    if (entry.id == id_)
      entry.pausedKinds = static_cast<StepKindsMask>(entry.pausedKinds & ~maskOf(categories));
}

void Scope::setPaused(bool paused) {
  for (ScopeStack::Entry &entry : stack_->open)
    if (entry.id == id_)
      entry.paused = paused;
}

} // namespace popscope::profile
