#include "graph/codelets/FindFields.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

//          0 | struct popscope_generated::popscope_record_0
//          0 |   class Derived<float, true> value
//          0 |     struct Common<float> (base)
//          0 |       class poplar::Vertex (base) (empty)
//          0 |       class poplar::Input<float> first
//          0 |         ... what is inside the field
//     44:0-2 |     int bits
struct Line {
  std::string offset; // for a bit-field, the text before the colon
  std::size_t depth = 0;
  std::string text; // without " (empty)"
};

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Parses a line of a record. Returns false for any other line, because such a line ends a dump.
bool parseLine(const std::string &text, Line &line) {
  const std::size_t bar = text.find(" | ");
  const std::size_t digit = text.find_first_not_of(' ');
  if (bar == std::string::npos || digit >= bar)
    return false;
  const std::size_t begin = text.find_first_not_of(' ', bar + 3);
  if (begin == std::string::npos)
    return false;
  line.offset = text.substr(digit, text.find_first_of(": ", digit) - digit);
  line.depth = (begin - bar - 3) / 2;
  line.text = text.substr(begin);
  if (endsWith(line.text, " (empty)"))
    line.text.resize(line.text.size() - 8);
  return true;
}

class Lines {
public:
  Lines(const std::string &text, std::size_t at) : text_(text), at_(at) {}
  bool next(Line &line) {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string current = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    return parseLine(current, line);
  }

private:
  const std::string &text_;
  std::size_t at_;
};

std::vector<CandidateField> fieldsOfRecord(Lines lines, const CandidateClass &c) {
  std::vector<CandidateField> fields;
  Line line;
  lines.next(line); // the record, then its one field: the class
  lines.next(line);
  // Members of the class and of its bases count as fields; the contents of a member do not.
  for (std::size_t open = 2; lines.next(line);) {
    if (line.depth > open)
      continue;
    open = line.depth;
    if (endsWith(line.text, " base)") || endsWith(line.text, "(base)")) {
      ++open;
      continue;
    }
    if (endsWith(line.text, " pointer)")) // the pointer to virtual functions or virtual bases
      continue;
    CandidateField field;
    field.name = line.text.substr(line.text.rfind(' ') + 1);
    field.offset = line.offset;
    const auto own = c.ownFields.find(field.name);
    field.place = own == c.ownFields.end() ? c.place : own->second;
    fields.push_back(std::move(field));
  }
  return fields;
}

} // namespace

void findFields(const std::string &file, const std::string &dump, std::vector<CandidateClass> &classes) {
  for (std::size_t i = 0; i != classes.size(); ++i) {
    const std::string head = fmt::format(" | struct popscope_generated::popscope_record_{}\n", i);
    const std::size_t at = dump.find(head);
    if (at == std::string::npos)
      throw poplar::graph_program_compilation_error(fmt::format(
          "{}: the compiler does not report the layout of class '{}' ({}:{}); use a clang++ that prints record "
          "layouts, such as version 14, in POPSCOPE_CXX\n",
          file, classes[i].spelling, classes[i].place.file, classes[i].place.line));
    const std::size_t lineBegin = at == 0 ? 0 : dump.rfind('\n', at) + 1;
    classes[i].fields = fieldsOfRecord(Lines(dump, lineBegin), classes[i]);
  }
}

} // namespace popscope
