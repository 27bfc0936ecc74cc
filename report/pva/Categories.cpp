// The 25 categories by name.
#include "report/pva/Model.hpp"

#include "base/StorageCategory.hpp"

namespace pva {

Category Categories::constant() const { return byIndex(0); }
Category Categories::controlCode() const { return byIndex(1); }
Category Categories::controlId() const { return byIndex(2); }
Category Categories::controlTable() const { return byIndex(3); }
Category Categories::copyDescriptor() const { return byIndex(4); }
Category Categories::globalExchangeCode() const { return byIndex(5); }
Category Categories::globalExchangePacketHeader() const { return byIndex(6); }
Category Categories::globalMessage() const { return byIndex(7); }
Category Categories::hostExchangeCode() const { return byIndex(8); }
Category Categories::hostExchangePacketHeader() const { return byIndex(9); }
Category Categories::hostMessage() const { return byIndex(10); }
Category Categories::instrumentationResults() const { return byIndex(11); }
Category Categories::internalExchangeCode() const { return byIndex(12); }
Category Categories::message() const { return byIndex(13); }
Category Categories::multiple() const { return byIndex(14); }
Category Categories::outputEdge() const { return byIndex(15); }
Category Categories::rearrangement() const { return byIndex(16); }
Category Categories::sharedCodeStorage() const { return byIndex(17); }
Category Categories::sharedDataStorage() const { return byIndex(18); }
Category Categories::stack() const { return byIndex(19); }
Category Categories::variable() const { return byIndex(20); }
Category Categories::vectorListDescriptor() const { return byIndex(21); }
Category Categories::vertexCode() const { return byIndex(22); }
Category Categories::vertexFieldData() const { return byIndex(23); }
Category Categories::vertexInstanceState() const { return byIndex(24); }

std::vector<std::string> storageCategoryNames() {
  return std::vector<std::string>(popscope::kStorageCategoryKeys.begin(), popscope::kStorageCategoryKeys.end());
}

} // namespace pva
