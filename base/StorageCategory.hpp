// The only table of the 25 storage categories, in the order of table 10.1 of Poplar's user guide. To add a category,
// add a row here and an enumerator at the same position. A static_assert of report/summary/MemoryView.cpp then reports
// the missing line of the summary. The test meta.categories lists the other missing parts: an accessor of pva in C++
// and Python, a name in the viewer, colours in the viewer and in the exported pictures, a row of docs/CATEGORIES.md.
// The test also checks that the source file in the `producer` of the row mentions the category.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace popscope {

enum class StorageCategory : std::uint8_t {
  Constant,
  ControlCode,
  ControlId,
  ControlTable,
  CopyDescriptor,
  GlobalExchangeCode,
  GlobalExchangePacketHeader,
  GlobalMessage,
  HostExchangeCode,
  HostExchangePacketHeader,
  HostMessage,
  InstrumentationResults,
  InternalExchangeCode,
  Message,
  Multiple,
  OutputEdge,
  Rearrangement,
  SharedCodeStorage,
  SharedDataStorage,
  Stack,
  Variable,
  VectorListDescriptor,
  VertexCode,
  VertexFieldData,
  VertexInstanceState,
};
inline constexpr std::size_t kNumStorageCategories = 25;

/// The contents of a category's allocations.
enum class CategoryHolds : std::uint8_t {
  Variables, // variables of the user or the compiler; lists of live variables show each variable by its own name
  System,    // data of the system; lists of live variables show one pseudo-variable per category, named by its key
  Code,      // code; lists of live variables show it like data of the system
};

struct StorageCategoryRow {
  StorageCategory category;
  const char *key;   // name in profiles, of pseudo-variables, and of the accessor in pva (C++ and Python)
  const char *label; // name in the summary
  CategoryHolds holds;
  const char *producer; // path of the source file that gives the category to an allocation or variable
};

inline constexpr std::array<StorageCategoryRow, kNumStorageCategories> kStorageCategories = {{
    {StorageCategory::Constant, "constant", "Constants", CategoryHolds::Variables, "graph/lowering/PlaceVariables.cpp"},
    {StorageCategory::ControlCode, "controlCode", "Control Code", CategoryHolds::Code,
     "liveness/layout/BuildProblem.cpp"},
    {StorageCategory::ControlId, "controlId", "Control IDs", CategoryHolds::Variables,
     "graph/lowering/LowerControl.cpp"},
    {StorageCategory::ControlTable, "controlTable", "Control Table", CategoryHolds::System,
     "graph/lowering/BuildControlTables.cpp"},
    {StorageCategory::CopyDescriptor, "copyDescriptor", "Copy Descriptors", CategoryHolds::System,
     "liveness/layout/BuildProblem.cpp"},
    {StorageCategory::GlobalExchangeCode, "globalExchangeCode", "Global Exchange Code", CategoryHolds::Code,
     "liveness/layout/CodeRows.cpp"},
    {StorageCategory::GlobalExchangePacketHeader, "globalExchangePacketHeader", "Global Exchange Packet Headers",
     CategoryHolds::System, "liveness/layout/CodeRows.cpp"},
    {StorageCategory::GlobalMessage, "globalMessage", "Global Exchange Message Buffers", CategoryHolds::Variables,
     "graph/lowering/PrepareExecute.cpp"},
    {StorageCategory::HostExchangeCode, "hostExchangeCode", "Host Exchange Code", CategoryHolds::Code,
     "liveness/layout/CodeRows.cpp"},
    {StorageCategory::HostExchangePacketHeader, "hostExchangePacketHeader", "Host Exchange Packet Headers",
     CategoryHolds::System, "liveness/layout/CodeRows.cpp"},
    {StorageCategory::HostMessage, "hostMessage", "Host Exchange Message Buffers", CategoryHolds::Variables,
     "graph/lowering/LowerStreamCopy.cpp"},
    {StorageCategory::InstrumentationResults, "instrumentationResults", "Instrumentation Results",
     CategoryHolds::System, "graph/lowering/InsertInstrumentation.cpp"},
    {StorageCategory::InternalExchangeCode, "internalExchangeCode", "Internal Exchange Code", CategoryHolds::Code,
     "liveness/layout/CodeRows.cpp"},
    {StorageCategory::Message, "message", "Internal Exchange Message Buffers", CategoryHolds::Variables,
     "graph/lowering/PrepareExecute.cpp"},
    {StorageCategory::Multiple, "multiple", "Of Several Categories", CategoryHolds::Variables,
     "liveness/layout/SummariseTile.cpp"},
    {StorageCategory::OutputEdge, "outputEdge", "Output Edge Buffers", CategoryHolds::Variables,
     "graph/lowering/PrepareExecute.cpp"},
    {StorageCategory::Rearrangement, "rearrangement", "Data Rearrangement Buffers", CategoryHolds::Variables,
     "graph/lowering/PrepareExecute.cpp"},
    {StorageCategory::SharedCodeStorage, "sharedCodeStorage", "Shared Code Storage", CategoryHolds::Code,
     "liveness/layout/BuildProblem.cpp"},
    {StorageCategory::SharedDataStorage, "sharedDataStorage", "Shared Data Storage", CategoryHolds::System,
     "liveness/layout/BuildProblem.cpp"},
    {StorageCategory::Stack, "stack", "Stack", CategoryHolds::System, "liveness/layout/BuildProblem.cpp"},
    {StorageCategory::Variable, "variable", "Variables", CategoryHolds::Variables, "graph/lowering/PlaceVariables.cpp"},
    {StorageCategory::VectorListDescriptor, "vectorListDescriptor", "VectorList Descriptors", CategoryHolds::System,
     "liveness/layout/BuildProblem.cpp"},
    {StorageCategory::VertexCode, "vertexCode", "Vertex Code", CategoryHolds::Code, "liveness/layout/BuildProblem.cpp"},
    {StorageCategory::VertexFieldData, "vertexFieldData", "Vertex Field Data", CategoryHolds::System,
     "liveness/layout/BuildProblem.cpp"},
    {StorageCategory::VertexInstanceState, "vertexInstanceState", "Vertex Instances", CategoryHolds::System,
     "liveness/layout/BuildProblem.cpp"},
}};

constexpr bool storageCategoriesAreInOrder() {
  for (std::size_t i = 0; i != kStorageCategories.size(); ++i)
    if (kStorageCategories[i].category != static_cast<StorageCategory>(i))
      return false;
  return true;
}
static_assert(storageCategoriesAreInOrder(), "a row of kStorageCategories stands where its category does not");

[[nodiscard]] constexpr const StorageCategoryRow &storageCategoryRow(StorageCategory c) {
  return kStorageCategories[static_cast<std::size_t>(c)];
}
/// Returns the key of a category, for example "internalExchangeCode".
[[nodiscard]] constexpr const char *storageCategoryKey(StorageCategory c) { return storageCategoryRow(c).key; }
[[nodiscard]] constexpr bool isSystemCategory(StorageCategory c) {
  return storageCategoryRow(c).holds != CategoryHolds::Variables;
}
[[nodiscard]] constexpr bool holdsCode(StorageCategory c) { return storageCategoryRow(c).holds == CategoryHolds::Code; }

} // namespace popscope
