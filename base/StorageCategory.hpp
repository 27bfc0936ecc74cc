// The 25 storage categories of the user guide's table 10.1, in its order, with the key that profiles
// store and the label that the summary prints.
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

/// Key as stored in profiles and used for pseudo-variables, e.g. "internalExchangeCode".
constexpr std::array<const char *, kNumStorageCategories> kStorageCategoryKeys = {"constant",
                                                                                  "controlCode",
                                                                                  "controlId",
                                                                                  "controlTable",
                                                                                  "copyDescriptor",
                                                                                  "globalExchangeCode",
                                                                                  "globalExchangePacketHeader",
                                                                                  "globalMessage",
                                                                                  "hostExchangeCode",
                                                                                  "hostExchangePacketHeader",
                                                                                  "hostMessage",
                                                                                  "instrumentationResults",
                                                                                  "internalExchangeCode",
                                                                                  "message",
                                                                                  "multiple",
                                                                                  "outputEdge",
                                                                                  "rearrangement",
                                                                                  "sharedCodeStorage",
                                                                                  "sharedDataStorage",
                                                                                  "stack",
                                                                                  "variable",
                                                                                  "vectorListDescriptor",
                                                                                  "vertexCode",
                                                                                  "vertexFieldData",
                                                                                  "vertexInstanceState"};

constexpr const char *storageCategoryKey(StorageCategory c) {
  return kStorageCategoryKeys[static_cast<std::size_t>(c)];
}

/// Code and system data: shown in liveness lists as one pseudo-variable per category, under its key.
constexpr bool isSystemCategory(StorageCategory c) {
  switch (c) {
  case StorageCategory::Constant:
  case StorageCategory::ControlId:
  case StorageCategory::GlobalMessage:
  case StorageCategory::HostMessage:
  case StorageCategory::Message:
  case StorageCategory::Multiple:
  case StorageCategory::OutputEdge:
  case StorageCategory::Rearrangement:
  case StorageCategory::Variable: return false;
  default: return true;
  }
}

} // namespace popscope
