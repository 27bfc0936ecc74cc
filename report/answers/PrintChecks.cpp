// The output of popscope check for build servers: JUnit's XML, and SARIF.
#include "report/answers/PrintRows.hpp"

#include "base/Check.hpp"
#include "base/JsonText.hpp"
#include "base/ShownText.hpp"
#include "base/Version.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace popscope {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<Cell>;

std::string xml(const std::string &text) {
  std::string out;
  for (const char c : validUtf8(text))
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    default: out += static_cast<unsigned char>(c) < ' ' ? ' ' : c; // XML 1.0 has no control characters
    }
  return out;
}

const Cell &cellOf(const Table &table, const Row &row, const std::string &key) {
  const auto column =
      std::find_if(table.columns.begin(), table.columns.end(), [&](const Column &c) { return c.key == key; });
  POPSCOPE_CHECK(column != table.columns.end(), "the table {} has no column {}", table.key, key);
  return row[static_cast<std::size_t>(column - table.columns.begin())];
}

bool isKept(const Table &table, const Row &row) { return std::get<bool>(cellOf(table, row, "kept")); }

/// Returns, for example, "1,234 where the limit is 1,000, baseline 900".
std::string sayOf(const Table &table, const Row &row) {
  const Cell &baseline = cellOf(table, row, "baseline");
  return cellText(cellOf(table, row, "value")) + " where the limit is " + cellText(cellOf(table, row, "limit")) +
         (std::holds_alternative<Unknown>(baseline) ? "" : ", baseline " + cellText(baseline));
}

std::string factText(const Rows &rows, const char *key) {
  const auto fact = std::find_if(rows.facts.begin(), rows.facts.end(), [&](const Fact &f) { return f.key == key; });
  POPSCOPE_CHECK(fact != rows.facts.end(), "the answer {} has no fact {}", rows.view, key);
  return cellText(fact->value);
}

/// Returns a path as a relative or file URI.
std::string uriOf(const std::string &path) {
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~-/";
  std::string uri = path.rfind('/', 0) == 0 ? "file://" : "";
  for (const char c : path)
    if (plain.find(c) != std::string::npos)
      uri += c;
    else {
      const char *digits = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      uri += std::string("%") + digits[byte / 16] + digits[byte % 16];
    }
  return uri;
}

struct SarifRule {
  const char *rule, *id, *text;
};
constexpr SarifRule kSarifRules[] = {
    {"max", "popscope/max", "A number of the profile is above its maximum."},
    {"min", "popscope/min", "A number of the profile is below its minimum."},
    {"max increase", "popscope/max-increase", "A number of the profile grew by more than it may."}};

Json sarifRules() {
  Json rules = Json::array();
  for (const SarifRule &rule : kSarifRules)
    rules.push_back(
        {{"id", rule.id}, {"shortDescription", {{"text", rule.text}}}, {"defaultConfiguration", {{"level", "error"}}}});
  return rules;
}

Json sarifResult(const Rows &rows, const Table &table, const Row &row) {
  const std::string name = cellText(cellOf(table, row, "number")), rule = cellText(cellOf(table, row, "rule"));
  std::size_t index = 0;
  while (kSarifRules[index].rule != rule)
    POPSCOPE_CHECK(++index < std::size(kSarifRules), "no rule of SARIF is called {}", rule);
  const std::string unit = cellText(cellOf(table, row, "unit"));
  const Json place = {{"physicalLocation",
                       {{"artifactLocation", {{"uri", uriOf(factText(rows, "budget"))}}},
                        {"region", {{"startLine", std::get<std::uint64_t>(cellOf(table, row, "line"))}}}}}};
  return {{"ruleId", kSarifRules[index].id},
          {"ruleIndex", index},
          {"level", "error"},
          {"message",
           {{"text", name + (unit.empty() ? "" : " (" + unit + ")") + ": " + sayOf(table, row) + ", in " +
                         factText(rows, "profile") + "."}}},
          {"locations", Json::array({place})},
          {"partialFingerprints", {{"popscopeLimit/v1", name + " " + rule}}}};
}

} // namespace

std::string toJunit(const Rows &rows) {
  const Table &table = rows.tables.front();
  std::string cases;
  std::size_t failed = 0;
  for (const Row &row : table.rows) {
    cases += "  <testcase classname=\"popscope.check\" name=\"" +
             xml(cellText(cellOf(table, row, "number")) + " " + cellText(cellOf(table, row, "rule"))) + "\"";
    if (isKept(table, row)) {
      cases += "/>\n";
      continue;
    }
    ++failed;
    cases += "><failure message=\"" + xml(sayOf(table, row)) + "\"/></testcase>\n";
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"popscope " + rows.view + "\" tests=\"" +
         std::to_string(table.rows.size()) + "\" failures=\"" + std::to_string(failed) + "\">\n" + cases +
         "</testsuite>\n";
}

std::string toSarif(const Rows &rows) {
  const Table &table = rows.tables.front();
  Json results = Json::array();
  for (const Row &row : table.rows)
    if (!isKept(table, row)) // code scanning shows every result as a fault, whatever its kind
      results.push_back(sarifResult(rows, table, row));
  const Json driver = {{"name", "popscope"}, {"version", kVersionText}, {"rules", sarifRules()}};
  const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({Json{{"tool", {{"driver", driver}}}, {"results", results}}})}};
  return jsonText(log, 2) + "\n";
}

} // namespace popscope
