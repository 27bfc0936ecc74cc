// Programs without children: copies of all kinds, calls of the host, and programs that change no value.
#include "tests/property/programs/RandomProgram.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

namespace random_programs {

using namespace poplar::program;
using Values = std::vector<std::int64_t>;
using Elements = std::vector<std::size_t>;

namespace {

Values read(const Values &values, const Elements &at) {
  Values out;
  for (const std::size_t e : at)
    out.push_back(values[e]);
  return out;
}
void write(Values &values, const Elements &at, const Values &from) {
  for (std::size_t i = 0; i < at.size(); ++i)
    values[at[i]] = from[i];
}

} // namespace

/// Returns the index in Stream::data of element i of a replica's transfer.
std::size_t RandomProgram::transferElement(const Stream &s, std::size_t transfer, std::uint32_t replica,
                                           std::size_t i) const {
  const std::size_t block = s.broadcast ? transfer : transfer * replicas + replica;
  return block * s.elements % s.data.size() + i;
}

TwinProgram RandomProgram::assign(const TwinTensor &from, const TwinTensor &to) {
  return {Copy(from.tensor, to.tensor), [f = from.naive.elements, t = to.naive.elements](World &w) {
            for (Values &values : w.values)
              write(values, t, read(values, f));
          }};
}

TwinProgram RandomProgram::copy() {
  const Kind &kind = someKind();
  const TwinTensor to = target(kind, 1 + below(40), {});
  TwinTensor from = source(kind, to.naive.elements.size());
  const std::set<std::size_t> written(to.naive.elements.begin(), to.naive.elements.end());
  const bool overlap = std::any_of(from.naive.elements.begin(), from.naive.elements.end(),
                                   [&](std::size_t e) { return written.count(e) != 0; });
  if (overlap)
    from = to; // a copy that changes its own source has no defined meaning, except a copy to itself
  count(from.naive.elements == to.naive.elements ? "Copy to itself" : "Copy");
  TwinProgram p = assign(from, to);
  if (kind.type == poplar::INT && chance(30)) {
    count("reinterpret");
    p.program = Copy(from.tensor.reinterpret(poplar::FLOAT), to.tensor.reinterpret(poplar::FLOAT));
  }
  return p;
}

std::pair<TwinProgram, TwinProgram> RandomProgram::copyThroughClone() {
  const Kind &kind = someKind();
  const TwinTensor from = someVariable(kind, false);
  const TwinTensor to = target(kind, from.naive.elements.size(), {});
  count("Copy through a clone");
  const poplar::Tensor clone = graph.clone(from.tensor, "clone" + std::to_string(names_++));
  const auto kept = std::make_shared<std::vector<Values>>();
  const TwinProgram enter{Copy(from.tensor, clone), [=, f = from.naive.elements](World &w) {
                            kept->clear();
                            for (const Values &values : w.values)
                              kept->push_back(read(values, f));
                          }};
  const TwinProgram leave{Copy(clone.flatten().slice(0, to.naive.elements.size()), to.tensor),
                          [=, t = to.naive.elements](World &w) {
                            for (std::size_t r = 0; r < w.values.size(); ++r)
                              write(w.values[r], t, (*kept)[r]);
                          }};
  return {enter, leave};
}

TwinProgram RandomProgram::crossReplicaCopy() {
  if (replicas == 1)
    return copy();
  const Kind &kind = someKind();
  const TwinTensor to = target(kind, 1 + below(12), {});
  const std::set<std::size_t> written(to.naive.elements.begin(), to.naive.elements.end());
  const TwinTensor from = source(kind, to.naive.elements.size());
  if (to.naive.elements.empty() || std::any_of(from.naive.elements.begin(), from.naive.elements.end(),
                                               [&](std::size_t e) { return written.count(e) != 0; }))
    return copy();
  std::map<unsigned, unsigned> map;
  const std::uint32_t shift = below(replicas);
  for (std::uint32_t r = 0; r < replicas; ++r)
    map[r] = (r + shift) % replicas;
  count("CrossReplicaCopy");
  return {CrossReplicaCopy(from.tensor, to.tensor, map),
          [map, f = from.naive.elements, t = to.naive.elements](World &w) {
            std::vector<Values> sent;
            for (const Values &values : w.values)
              sent.push_back(read(values, f));
            for (const auto &pair : map)
              write(w.values[pair.second], t, sent[pair.first]);
          }};
}

TwinProgram RandomProgram::fromStream() {
  const std::size_t number = below(3);
  const Stream &s = streams[number];
  const TwinTensor to = target(kindOf(s.type), s.elements, {});
  if (to.naive.elements.size() != s.elements)
    return copy();
  count(s.callback ? "stream from a callback" : s.broadcast ? "stream of broadcasts" : "stream from a buffer");
  return {Copy(s.stream, to.tensor, chance(50)), [this, number, t = to.naive.elements](World &w) {
            const Stream &stream = streams[number];
            for (std::uint32_t r = 0; r < replicas; ++r)
              for (std::size_t i = 0; i < t.size(); ++i)
                w.values[r][t[i]] = stream.data[transferElement(stream, w.transfers[number], r, i)];
            ++w.transfers[number];
          }};
}

TwinProgram RandomProgram::toStream() {
  const std::size_t number = 3 + below(2);
  const Stream &s = streams[number];
  const TwinTensor from = source(kindOf(s.type), s.elements);
  count(s.callback ? "stream to a callback" : "stream to a buffer");
  return {Copy(from.tensor, s.stream, chance(50)), [this, number, f = from.naive.elements](World &w) {
            const Stream &stream = streams[number];
            for (std::uint32_t r = 0; r < replicas; ++r)
              for (std::size_t i = 0; i < f.size(); ++i)
                w.received[number][transferElement(stream, w.transfers[number], r, i)] = w.values[r][f[i]];
            ++w.transfers[number];
          }};
}

std::pair<poplar::Tensor, std::vector<std::size_t>> RandomProgram::rowNumbers(std::size_t number, std::size_t rows) {
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t(0));
  for (std::size_t i = rows; i > 1; --i)
    std::swap(all[i - 1], all[below(narrow(i))]);
  all.resize(number);
  const poplar::Tensor t =
      graph.addConstant<std::size_t>(chance(50) ? poplar::INT : poplar::UNSIGNED_INT, {number}, all, "rows");
  graph.setTileMapping(t, someTile());
  return {t, all};
}

