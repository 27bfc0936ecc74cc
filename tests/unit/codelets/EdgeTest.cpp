// The device headers compiled by the host's compiler, as in a program that debugs or analyses codelets on their own.
#include "tests/unit/codelets/Edges.cpp"

#include <cstring>
#include <doctest/doctest.h>

namespace {

template <class Edge, class T> void connect(Edge &edge, T &value) {
  T *const place = &value;
  static_assert(sizeof(Edge) == sizeof place, "a scalar edge is one pointer");
  std::memcpy(static_cast<void *>(&edge), &place, sizeof place);
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("edges of half compare, add and assign like halves") {
  half in = 1.0f, both = 2.0f, out = 0.0f;
  float single = 0.5f, sum = 7;
  popscope_test::EdgeVertex v;
  connect(v.in, in);
  connect(v.both, both);
  connect(v.out, out);
  connect(v.single, single);
  connect(v.sum, sum);
  CHECK(v.compare() == 0);
  v.assign();
  CHECK(float(both) == 2);
  CHECK(float(out) == 3);
  CHECK(sum == 5.5f);
  CHECK(float(in) == 1);
}

TEST_SUITE_END();
