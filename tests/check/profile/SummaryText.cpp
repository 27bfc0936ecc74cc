#include "tests/check/profile/SummaryText.hpp"

#include "tests/check/profile/TextLines.hpp"

namespace profile_check {
namespace {

void parseTarget(Lines &lines, SummaryText &s) {
  lines.skipTo("  Tiles per IPU:");
  s.tilesPerIpu = integer(lines.valueOf("  Tiles per IPU:"));
  s.tiles = integer(lines.valueOf("  Total Tiles:"));
  lines.skipTo("  Clock Speed (approx):");
  s.clockTenthsOfMHz = tenths(beforeLast(lines.valueOf("  Clock Speed (approx):"), " MHz"));
  lines.skipTo("  Number of vertices:");
  while (startsWith(lines.peek(), "  Number of"))
    s.graph.push_back(row(lines.take()));
}

void parseDataTypes(Lines &lines, MemoryText &m) {
  lines.expect("      By Data Type:");
  for (const bool overlapped : {false, true}) {
    lines.expect(overlapped ? "        Overlapped" : "        Not Overlapped");
    auto &rows = overlapped ? m.overlapped : m.notOverlapped;
    while (!startsWith(lines.peek(), "          Total:"))
      rows.push_back(byteRow(lines.take()));
    (overlapped ? m.overlappedTotal : m.notOverlappedTotal) = byteRow(lines.take()).value;
  }
  m.afterOverlapping = byteRow(lines.takeStarting("          Total After Overlapping:")).value;
  if (startsWith(lines.peek(), "          Of Several Categories:"))
    m.multiple = byteRow(lines.take()).value;
}

void parseVertexData(Lines &lines, MemoryText &m) {
  const std::string heading = lines.takeStarting("      Vertex Data (");
  m.vertexData = integer(between(heading, "(", "B)"));
  lines.expect("        By Category:");
  while (!startsWith(lines.peek(), "        By Type:"))
    m.vertexCategories.push_back(byteRow(lines.take()));
  lines.take();
  while (startsWith(lines.peek(), "          "))
    m.vertexTypes.push_back(byteRow(lines.take()));
}

MemoryText parseMemory(Lines &lines) {
  MemoryText m;
  if (startsWith(lines.peek(), "Tile # "))
    m.title = lines.take();
  if (startsWith(lines.peek(), "Memory on "))
    m.title = lines.take();
  if (startsWith(lines.peek(), "Memory Usage:"))
    lines.take();
  if (startsWith(lines.peek(), "  Code is not included"))
    lines.take();
  lines.expect("  Total:");
  m.including = byteRow(lines.takeStarting("    Including Gaps:")).value;
  lines.expect("    Excluding Gaps:");
  lines.expect("      By Memory Region:");
  while (!startsWith(lines.peek(), "      Total:"))
    m.regions.push_back(byteRow(lines.take()));
  m.total = byteRow(lines.take()).value;
  parseDataTypes(lines, m);
  parseVertexData(lines, m);
  return m;
}

void parseHistogram(Lines &lines, SummaryText &s) {
  lines.takeStarting("    Range (KB) Histogram");
  while (!lines.peek().empty()) {
    const std::string line = lines.take();
    BinText bin;
    const std::size_t dash = line.find(" - ");
    bin.from = integer(line.substr(0, dash));
    bin.to = integer(word(line.substr(dash + 3), 0));
    for (const char c : line)
      bin.stars += c == '*' ? 1 : 0;
    bin.tiles = integer(lastWord(line));
    s.bins.push_back(bin);
  }
  lines.take();
  s.maxIncluding = integer(word(lines.valueOf("    Maximum (Including Gaps):"), 0));
  s.maxExcluding = integer(word(lines.valueOf("    Maximum (Excluding Gaps):"), 0));
  s.tilesOutOfMemory = integer(word(lines.take(), 0));
}

void parseLiveness(Lines &lines, LivenessText &s) {
  s.where = trimmed(lines.valueOf("  Variable Storage Liveness:"));
  lines.skipTo("    Always-live bytes: ");
  s.alwaysLive = integer(lines.valueOf("    Always-live bytes:"));
  lines.expect("    Always-live variables:");
  while (!lines.peek().empty())
    s.alwaysLiveVariables.push_back(row(lines.take()));
  lines.take();
  s.maxLive = integer(lines.valueOf("    Maximum live bytes (including always-live):"));
  lines.take();
  std::string title;
  while (!lines.atEnd() && !lines.peek().empty()) {
    const std::string line = trimmed(lines.peek());
    const std::size_t indent = lines.peek().size() - line.size();
    if (!startsWith(line, "Live Bytes (excluding always-live): ")) {
      title = line;
      lines.take();
      continue;
    }
    LiveText live{title, integer(lastWord(lines.take())), {}};
    lines.takeStarting(std::string(indent, ' ') + "Live Vars (excluding always-live):");
    while (!lines.atEnd() && startsWith(lines.peek(), std::string(indent + 2, ' ')))
      live.variables.push_back(row(lines.take()));
    s.live.push_back(live);
  }
}

std::vector<TypeText> parseTypes(Lines &lines, const std::string &indent) {
  std::vector<TypeText> rows;
  while (!lines.atEnd() && startsWith(lines.peek(), indent) && lines.peek().find(" instances):") != std::string::npos) {
    const std::string line = lines.take(); // "Name (5 instances):   12,345 (of 4, the others are not known)"
    const std::size_t end = line.find(" instances):"), count = line.rfind('(', end);
    rows.push_back({trimmed(line.substr(0, count)), integer(word(line.substr(count + 1), 0)),
                    integer(word(line.substr(end + std::string(" instances):").size()), 0))});
  }
  return rows;
}

void parseBalances(Lines &lines, StepText &step) {
  const std::string active = lines.valueOf("    Active Tiles:");
  step.active = integer(word(active, 0));
  step.tiles = integer(lastWord(active));
  if (startsWith(lines.peek(), "    Thread Balance:"))
    step.threadBalance = tenths(beforeLast(lines.valueOf("    Thread Balance:"), "%"));
  step.tileBalance = tenths(beforeLast(lines.valueOf("    Tile Balance:"), "%"));
  step.activeTileBalance = tenths(beforeLast(lines.valueOf("    Active Tile Balance:"), "%"));
}

StepText parseStep(Lines &lines) {
  StepText step;
  step.title = lines.take();
  const std::string range = between(step.title, "(cycles ", ")");
  step.from = integer(word(range, 0));
  step.to = integer(lastWord(range));
  const std::string cycles = lines.valueOf("    Cycles:");
  step.cycles = integer(word(cycles, 0));
  if (cycles.find(" overlapped with previous)") != std::string::npos)
    step.overlapped = integer(word(between(cycles, "(", ")"), 0));
  parseBalances(lines, step);
  if (!lines.atEnd() && startsWith(lines.peek(), "    Total Data:")) {
    step.data = integer(lines.valueOf("    Total Data:"));
    step.dataBalance =
        tenths(beforeLast(lastWord(lines.takeStarting("    Data Balance (mean / max data per tile):")), "%"));
  }
  if (!lines.atEnd() && startsWith(lines.peek(), "    By vertex type:")) {
    lines.take();
    step.types = parseTypes(lines, "      ");
  }
  return step;
}

void parseSteps(Lines &lines, SummaryText &s) {
  s.hasSteps = true;
  lines.expect("Steps");
  while (!lines.atEnd() && !lines.peek().empty()) {
    if (startsWith(lines.peek(), "  --- "))
      s.runMarks += startsWith(lines.take(), "  --- run ") ? 1 : 0;
    else
      s.steps.push_back(parseStep(lines));
  }
}

void parseExecution(Lines &lines, SummaryText &s) {
  lines.skipTo("Execution:");
  lines.take();
  lines.take();
  if (startsWith(lines.peek(), "  Runs recorded:"))
    s.runsRecorded = integer(word(lines.valueOf("  Runs recorded:"), 0));
  const std::string total = lines.valueOf("  Total cycles:");
  s.cycles = integer(word(total, 0));
  s.microsecondTenths = tenths(between(total, "(approx ", " microseconds)"));
  while (!startsWith(lines.peek(), "  Total tile balance:"))
    s.cycleTotals.push_back(row(lines.take()));
  s.tileBalance = tenths(beforeLast(lines.valueOf("  Total tile balance:"), "%"));
  if (!lines.atEnd() && startsWith(lines.peek(), "  Total thread balance:"))
    s.threadBalance = tenths(beforeLast(lines.valueOf("  Total thread balance:"), "%"));
  if (!lines.atEnd() && lines.peek().empty())
    lines.take();
  if (!lines.atEnd() && startsWith(lines.peek(), "  Cycles by vertex type:")) {
    lines.take();
    s.cyclesByType = parseTypes(lines, "    ");
  }
  if (!lines.atEnd() && startsWith(lines.peek(), "Steps"))
    parseSteps(lines, s);
}

} // namespace

SummaryText parseSummary(const std::string &text) {
  SummaryText s;
  Lines lines(text);
  parseTarget(lines, s);
  while (!startsWith(lines.peek(), "Execution:")) {
    if (startsWith(lines.peek(), "Memory on ") || startsWith(lines.peek(), "Tile # "))
      s.memory.push_back(parseMemory(lines));
    else if (startsWith(lines.peek(), "  By Tile (Excluding Gaps):"))
      lines.take(), parseHistogram(lines, s);
    else if (startsWith(lines.peek(), "  Variable Storage Liveness:"))
      parseLiveness(lines, s.hasLiveness ? s.liveTiles.emplace_back() : s), s.hasLiveness = true;
    else
      lines.take();
  }
  parseExecution(lines, s);
  return s;
}

std::vector<std::string> hugeNumbers(const std::string &text) {
  static const std::string kLimit = "9223372036854775808"; // 2^63
  std::vector<std::string> found;
  std::string digits;
  for (const char c : text + " ") {
    if (c >= '0' && c <= '9') {
      digits += c;
      continue;
    }
    if (c == ',' && !digits.empty())
      continue;
    digits.erase(0, digits.find_first_not_of('0'));
    if (digits.size() > kLimit.size() || (digits.size() == kLimit.size() && digits >= kLimit))
      found.push_back(digits);
    digits.clear();
  }
  return found;
}

std::string withoutColour(const std::string &text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033')
      i = text.find('m', i);
    else
      plain += text[i];
    if (i == std::string::npos)
      break;
  }
  return plain;
}

} // namespace profile_check