TwinProgram RandomProgram::fromStreamAt() {
  constexpr std::size_t number = 5;
  const Stream &s = streams[number];
  const auto rows = rowNumbers(1 + below(narrow(s.blocks)), s.blocks);
  const TwinTensor to = target(kindOf(s.type), s.elements * rows.second.size(), {});
  if (to.naive.elements.size() != s.elements * rows.second.size())
    return copy();
  count("stream with an offset");
  return {Copy(s.stream, to.tensor, rows.first, s.blocks), [this, at = rows.second, t = to.naive.elements](World &w) {
            const Stream &stream = streams[number];
            for (std::uint32_t r = 0; r < replicas; ++r)
              for (std::size_t i = 0; i < t.size(); ++i)
                w.values[r][t[i]] =
                    stream.data[transferElement(stream, at[i / stream.elements], r, i % stream.elements)];
          }};
}

TwinProgram RandomProgram::remoteCopy() {
  const std::size_t number = below(narrow(remotes.size()));
  const Remote &b = remotes[number];
  auto rows = rowNumbers(1 + below(narrow(b.rows)), b.rows);
  const bool toDevice = chance(50), first = chance(30);
  if (first)
    rows.second = {0};
  const std::size_t n = b.elements * rows.second.size(), width = b.elements;
  const TwinTensor t = toDevice ? target(kindOf(b.type), n, {}) : source(kindOf(b.type), n);
  if (t.naive.elements.size() != n)
    return copy();
  count(toDevice ? "from a remote buffer" : "to a remote buffer");
  const Program p = toDevice ? (first ? Copy(b.buffer, t.tensor) : Copy(b.buffer, t.tensor, rows.first))
                             : (first ? Copy(t.tensor, b.buffer) : Copy(t.tensor, b.buffer, rows.first));
  return {p, [number, toDevice, width, at = rows.second, e = t.naive.elements](World &w) {
            for (std::size_t r = 0; r < w.values.size(); ++r)
              for (std::size_t i = 0; i < e.size(); ++i) {
                std::int64_t &there = w.remote[number][r][at[i / width] * width + i % width];
                (toDevice ? w.values[r][e[i]] : there) = toDevice ? there : w.values[r][e[i]];
              }
          }};
}

