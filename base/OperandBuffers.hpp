// The storage categories of buffers for operands of vertices. Lowering creates such a buffer for data that lies on
// another tile, or for data that an operand needs in another order. A program that does not fit because of these
// buffers needs smaller operands, or several compute sets instead of one.
#pragma once
#include "base/StorageCategory.hpp"

#include <string_view>

namespace popscope {

constexpr bool isOperandBuffer(StorageCategory category) {
  return category == StorageCategory::Message || category == StorageCategory::GlobalMessage ||
         category == StorageCategory::OutputEdge || category == StorageCategory::Rearrangement;
}
/// Returns whether the category with the key `key` (storageCategoryKey) is a category of operand buffers.
constexpr bool isOperandBuffer(std::string_view key) {
  for (const StorageCategoryRow &row : kStorageCategories)
    if (key == row.key)
      return isOperandBuffer(row.category);
  return false;
}

} // namespace popscope
