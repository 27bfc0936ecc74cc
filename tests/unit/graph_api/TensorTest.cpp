// Errors and text of tensors.
#include <poplar/Graph.hpp>

#include <doctest/doctest.h>

#include "MessageOf.hpp"

#include <string>

using namespace poplar;

TEST_SUITE("graph_api.tensor") {

  TEST_CASE("index and slice errors name the shape and the number") {
    Graph graph(Target::createCPUTarget());
    const Tensor t = graph.addVariable(FLOAT, {2, 3}, "weights");
    CHECK_THROWS_AS(t[2], index_error);
    CHECK_THROWS_AS(t.slice(1, 4, 1), index_error);
    CHECK_THROWS_AS(t.slice(2, 1, 1), index_error);
    CHECK_THROWS_AS(t.slice(0, 1, 2), index_error);
    CHECK_THROWS_AS(t.index({0, 3}), index_error);
    CHECK_THROWS_AS(t.dim(2), index_error);
    CHECK_THROWS_AS(t.flatten(1, 3), index_error);
    CHECK_THROWS_AS(t.expand({3}), index_error);
    const std::string message = messageOf([&] { t.slice(1, 4, 1); });
    CHECK(mentions(message, "{2,3}"));
    CHECK(mentions(message, "weights"));
    CHECK(mentions(message, "[1,4)"));
  }

  TEST_CASE("shape errors say what does not fit") {
    Graph graph(Target::createCPUTarget());
    const Tensor t = graph.addVariable(FLOAT, {2, 3});
    CHECK(mentions(messageOf([&] { t.reshape({4}); }), "6 elements do not make 4"));
    CHECK_THROWS_AS(t.dimShuffle({0, 0}), poplar_error);
    CHECK_THROWS_AS(t.squeeze({0}), poplar_error);
    CHECK_THROWS_AS(t[0].transpose(), poplar_error);
    CHECK_THROWS_AS(t.subSample(0, 0), poplar_error);
    CHECK_THROWS_AS(concat(t, graph.addVariable(FLOAT, {2, 4}), 0), poplar_error);
    CHECK_THROWS_AS(concat(t, graph.addVariable(HALF, {2, 3}), 0), type_error);
    CHECK_THROWS_AS(concat(std::vector<Tensor>{}), poplar_error);
    Graph second(Target::createCPUTarget());
    CHECK(mentions(messageOf([&] { concat(t, second.addVariable(FLOAT, {2, 3})); }), "different graphs"));
  }

  TEST_CASE("an invalid tensor says so when it is used") {
    Tensor t;
    CHECK_FALSE(t.valid());
    CHECK_THROWS_AS(t.shape(), poplar_error);
    CHECK(t == Tensor());
    CHECK(t.getDebugStr() == "invalid tensor");
  }

  TEST_CASE("reinterpret keeps the elements and needs equal sizes") {
    Graph graph(Target::createCPUTarget());
    const Tensor t = graph.addVariable(FLOAT, {4}, "x");
    const Tensor bits = t.reinterpret(UNSIGNED_INT);
    CHECK(bits.elementType() == UNSIGNED_INT);
    CHECK(bits.isAliasOf(t));
    CHECK(bits != t);
    CHECK_THROWS_AS(t.reinterpret(HALF), type_error);
  }

  TEST_CASE("shapes, empty tensors and scalars") {
    Graph graph(Target::createCPUTarget());
    const Tensor scalar = graph.addVariable(FLOAT, {});
    CHECK(scalar.rank() == 0);
    CHECK(scalar.numElements() == 1);
    CHECK(scalar.shapeToString() == "{}");
    const Tensor empty = graph.addVariable(FLOAT, {0, 3});
    CHECK(empty.numElements() == 0);
    CHECK(empty.broadcast(2, 1).shapeToString() == "{0,6}");
    CHECK(empty.reverse(0).numElements() == 0);
    CHECK(concat(empty, graph.addVariable(FLOAT, {2, 3})).shapeToString() == "{2,3}");
    CHECK(empty.isContiguous());
    CHECK(empty.isParallelWriteable());
    CHECK(append(graph.addVariable(FLOAT, {2, 3}), graph.addVariable(FLOAT, {3})).shapeToString() == "{3,3}");
    CHECK(graph.addVariable(FLOAT, {2, 3, 4}).dimRoll(2).shapeToString() == "{4,2,3}");
    CHECK(graph.addVariable(FLOAT, {2, 3, 4}).dimShufflePartial({0}, {2}).shapeToString() == "{3,4,2}");
    CHECK(graph.addVariable(FLOAT, {2, 3}).expand({0, 0, 1, 2}).shapeToString() == "{1,1,2,1,3,1}");
  }

  TEST_CASE("indexing a temporary gives the same as indexing a named tensor") {
    Graph graph(Target::createCPUTarget());
    const Tensor t = graph.addVariable(FLOAT, {2, 3});
    const Tensor row = t[1];
    CHECK(t[1][2] == row[2]);
    CHECK(t.slices({Interval(0, 1), Interval(1, 3)}, 1)[1] == t.slice(1, 3, 1));
    CHECK(t.slices(std::vector<std::vector<Interval>>{{{0, 1}, {2, 3}}}, 1)[0] ==
          concat(t.slice(0, 1, 1), t.slice(2, 3, 1), 1));
  }
}