/// Adds a call of a host function that folds all its inputs and returns the sum plus the number of each output.
TwinProgram RandomProgram::hostCall() {
  const HostFn &f = hostFunctions[below(narrow(hostFunctions.size()))];
  const Kind &kind = kindOf(poplar::INT);
  const TwinTensor in = source(kind, f.in), out = target(kind, f.out, {});
  if (out.naive.elements.size() != f.out)
    return copy();
  count("host function");
  return {Call(f.function, {in.tensor}, {out.tensor}),
          [&kind, i = in.naive.elements, o = out.naive.elements](World &w) {
            for (Values &values : w.values) {
              std::int64_t s = 0;
              for (const std::size_t e : i)
                s = fold(kind, s, values[e]);
              for (std::size_t k = 0; k < o.size(); ++k)
                values[o[k]] = fold(kind, s, static_cast<std::int64_t>(k));
            }
          }};
}

TwinProgram RandomProgram::silent() {
  const Meaning nothing = [](World &) {};
  const TwinTensor t = view(someVariable(someKind(), false), false);
  switch (below(4)) {
  case 0: count("Sync"); return {Sync(static_cast<poplar::SyncType>(below(3))), nothing};
  case 1: count("PrintTensor"); return {PrintTensor("some", t.tensor), nothing};
  case 2: count("empty Sequence"); return {Sequence(), nothing};
  default: count("AssumeEqualAcrossReplicas"); return {AssumeEqualAcrossReplicas(t.tensor), nothing};
  }
}

TwinProgram RandomProgram::undefined() {
  const TwinTensor t = target(someKind(), 1 + below(10), {});
  count("WriteUndef");
  return {WriteUndef(t.tensor), [e = t.naive.elements](World &w) {
            for (Values &values : w.values)
              for (const std::size_t i : e)
                values[i] = kUndefined;
          }};
}

TwinProgram RandomProgram::set(const TwinTensor &scalar, std::int64_t value) {
  const poplar::Tensor c =
      graph.addConstant<std::int64_t>(scalar.tensor.elementType(), scalar.tensor.shape(), value, "setting");
  graph.setTileMapping(c, someTile());
  return {Copy(c, scalar.tensor), [e = scalar.naive.elements[0], value](World &w) {
            for (Values &values : w.values)
              values[e] = value;
          }};
}

TwinProgram RandomProgram::leaf() {
  const std::uint32_t kind = below(100);
  if (kind < 27)
    return execute();
  if (kind < 30)
    return vote();
  if (kind < 55)
    return copy();
  if (kind < 60)
    return fromStream();
  if (kind < 65)
    return toStream();
  if (kind < 69)
    return fromStreamAt();
  if (kind < 76)
    return remoteCopy();
  if (kind < 80)
    return hostCall();
  if (kind < 84)
    return crossReplicaCopy();
  if (kind < 88)
    return silent();
  if (kind < 91)
    return undefined();
  count("set a control");
  return set(controls_[below(narrow(controls_.size()))], below(2));
}

} // namespace random_programs
