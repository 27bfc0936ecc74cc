#include "bench/BitsetLiveness.hpp"

#include <algorithm>

using namespace popscope;

namespace bench {

BitsetLiveness::BitsetLiveness(const StepProgram &program)
    : p_(program), steps_(static_cast<std::uint32_t>(program.steps.size())) {
  connect();
  reach();
  collectEffects();
}

// Builds the graph of nodes. The nodes are the steps, then the second visit of each step (used by Repeats only), then
// the returns of functions.
void BitsetLiveness::connect() {
  build_.assign(2 * std::size_t(steps_) + p_.functions.size(), {});
  returnsTo_.resize(p_.functions.size());
  callOf_.assign(steps_, ~0U);
  functionOf_.assign(build_.size(), ~0U);
  const std::uint32_t root = p_.root.index();
  flow(root, {root});
  for (std::uint32_t f = 0; f < p_.functions.size(); ++f) {
    const std::uint32_t entry = p_.functions.raw()[f].root.index(), end = p_.steps.raw()[entry].end;
    flow(entry, {2 * steps_ + f});
    functionOf_[2 * steps_ + f] = f;
    for (std::uint32_t s = entry; s < end; ++s)
      functionOf_[s] = functionOf_[steps_ + s] = f;
  }
}

// Connects a subtree to the nodes `next` after it; returns the nodes at which it starts.
std::vector<std::uint32_t> BitsetLiveness::flow(std::uint32_t step, const std::vector<std::uint32_t> &next) {
  const Step &s = p_.steps.raw()[step];
  std::vector<std::uint32_t> children;
  for (std::uint32_t c = step + 1; c < s.end; c = p_.steps.raw()[c].end)
    children.push_back(c);
  const auto chain = [&](std::size_t count, std::vector<std::uint32_t> after) {
    for (std::size_t i = count; i-- > 0;)
      after = flow(children[i], after);
    return after;
  };
  switch (stepKindRow(s.kind).flow) {
  case StepFlow::Stop: break;
  case StepFlow::Branch: {
    const bool skip = s.kind == StepKind::If
                          ? children.size() < 2
                          : children.empty() || (!p_.switches[s.payload].engineSwitch &&
                                                 children.size() <= p_.switches[s.payload].labels.size());
    if (skip)
      build_[step] = next;
    for (const std::uint32_t c : children) {
      flow(c, next);
      build_[step].push_back(c);
    }
    break;
  }
  case StepFlow::Repeat: {
    const std::uint32_t again = steps_ + step;
    const auto start = chain(children.size(), {again});
    build_[again] = start;
    build_[again].insert(build_[again].end(), next.begin(), next.end());
    build_[step] = p_.repeats[s.payload].count > 0 && !children.empty() ? start : next;
    break;
  }
  case StepFlow::While: {
    auto after = next;
    if (children.size() > 1) {
      flow(children.back(), {children.front()});
      after.push_back(children.back());
    } else if (!children.empty()) {
      after.push_back(children.front());
    }
    build_[step] = chain(children.empty() ? 0 : std::max<std::size_t>(children.size() - 1, 1), after);
    break;
  }
  case StepFlow::Call:
    callOf_[step] = p_.calls[s.payload].function.index();
    build_[step] = {p_.functions.raw()[callOf_[step]].root.index()};
    build_[steps_ + step] = next; // kept here until the call is known to be reachable
    break;
  case StepFlow::Straight: build_[step] = chain(children.size(), next);
  }
  return {step};
}

// Visits nodes depth first from the root, and returns only to calls that it has reached. Stores the order of
// completion, in which the ends come first.
void BitsetLiveness::reach() {
  std::vector<std::uint8_t> seen(build_.size(), 0);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  const auto successors = [&](std::uint32_t node) -> const std::vector<std::uint32_t> & {
    return node < 2 * steps_ ? build_[node] : returnsTo_[node - 2 * steps_];
  };
  const auto walk = [&](std::uint32_t from) {
    if (seen[from] == 0)
      stack.emplace_back(from, 0);
    seen[from] = 1;
    while (!stack.empty()) {
      const std::uint32_t node = stack.back().first;
      if (stack.back().second == 0 && node < steps_ && callOf_[node] != ~0U) {
        auto &returns = returnsTo_[callOf_[node]];
        returns.insert(returns.end(), build_[steps_ + node].begin(), build_[steps_ + node].end());
      }
      const auto &next = successors(node);
      if (stack.back().second >= next.size()) {
        order_.push_back(node);
        stack.pop_back();
        continue;
      }
      const std::uint32_t to = next[stack.back().second++];
      if (seen[to] == 0) {
        seen[to] = 1;
        stack.emplace_back(to, 0);
      }
    }
  };
  walk(p_.root.index());
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint32_t f = 0; f < returnsTo_.size(); ++f)
      for (std::size_t i = 0; seen[2 * steps_ + f] != 0 && i < returnsTo_[f].size(); ++i)
        if (seen[returnsTo_[f][i]] == 0) {
          moved = true;
          walk(returnsTo_[f][i]);
        }
  }
  firstNext_.assign(build_.size() + 1, 0);
  for (std::uint32_t node = 0; node < build_.size(); ++node) {
    const bool followsCall =
        node >= steps_ && node < 2 * steps_ && callOf_[node - steps_] != ~0U && seen[node - steps_] != 0;
    if (seen[node] != 0 || followsCall) {
      const auto &next = successors(node);
      next_.insert(next_.end(), next.begin(), next.end());
    }
    firstNext_[node + 1] = static_cast<std::uint32_t>(next_.size());
  }
  build_.clear();
}

