// VariableRef names a variable of a graph. VariableInterval names a half-open range of elements of a variable.
#pragma once
#include <poplar/Interval.hpp>

#include <cstddef>
#include <functional>

namespace poplar {

struct VariableRef {
  unsigned id;
  unsigned replicationLevel;
  VariableRef(unsigned id_, unsigned replicationLevel_) : id(id_), replicationLevel(replicationLevel_) {}
  explicit VariableRef(unsigned id_) : id(id_), replicationLevel(0) {}
  VariableRef() = default;
};
inline bool operator==(const VariableRef &a, const VariableRef &b) {
  return a.id == b.id && a.replicationLevel == b.replicationLevel;
}
inline bool operator!=(const VariableRef &a, const VariableRef &b) { return !(a == b); }
inline bool operator<(const VariableRef &a, const VariableRef &b) {
  return a.id != b.id ? a.id < b.id : a.replicationLevel < b.replicationLevel;
}

struct VariableInterval {
  VariableRef var;
  Interval interval;
  VariableInterval() = default;
  VariableInterval(VariableRef var_, Interval interval_) : var(var_), interval(interval_) {}
};
inline bool operator==(const VariableInterval &a, const VariableInterval &b) {
  return a.var == b.var && a.interval == b.interval;
}
inline bool operator!=(const VariableInterval &a, const VariableInterval &b) { return !(a == b); }
inline bool operator<(const VariableInterval &a, const VariableInterval &b) {
  return a.var == b.var ? a.interval < b.interval : a.var < b.var;
}

} // namespace poplar

namespace std {
template <> struct hash<poplar::VariableRef> {
  size_t operator()(const poplar::VariableRef &v) const {
    return hash<unsigned>()(v.id) * 31u + hash<unsigned>()(v.replicationLevel);
  }
};
template <> struct hash<poplar::VariableInterval> {
  size_t operator()(const poplar::VariableInterval &v) const {
    return (hash<poplar::VariableRef>()(v.var) * 31u + hash<size_t>()(v.interval.begin())) * 31u +
           hash<size_t>()(v.interval.end());
  }
};
} // namespace std
