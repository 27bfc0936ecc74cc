// Finds the rows (variables or lowered variables) that are live at a program.
//
// Problem: a walk over all steps asks at each step which rows are live. A search through all rows at each step takes
// time in proportion to steps x rows, although few rows are live at most steps.
// Idea: a segment tree over program ids. A node covers a range of programs:
//
//     programs   0   1   2   3        an interval [1, 4) of a class is stored at the nodes {1} and {2,3}
//     nodes     {0} {1} {2} {3}       program 2 reads the nodes {2}, {2,3} and {0,1,2,3}
//               {0,1}   {2,3}
//               {0,1,2,3}
//
// Invariant: the nodes of one interval are disjoint and cover exactly this interval. If the intervals of a class are
// disjoint, a query therefore meets each class once, and meets only live classes.
// Cost: the tree takes O(programs + rows + intervals x log programs) time and memory once, and a query takes
// O(log programs + k log k) time for k live rows.
// Rejected: a list of live rows per step. The memory of these lists grows with steps x live rows.
#pragma once
#include "instrument/profile/Records.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pva::detail {

class LiveRows {
public:
  /// Makes the index. `classOfRow` contains the class of each row, as an index into `classes`. Rows with a negative
  /// class are never live. `programs` is the number of programs. No interval may end after the last program.
  LiveRows(std::span<const popscope::LivenessClassRecord> classes, std::span<const std::int64_t> classOfRow,
           std::size_t programs);
  /// Returns the indices of the rows that are live at the program, in ascending order.
  [[nodiscard]] std::vector<std::uint32_t> at(std::uint32_t program) const;
  /// Returns the number of rows that are live at the program, without reading the rows. Cost: O(log programs).
  [[nodiscard]] std::size_t countAt(std::uint32_t program) const;

private:
  /// Lists of ids, one after the other: list i is ids[begins[i]] to ids[begins[i + 1] - 1].
  struct Lists {
    std::vector<std::size_t> begins;
    std::vector<std::uint32_t> ids;
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t i) const {
      return {ids.data() + begins[i], begins[i + 1] - begins[i]};
    }
  };
  template <class Visit> static Lists makeLists(std::size_t lists, Visit &&visit);

  std::size_t programs_;
  Lists rowsOfClass_, classesOfNode_;   // node 1 is the root; the leaf of program p is node programs_ + p
  std::vector<std::size_t> rowsOfNode_; // number of rows of the node's classes
};

/// Returns whether variables of the class are live at the program. Cost: O(log intervals).
[[nodiscard]] bool isLive(const popscope::LivenessClassRecord &liveClass, std::uint32_t program);

} // namespace pva::detail
