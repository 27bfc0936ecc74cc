#include "graph/codelets/RegistrationUnit.hpp"

#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/EmbeddedText.hpp"
#include "graph/codelets/Words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <string_view>

namespace popscope {
namespace {

std::string marker(const SourcePlace &place) { return fmt::format("# {} {}\n", place.line, literalOf(place.file)); }

/// Returns text that declares an alias of the class and names the alias from the global scope. An instantiation is
/// spelled as the codelet's author wrote it. Such a spelling has its meaning only inside the namespace where it was
/// written, so the alias is declared in that namespace.
std::string aliasOf(const CandidateClass &c, std::size_t index) {
  std::string open, close, path = "::";
  for (const std::string &name : c.scope) {
    open += "namespace " + name + " { ";
    close += "} ";
    if (!name.empty())
      path += name + "::";
  }
  return fmt::format(
      "{}{}using popscope_class_{} = {}; {}\nnamespace popscope_generated {{ using C{} = {}popscope_class_{}; }}\n",
      marker(c.place), open, index, c.spelling, close, index, path, index);
}

/// Returns the text that refuses an unsupported field. The text takes effect only if the class turns out to be a
/// vertex.
std::string refusal(const SourcePlace &place, std::size_t index, const std::string &why) {
  return marker(place) +
         fmt::format("static_assert(popscope_device::kind<C{}>() == popscope_device::kNotAVertex, {});\n", index,
                     literalOf(why));
}

std::string fieldOf(const CandidateField &field, std::size_t index, std::size_t f) {
  std::string text = marker(field.place);
  text += fmt::format("struct C{0}F{1} {{ static constexpr const char *name = \"{2}\"; "
                      "template <class C> using Type = typename popscope_device::Declared<decltype(C::{2}), "
                      "decltype(&C::{2})>::type; template <class C> static constexpr unsigned long offset() "
                      "{{ return __builtin_offsetof(C, {2}); }} }};\n",
                      index, f, field.name);
  if (!field.offset.empty())
    text +=
        marker(field.place) +
        fmt::format(
            "static_assert(popscope_device::fieldIsReached<C{0}, C{0}F{1}>({3}), \"field '{2}' cannot be reached "
            "by its name: it is a bit-field, a reference or hidden by another member; a vertex cannot hold it\");\n",
            index, f, field.name, field.offset);
  text += marker(field.place);
  text +=
      fmt::format("static_assert(popscope_device::fieldIsSupported<C{0}, C{0}F{1}>(), \"field '{2}' has a type that "
                  "a vertex cannot hold; use a scalar, Vector, Input, Output, InOut or VectorList\");\n",
                  index, f, field.name);
  return text;
}

std::string fieldsOf(const CandidateClass &c, std::size_t index) {
  std::string text;
  std::set<std::string> names;
  for (std::size_t f = 0; f != c.fields.size(); ++f) {
    const CandidateField &field = c.fields[f];
    if (field.name.empty())
      text += refusal(field.place, index, "a vertex cannot hold an unnamed member: it could not be connected or set");
    else if (!names.insert(field.name).second)
      text +=
          refusal(field.place, index,
                  "field '" + field.name + "' exists twice, in the vertex and in a base class or in two; rename one");
    else
      text += fieldOf(field, index, f);
  }
  return text;
}

std::string fieldList(const CandidateClass &c, std::size_t index) {
  std::string list;
  std::set<std::string> names = {""};
  for (std::size_t f = 0; f != c.fields.size(); ++f)
    if (names.insert(c.fields[f].name).second)
      list += fmt::format(", C{}F{}", index, f);
  return list;
}

std::string registrationOf(const CandidateClass &c, std::size_t index) {
  std::string text = aliasOf(c, index) + "namespace popscope_generated {\n" + fieldsOf(c, index) + marker(c.place);
  text += fmt::format("static_assert(!popscope_device::computeIsWrong<C{0}>(), \"compute() of this vertex cannot be "
                      "called; declare bool compute() or void compute(), with a worker id in a MultiVertex\");\n",
                      index);
  text += marker(c.place);
  text +=
      fmt::format("static_assert(!std::is_polymorphic<C{0}>::value || popscope_device::kind<C{0}>() == "
                  "popscope_device::kNotAVertex, \"a vertex class cannot have virtual functions: its state is never "
                  "constructed\");\n",
                  index);
  std::string constraints;
  for (const std::string &constraint : c.constraints)
    constraints += literalOf(constraint) + ", ";
  const std::string fields = fieldList(c, index);
  text += marker(c.place);
  text += fmt::format("#if defined(__riscv)\n"
                      "extern \"C\" __attribute__((used)) void popscope_entry_{0}(void *v, unsigned w) {{ "
                      "popscope_device::run<C{0}>(v, w); }}\n"
                      "extern \"C\" __attribute__((used)) void popscope_layout_{0}(unsigned *out) {{ "
                      "popscope_device::writeLayout<C{0}{1}>(out); }}\n"
                      "#else\n"
                      "struct C{0}Info {{ static constexpr unsigned numConstraints = {2}; "
                      "static constexpr const char *constraints[] = {{{3}nullptr}}; "
                      "static constexpr const char *definedIn = {4}; }};\n"
                      "constexpr const char *C{0}Info::constraints[];\n"
                      "#endif\n",
                      index, fields, c.constraints.size(), constraints, literalOf(c.place.file));
  return text + "} // namespace popscope_generated\n";
}

std::string table(const FoundClasses &found) {
  std::string rows, enumerators;
  for (std::size_t i = 0; i != found.classes.size(); ++i)
    rows += fmt::format("  &popscope_device::Class<C{0}, C{0}Info{1}>::row,\n", i, fieldList(found.classes[i], i));
  for (const auto &[literal, name] : found.enumerators)
    enumerators += fmt::format("  {{{}, {}}},\n", literalOf(literal), literalOf(name));
  return fmt::format(
      "#if !defined(__riscv)\n"
      "namespace popscope_generated {{\n"
      "static const popscope_device::ClassRow *const rows[] = {{\n{0}  nullptr}};\n"
      "static constexpr popscope_device::EnumeratorRow enumerators[] = {{\n{2}  {{nullptr, nullptr}}}};\n"
      "extern \"C\" __attribute__((visibility(\"default\"))) const popscope_device::Table popscope_codelets = "
      "{{popscope_device::kRegistryVersion, {1}, rows, {3}, enumerators,\n"
      "#ifdef POPSCOPE_IPU_BUILTINS_H\n"
      "  &popscope_device::place\n"
      "#else\n"
      "  nullptr\n"
      "#endif\n"
      "}};\n"
      "}}\n#endif\n",
      rows, found.classes.size(), enumerators, found.enumerators.size());
}

std::string head(const std::string &file, const std::string &text) {
  return marker({file, 1}) + text + "\n" +
         "# 1 \"<popscope registration>\" 3\n#pragma clang diagnostic ignored \"-Weverything\"\n";
}

} // namespace

std::string unitHead() { return "# 1 \"<popscope registry>\" 3\n" + registryText(); }

std::string layoutUnit(const std::string &file, const std::string &text, const FoundClasses &found) {
  std::string unit = head(file, text);
  for (std::size_t i = 0; i != found.classes.size(); ++i)
    unit +=
        aliasOf(found.classes[i], i) +
        fmt::format(
            "namespace popscope_generated {{ struct popscope_record_{0} {{ popscope_device::LaidOut<C{0}> value; }}; "
            "static_assert(sizeof(popscope_record_{0}) != 0, \"\"); }}\n",
            i);
  return unit;
}

std::string registrationUnit(const std::string &file, const std::string &text, const FoundClasses &found) {
  std::string unit = head(file, text);
  for (std::size_t i = 0; i != found.classes.size(); ++i)
    unit += registrationOf(found.classes[i], i);
  return unit + "# 1 \"<popscope registration>\" 3\n" + halfCallsText() + table(found);
}

std::string registryVersion() {
  // The hash covers a unit without classes (the registry and the generator's fixed text) and a unit with one class (all
  // other text).
  CandidateClass sample;
  sample.spelling = "V";
  sample.scope = {"", "n"};
  sample.fields = {{"f", "0", {"f", 1}}, {"", "8", {"f", 1}}, {"f", "16", {"f", 1}}};
  sample.constraints = {"c"};
  FoundClasses found;
  found.classes = {sample};
  found.enumerators = {{"(E)1", "E::A"}};
  return ContentHash()
      .add(unitHead())
      .add(layoutUnit("f", "", found))
      .add(registrationUnit("f", "", found))
      .add(standInFeaturesText())
      .hex();
}

namespace {

/// Returns the type that clang's text names, without const and volatile: float for "'const Real' (aka 'const float')".
/// clang adds the resolved type after "aka" if the written type is an alias.
std::string_view resolvedType(std::string_view text) {
  if (const std::size_t aka = text.rfind(" (aka '"); aka != std::string_view::npos)
    text.remove_prefix(aka);
  const std::size_t begin = text.find('\'') + 1;
  text = text.substr(begin, text.rfind('\'') - begin);
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string_view qualifier : {"const ", "volatile "})
      if (text.substr(0, qualifier.size()) == qualifier) {
        text.remove_prefix(qualifier.size());
        changed = true;
      }
  }
  return text;
}

