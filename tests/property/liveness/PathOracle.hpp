// The brute-force oracle of liveness. The oracle walks the paths of the program tree, element by element, and does not
// use steps. A variable is live at a point if some path from there reads the variable before one program of the tree
// has overwritten all its elements. Each call has its own copy of the function's program; a point in a function stands
// for all its copies together.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace popscope::testing {

class PathOracle {
public:
  PathOracle(const GraphIr &graph, const std::vector<ProgramPtr> &programs);
  /// Returns, for each reachable point (a named Sync program), which variables are live there, by GraphVarId.
  [[nodiscard]] const std::map<std::string, std::vector<bool>> &liveAt() const { return liveAt_; }

private:
  struct Node {
    std::vector<bool> reads, kills; // by variable; reads come before kills
    std::vector<std::size_t> next;
    std::string point;
  };
  std::size_t add(std::vector<std::size_t> next);
  std::size_t flow(const ProgramPtr &program, std::size_t next);
  std::size_t flowAll(const std::vector<ProgramPtr> &children, std::size_t next);
  std::size_t leaf(const ProgramNode &p, std::size_t next);
  std::size_t hostAccess(const View &view, bool write, std::size_t next);
  void reads(std::size_t node, const RunList &view);
  void writes(std::size_t node, const std::vector<RunList> &views);
  void executes(std::size_t node, const ProgramNode &p);
  std::vector<bool> reachedFrom(std::size_t start) const;
  bool lives(std::size_t node, std::size_t var) const;

  const GraphIr &graph_;
  std::vector<Node> nodes_;
  std::map<std::string, std::vector<bool>> liveAt_;
};

} // namespace popscope::testing
