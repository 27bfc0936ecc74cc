#include "graph/steps/OrderCalls.hpp"

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace popscope {
namespace {

using Calls = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                 boost::no_property, std::uint32_t, std::uint32_t>;
using Functions = std::vector<std::uint32_t>;

template <class T> auto byFunction(std::vector<T> &values, const Calls &calls) {
  return boost::make_iterator_property_map(values.begin(), boost::get(boost::vertex_index, calls));
}

Functions shortestCycle(const Calls &calls, std::uint32_t function) {
  const std::uint32_t n = boost::num_vertices(calls), unreached = n;
  Functions before(n, unreached), distance(n, n);
  distance[function] = 0;
  boost::breadth_first_search(calls, function,
                              boost::visitor(boost::make_bfs_visitor(std::make_pair(
                                  boost::record_predecessors(byFunction(before, calls), boost::on_tree_edge()),
                                  boost::record_distances(byFunction(distance, calls), boost::on_tree_edge())))));
  std::uint32_t last = unreached; // the caller of `function` that is nearest to `function` in the search
  for (std::uint32_t f = 0; f != n; ++f) {
    const auto [begin, end] = boost::adjacent_vertices(f, calls);
    if (distance[f] < n && std::find(begin, end, function) != end &&
        (last == unreached || distance[f] < distance[last]))
      last = f;
  }
  Functions cycle{last};
  while (cycle.back() != function)
    cycle.push_back(before[cycle.back()]);
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

} // namespace

CallOrder orderCalls(const std::vector<std::vector<std::uint32_t>> &callees) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t f = 0; f != callees.size(); ++f)
    for (const std::uint32_t callee : callees[f])
      edges.emplace_back(f, callee);
  const Calls calls(boost::edges_are_sorted, edges.begin(), edges.end(), static_cast<std::uint32_t>(callees.size()));
  // A component gets its number after all components that it can reach, so callees come first.
  Functions component(callees.size()), sizes(callees.size());
  boost::strong_components(calls, byFunction(component, calls));
  for (const std::uint32_t c : component)
    ++sizes[c];
  CallOrder out;
  for (std::uint32_t f = 0; f != callees.size() && out.cycle.empty(); ++f)
    if (sizes[component[f]] > 1 || std::find(callees[f].begin(), callees[f].end(), f) != callees[f].end())
      out.cycle = shortestCycle(calls, f);
  if (!out.cycle.empty())
    return out;
  out.calleesFirst.resize(callees.size());
  for (std::uint32_t f = 0; f != callees.size(); ++f)
    out.calleesFirst[component[f]] = f;
  return out;
}

} // namespace popscope
