#include <popscope/profile.hpp>

#include "engine/ScopeStack.hpp"

#include <poplar/Engine.hpp>

#include <algorithm>

namespace popscope::profile {

Scope::Scope(poplar::Engine &engine, const std::string &label, Runs runs)
    : stack_(engine.scopes()), id_(stack_->next++) {
  stack_->open.push_back({id_, label, runs == Runs::Recorded});
}

Scope::~Scope() {
  std::erase_if(stack_->open, [this](const ScopeStack::Entry &entry) { return entry.id == id_; });
}

void Scope::pause() { setPaused(true); }
void Scope::resume() { setPaused(false); }

void Scope::setPaused(bool paused) {
  for (ScopeStack::Entry &entry : stack_->open)
    if (entry.id == id_)
      entry.paused = paused;
}

} // namespace popscope::profile