void BitsetLiveness::collectEffects() {
  firstEffect_.assign(p_.vars.size() + 1, 0);
  for (const Step &step : p_.steps)
    for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a)
      ++firstEffect_[p_.accesses[a].var.index() + 1];
  for (std::size_t v = 1; v < firstEffect_.size(); ++v)
    firstEffect_[v] += firstEffect_[v - 1];
  effects_.resize(firstEffect_.back());
  auto at = firstEffect_;
  // The accesses of a variable by the current source so far. The steps of a source are consecutive, and each access is
  // a single range.
  struct Done {
    std::uint64_t source = ~std::uint64_t(0), reached = 0;
    std::uint32_t read = ~0U;
    bool killed = false;
  };
  std::vector<Done> done(p_.vars.size());
  for (std::uint32_t s = 0; s < steps_; ++s) {
    const Step &step = p_.steps.raw()[s];
    const std::uint64_t source = step.source.valid() ? step.source.index() : p_.sources.size() + s;
    for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a) {
      const Access &access = p_.accesses[a];
      Done &d = done[access.var.index()];
      if (d.source != source)
        d = {source, 0, ~0U, false};
      bool kill = false;
      if (access.kind == AccessKind::Read) {
        d.read = std::min(d.read, s);
      } else { // written from the beginning on
        const ElementRange &r = p_.ranges[access.firstRange];
        d.reached = r.begin <= d.reached ? std::max<std::uint64_t>(d.reached, r.end) : d.reached;
        kill = !d.killed && d.read >= s && d.reached >= p_.vars[access.var].elements;
        d.killed = d.killed || kill;
      }
      effects_[at[access.var.index()]++] = {s, access.var.index(), access.kind == AccessKind::Read, kill};
    }
  }
}

// A path that enters a function by one call never leaves by another: a call passes on only the variables that live
// through its function.
void BitsetLiveness::sweepNode(std::uint32_t node, std::uint64_t &changed) {
  if (node >= 2 * steps_)
    return; // a function's end itself needs no variable
  Row after;
  const std::uint32_t function = node < steps_ ? callOf_[node] : ~0U;
  if (function == ~0U) {
    for (std::uint32_t n = firstNext_[node]; n < firstNext_[node + 1]; ++n)
      for (int w = 0; w < 8; ++w)
        after.word[w] |= in_[next_[n]].word[w];
  } else {
    const std::uint32_t entry = p_.functions.raw()[function].root.index();
    after = in_[entry];
    for (std::uint32_t n = firstNext_[steps_ + node]; n < firstNext_[steps_ + node + 1]; ++n)
      for (int w = 0; w < 8; ++w)
        after.word[w] |= in_[next_[n]].word[w] & clean_[entry].word[w];
  }
  const std::uint32_t step = node < steps_ ? node : node - steps_;
  const Row &use = use_[step], &kill = kill_[step];
  Row &live = live_[step], &in = in_[node];
  for (int w = 0; w < 8; ++w) {
    const std::uint64_t now = use.word[w] | (after.word[w] & ~kill.word[w]);
    changed |= now ^ in.word[w];
    in.word[w] = now;
    live.word[w] |= now | after.word[w];
  }
}

bool BitsetLiveness::sweep() {
  ++sweeps_;
  std::uint64_t changed = 0;
  for (const std::uint32_t node : order_)
    sweepNode(node, changed);
  return changed != 0;
}

