// The storage categories by name.
#include "report/pva/Model.hpp"

#include "base/StorageCategory.hpp"

namespace pva {
namespace {

using popscope::StorageCategory;

Category of(const Categories &categories, StorageCategory category) {
  return categories.byIndex(static_cast<std::size_t>(category));
}

} // namespace

Category Categories::constant() const { return of(*this, StorageCategory::Constant); }
Category Categories::controlCode() const { return of(*this, StorageCategory::ControlCode); }
Category Categories::controlId() const { return of(*this, StorageCategory::ControlId); }
Category Categories::controlTable() const { return of(*this, StorageCategory::ControlTable); }
Category Categories::copyDescriptor() const { return of(*this, StorageCategory::CopyDescriptor); }
Category Categories::globalExchangeCode() const { return of(*this, StorageCategory::GlobalExchangeCode); }
Category Categories::globalExchangePacketHeader() const {
  return of(*this, StorageCategory::GlobalExchangePacketHeader);
}
Category Categories::globalMessage() const { return of(*this, StorageCategory::GlobalMessage); }
Category Categories::hostExchangeCode() const { return of(*this, StorageCategory::HostExchangeCode); }
Category Categories::hostExchangePacketHeader() const { return of(*this, StorageCategory::HostExchangePacketHeader); }
Category Categories::hostMessage() const { return of(*this, StorageCategory::HostMessage); }
Category Categories::instrumentationResults() const { return of(*this, StorageCategory::InstrumentationResults); }
Category Categories::internalExchangeCode() const { return of(*this, StorageCategory::InternalExchangeCode); }
Category Categories::message() const { return of(*this, StorageCategory::Message); }
Category Categories::multiple() const { return of(*this, StorageCategory::Multiple); }
Category Categories::outputEdge() const { return of(*this, StorageCategory::OutputEdge); }
Category Categories::rearrangement() const { return of(*this, StorageCategory::Rearrangement); }
Category Categories::sharedCodeStorage() const { return of(*this, StorageCategory::SharedCodeStorage); }
Category Categories::sharedDataStorage() const { return of(*this, StorageCategory::SharedDataStorage); }
Category Categories::stack() const { return of(*this, StorageCategory::Stack); }
Category Categories::variable() const { return of(*this, StorageCategory::Variable); }
Category Categories::vectorListDescriptor() const { return of(*this, StorageCategory::VectorListDescriptor); }
Category Categories::vertexCode() const { return of(*this, StorageCategory::VertexCode); }
Category Categories::vertexFieldData() const { return of(*this, StorageCategory::VertexFieldData); }
Category Categories::vertexInstanceState() const { return of(*this, StorageCategory::VertexInstanceState); }

std::vector<std::string> storageCategoryNames() {
  std::vector<std::string> names;
  for (const popscope::StorageCategoryRow &row : popscope::kStorageCategories)
    names.emplace_back(row.key);
  return names;
}

} // namespace pva
