// Operations of the small value types in the public headers: comparison, printing, copies, ranges.
#include <doctest/doctest.h>
#include <poplar/ArrayRef.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Interval.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/ProfileValue.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Type.hpp>
#include <poplar/exceptions.hpp>

#include <sstream>

using namespace poplar;

namespace {

template <class T> std::string printed(const T &value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

} // namespace

// A client's own function to print a format, which must not be ambiguous with a function of poplar.
namespace format_client {
namespace {
std::ostream &operator<<(std::ostream &os, const QuarterMetadata::Format &format) { return os << toString(format); }
std::string print(QuarterMetadata::Format format) {
  std::ostringstream os;
  os << format;
  return os.str();
}
} // namespace
} // namespace format_client

// Creates an exception of each class from both forms of text; `base` catches it and reads the text.
#define CHECK_EXCEPTION(name, base)                                                                                    \
  do {                                                                                                                 \
    const poplar::name fromText("some text"), fromString(std::string("other text"));                                   \
    CHECK(std::string(fromText.what()) == "some text");                                                                \
    CHECK(std::string(fromString.what()) == "other text");                                                             \
    CHECK(fromString.type == #name);                                                                                   \
    CHECK_THROWS_AS(throw poplar::name(fromText), poplar::base);                                                       \
  } while (false)

TEST_SUITE("base.valueForms") {

  TEST_CASE("every exception is made from text, knows its class and is caught by its base") {
    CHECK_EXCEPTION(overflow_error, poplar_error);
    CHECK_EXCEPTION(memory_elem_constraints_error, poplar_error);
    CHECK_EXCEPTION(unknown_field, poplar_error);
    CHECK_EXCEPTION(unknown_vertex_type, poplar_error);
    CHECK_EXCEPTION(no_environment, poplar_error);
    CHECK_EXCEPTION(parse_error, poplar_error);
    CHECK_EXCEPTION(invalid_option, poplar_error);
    CHECK_EXCEPTION(invalid_machine_model, poplar_error);
    CHECK_EXCEPTION(stream_connection_error, poplar_error);
    CHECK_EXCEPTION(graph_cycle_error, poplar_error);
    CHECK_EXCEPTION(invalid_tile_mapping, poplar_error);
    CHECK_EXCEPTION(type_error, poplar_error);
    CHECK_EXCEPTION(no_size_specified, poplar_error);
    CHECK_EXCEPTION(profiling_disabled, poplar_error);
    CHECK_EXCEPTION(control_program_error, poplar_error);
    CHECK_EXCEPTION(graph_object_load_error, poplar_error);
    CHECK_EXCEPTION(graph_object_creation_error, poplar_error);
    CHECK_EXCEPTION(graph_program_compilation_error, poplar_error);
    CHECK_EXCEPTION(graph_recursion_error, poplar_error);
    CHECK_EXCEPTION(tensor_creation_error, poplar_error);
    CHECK_EXCEPTION(tensor_io_state_error, poplar_error);
    CHECK_EXCEPTION(graph_connection_error, poplar_error);
    CHECK_EXCEPTION(graph_replication_error, poplar_error);
    CHECK_EXCEPTION(file_load_error, poplar_error);
    CHECK_EXCEPTION(index_error, poplar_error);
    CHECK_EXCEPTION(bounds_error, poplar_error);
    CHECK_EXCEPTION(missing_cycle_estimate, poplar_error);
    CHECK_EXCEPTION(missing_perf_estimate, poplar_error);
    CHECK_EXCEPTION(stream_memory_allocation_error, poplar_error);
    CHECK_EXCEPTION(runtime_error, poplar_error);
    CHECK_EXCEPTION(application_runtime_error, runtime_error);
    CHECK_EXCEPTION(system_runtime_error, runtime_error);
    CHECK_EXCEPTION(recoverable_runtime_error, system_runtime_error);
    CHECK_EXCEPTION(unrecoverable_runtime_error, system_runtime_error);
    CHECK_EXCEPTION(unknown_runtime_error, system_runtime_error);
    poplar_error copy("first");
    copy = poplar_error(std::string("second"));
    CHECK(std::string(copy.what()) == "second");
  }

  TEST_CASE("recovery actions have names") {
    for (const RecoveryAction a : {RecoveryAction::IPU_RESET, RecoveryAction::LINK_RESET,
                                   RecoveryAction::PARTITION_RESET, RecoveryAction::FULL_RESET})
      CHECK(printed(a) == toString(a));
    CHECK(toString(RecoveryAction::PARTITION_RESET) == "PARTITION_RESET");
    CHECK((recoverable_runtime_error("x").getRecoveryAction() == RecoveryAction::IPU_RESET));
  }

  TEST_CASE("intervals compare by begin, then end") {
    const GenericInterval<int> none, a(1, 3), b(1, 4), c(2, 3);
    CHECK(none.size() == 0);
    CHECK(a.lower() == 1);
    CHECK(a.upper() == 3);
    CHECK(a == GenericInterval<int>(1, 3));
    CHECK(a != b);
    CHECK(a < b);
    CHECK(c > b);
    CHECK(a <= b);
    CHECK(b <= b);
    CHECK_FALSE(c <= b);
    CHECK(c >= b);
    CHECK(b >= b);
    CHECK_FALSE(a >= b);
  }

  TEST_CASE("text views compare as std::string does") {
    const std::string words[] = {"", "a", "ab", "b", "ba"};
    for (const std::string &x : words)
      for (const std::string &y : words) {
        const StringRef a(x), b(y);
        CHECK((a.compare(b) < 0) == (x.compare(y) < 0));
        CHECK((a == b) == (x == y));
        CHECK((a != b) == (x != y));
        CHECK((a < b) == (x < y));
        CHECK((a > b) == (x > y));
        CHECK((a <= b) == (x <= y));
        CHECK((a >= b) == (x >= y));
        CHECK(printed(a) == x);
      }
    CHECK(StringRef("abc").substr(1, StringRef::npos) == StringRef("bc"));
  }

  TEST_CASE("a view of an array is a range") {
    const int values[] = {4, 5, 6};
    const gccs::ArrayRef<int> view(values, 3), pointers(values, values + 3);
    CHECK(view == pointers);
    CHECK(view != gccs::ArrayRef<int>(values, 2));
    CHECK(view.front() == 4);
    CHECK(view.back() == 6);
    CHECK(view[1] == 5);
    CHECK(view.data() == values);
    CHECK(std::vector<int>(view.cbegin(), view.cend()) == std::vector<int>{4, 5, 6});
    CHECK(view.max_size() >= view.size());
    const gccs::ArrayRef<int>::const_iterator begin = view.begin();
    const gccs::ArrayRef<int>::value_type first = *begin;
    CHECK(first == 4);
  }

  TEST_CASE("types have a total order and print their names") {
    for (const Type &a : {FLOAT, HALF, INT})
      for (const Type &b : {FLOAT, HALF, INT}) {
        CHECK((a <= b) == !(b < a));
        CHECK((a > b) == (b < a));
        CHECK((a >= b) == !(a < b));
        CHECK((a == b) == (!(a < b) && !(b < a)));
      }
    CHECK(printed(UNSIGNED_INT) == UNSIGNED_INT.toString().cloneAsString());
  }

  TEST_CASE("options are copied, compared, walked and cleared") {
    OptionFlags a = {{"one", "1"}, {"two", "2"}}, b;
    b = a;
    CHECK_FALSE(b != a);
    OptionFlags moved;
    moved = std::move(b);
    CHECK(moved == a);
    std::string keys;
    for (OptionFlags::iterator at = a.begin(); at != a.end(); ++at)
      keys += at->first;
    CHECK(keys == "onetwo");
    OptionFlags::iterator at = a.begin();
    CHECK((at++)->first == "one");
    CHECK((*at).second == "2");
    CHECK(getAsProfileValue(a)["two"].asString() == "2");
    a.clear();
    CHECK(a != moved);
    CHECK(a.empty());
  }

  TEST_CASE("a profile value knows its kind") {
    const ProfileValue boolean(true), number(2.5), text(std::string("t")), list(ProfileValue::Vector{1, 2.5}),
        tree(ProfileValue::Map{{"k", 3u}});
    CHECK((boolean.type() == ProfileValue::Type::BOOL));
    CHECK((number.type() == ProfileValue::Type::NUMBER));
    CHECK((text.type() == ProfileValue::Type::STRING));
    CHECK((list.type() == ProfileValue::Type::VECTOR));
    CHECK((tree.type() == ProfileValue::Type::MAP));
    CHECK((number.numberKind() == ProfileValue::NumberKind::DOUBLE));
    CHECK((ProfileValue(-1).numberKind() == ProfileValue::NumberKind::SIGNED));
    CHECK((ProfileValue(1u).numberKind() == ProfileValue::NumberKind::UNSIGNED));
    CHECK(number.asDouble() == 2.5);
    CHECK(text.asString() == "t");
    CHECK(list.asVector().size() == 2);
    CHECK(list.sumDouble() == 3.5);
    CHECK(list[std::size_t(1)].asDouble() == 2.5);
    CHECK(tree[std::string("k")].asUint() == 3);
  }

  TEST_CASE("metadata of 8-bit floats prints its format and scale") {
    CHECK(format_client::print(QuarterMetadata::Format::F152) == "F152");
    CHECK(printed(QuarterMetadata(QuarterMetadata::Format::F143, -2)) == "F143, scale -2");
    CHECK(QuarterMetadata() != QuarterMetadata(QuarterMetadata::Format::F152, 0));
    CHECK(QuarterMetadata() == QuarterMetadata(QuarterMetadata::Format::F143, 0));
  }

  TEST_CASE("debug names are copied") {
    const DebugInfo info(DebugContext("outer"), "test");
    CHECK(info.getPathName() == "outer");
    DebugNameAndId a("name"), b;
    b = a;
    CHECK(b.getPathName() == "name");
    const SourceLocation here("function", "file.cpp", 7);
    CHECK(std::string(here.getFunctionName()) == "function");
  }

} // TEST_SUITE