bool BitsetLiveness::sweepPassages() {
  std::uint64_t changed = 0;
  for (const std::uint32_t node : order_) {
    if (node >= 2 * steps_ || functionOf_[node] == ~0U)
      continue;
    Row after;
    const std::uint32_t function = node < steps_ ? callOf_[node] : ~0U;
    const std::uint32_t from = function == ~0U ? node : steps_ + node;
    for (std::uint32_t n = firstNext_[from]; n < firstNext_[from + 1]; ++n)
      for (int w = 0; w < 8; ++w)
        after.word[w] |= clean_[next_[n]].word[w];
    const Row &kill = kill_[node < steps_ ? node : node - steps_];
    for (int w = 0; w < 8; ++w) {
      std::uint64_t now = after.word[w] & ~kill.word[w];
      if (function != ~0U)
        now &= clean_[p_.functions.raw()[function].root.index()].word[w];
      changed |= now ^ clean_[node].word[w];
      clean_[node].word[w] = now;
    }
  }
  return changed != 0;
}

// A variable is live at a function's end if it is live after some call of the function; it is then also live on the
// paths to that end.
void BitsetLiveness::addWhatFollowsFunctions() {
  needed_.assign(returnsTo_.size(), {});
  for (std::uint64_t changed = 1; changed != 0;) {
    changed = 0;
    for (const std::uint32_t node : order_) {
      if (node >= steps_ || callOf_[node] == ~0U)
        continue;
      Row &needed = needed_[callOf_[node]];
      const std::uint32_t owner = functionOf_[node];
      for (std::uint32_t n = firstNext_[steps_ + node]; n < firstNext_[steps_ + node + 1]; ++n)
        for (int w = 0; w < 8; ++w) {
          std::uint64_t now = needed.word[w] | in_[next_[n]].word[w];
          if (owner != ~0U)
            now |= clean_[next_[n]].word[w] & needed_[owner].word[w];
          changed |= now ^ needed.word[w];
          needed.word[w] = now;
        }
    }
  }
  for (const std::uint32_t node : order_) {
    if (node >= 2 * steps_ || functionOf_[node] == ~0U)
      continue;
    const std::uint32_t step = node < steps_ ? node : node - steps_;
    const std::uint32_t function = node < steps_ ? callOf_[node] : ~0U;
    const std::uint32_t from = function == ~0U ? node : steps_ + node;
    for (int w = 0; w < 8; ++w) {
      std::uint64_t after = 0;
      for (std::uint32_t n = firstNext_[from]; n < firstNext_[from + 1]; ++n)
        after |= clean_[next_[n]].word[w];
      if (function != ~0U)
        after &= clean_[p_.functions.raw()[function].root.index()].word[w];
      live_[step].word[w] |= (after | clean_[node].word[w]) & needed_[functionOf_[node]].word[w];
    }
  }
}

std::size_t BitsetLiveness::solve(const std::function<void(std::uint32_t, const std::vector<Row> &)> &found) {
  const auto numVars = static_cast<std::uint32_t>(p_.vars.size());
  std::size_t chunks = 0;
  use_.assign(steps_, {});
  kill_.assign(steps_, {});
  for (std::uint32_t first = 0; first < numVars; first += 512, ++chunks) {
    const std::uint32_t end = std::min(first + 512, numVars);
    const auto mark = [&](bool set) {
      for (std::size_t e = firstEffect_[first]; e < firstEffect_[end]; ++e) {
        const Effect &effect = effects_[e];
        const std::uint32_t bit = effect.var - first;
        const std::uint64_t mask = std::uint64_t(1) << (bit % 64);
        if (!set)
          use_[effect.step] = kill_[effect.step] = Row();
        else if (effect.read)
          use_[effect.step].word[bit / 64] |= mask;
        else if (effect.kill)
          kill_[effect.step].word[bit / 64] |= mask;
      }
    };
    mark(true);
    in_.assign(2 * std::size_t(steps_) + returnsTo_.size(), {});
    live_.assign(steps_, {});
    if (!returnsTo_.empty()) {
      clean_.assign(in_.size(), {});
      for (std::size_t f = 0; f < returnsTo_.size(); ++f)
        std::fill(std::begin(clean_[2 * steps_ + f].word), std::end(clean_[2 * steps_ + f].word), ~std::uint64_t(0));
      while (sweepPassages()) {
      }
    }
    while (sweep()) {
    }
    if (!returnsTo_.empty())
      addWhatFollowsFunctions();
    found(first, live_);
    mark(false);
  }
  return chunks;
}

} // namespace bench