/// Returns whether the line is a -Wdouble-promotion warning about half to float, which a tile's compiler does not give.
bool isHalfToFloat(std::string_view line) {
  constexpr std::string_view kBefore = "increases floating-point precision: ", kBetween = " to '";
  const std::size_t before = line.find(kBefore);
  if (before == std::string_view::npos)
    return false;
  line.remove_prefix(before + kBefore.size());
  line = line.substr(0, line.rfind(" ["));
  const std::size_t between = line.find(kBetween);
  return between != std::string_view::npos && resolvedType(line.substr(0, between)) == "__fp16" &&
         resolvedType(line.substr(between)) == "float";
}

} // namespace

std::string userDiagnostics(const std::string &compilerOutput, bool onlyMessages) {
  std::istringstream in(compilerOutput);
  std::string line, result;
  bool keep = true, promotion = false; // `keep` is for the message and for the notes that belong to it
  while (std::getline(in, line)) {
    const bool note = line.find(": note: ") != std::string::npos;
    const bool message = note || line.find(": error: ") != std::string::npos ||
                         line.find(": fatal error: ") != std::string::npos ||
                         line.find(": warning: ") != std::string::npos;
    const bool ours =
        line.find("<popscope regist") != std::string::npos || line.find("popscope_generated") != std::string::npos;
    if (line.rfind("In file included from", 0) == 0) {
      if (!ours && line.find("<built-in>") == std::string::npos) // the origin of a unit's head
        result += line + "\n";
      continue;
    }
    if (message && !note)
      promotion = isHalfToFloat(line);
    if (message) // an excerpt belongs to the previous message
      keep = (!ours || line.find("static_assert failed") != std::string::npos) && !promotion;
    if (!keep || (onlyMessages && !message))
      continue;
    const std::size_t requirement = line.find("static_assert failed due to requirement");
    const std::size_t text = line.find(" \"");
    if (requirement != std::string::npos && text != std::string::npos && ours) // keeps only the text of our assertion
      line = line.substr(0, requirement) + line.substr(text + 2, line.rfind('"') - text - 2);
    result += line + "\n";
  }
  return result;
}

} // namespace popscope
