#include "PublicForms.hpp"

#include <poplar/DebugContext.hpp>
#include <poplar/Interval.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Type.hpp>

static_assert(SUPPORTS_LOCATION_BUILTINS == 1, "clients test the macro with #if");
#define SUPPORTS_LOCATION_BUILTINS 1 // as PopART does; another text would be a redefinition

using namespace poplar;

static std::string earlyName = FLOAT.toString(); // FLOAT must have its value during static initialisation
static const Type &halfReference = HALF;
static std::map<Type, int> typeMap = {{FLOAT, 4}, {halfReference, 2}};

static int sum(ArrayRef<int> view) { return std::accumulate(view.begin(), view.end(), 0); }
static int sumOfPointers(ArrayRef<const int *> view) {
  int total = 0;
  for (const int *p : view)
    total += *p;
  return total;
}
static int sizes(ArrayRef<StringRef> names) {
  std::size_t total = 0;
  for (StringRef name : names)
    total += name.size();
  return static_cast<int>(total);
}

int sumOfForm(int form) {
  const std::vector<int> vector = {1, 2, 3};
  const std::array<int, 3> array = {{1, 2, 3}};
  const int plain[] = {1, 2, 3};
  const int six = 6;
  int a = 2, b = 4;
  switch (form) {
  case 0: return sum({1, 2, 3});
  case 1: return sum(vector);
  case 2: return sum(array);
  case 3: return sum(plain);
  case 4: return sum(six);
  case 5: return sum({plain, 3});
  case 6: return sum({plain, plain + 3});
  case 7: {
    const std::vector<int *> pointers = {&a, &b};
    return sumOfPointers(ArrayRef<int *>(pointers));
  }
  case 8: return sizes({"a", std::string("bc"), StringRef("defgh", 3)});
  }
  return -1;
}

static std::string path(const DebugContext &context = {}) { return context.getPathName(); }

std::string pathOfForm(int form) {
  const DebugNameAndId parent("parent");
  const DebugInfo info(DebugContext("outer"), "test");
  switch (form) {
  case 0: return path();
  case 1: return path("name");
  case 2: return path(std::string("name"));
  case 3: return path(StringRef("name"));
  case 4: return path({parent});
  case 5: return path({parent, "name"});
  case 6: return path({info, "name"});
  case 7: return path({"a", "b", "c"});
  case 8: return path({});
  case 9: return path(DebugContext{"name"});
  case 10: return path({DebugNameAndId(parent, "child"), std::string("")});
  case 11: return path({DebugContext("a"), "b"});
  }
  return "?";
}

std::string typeSeenByStaticInitialiser() { return earlyName + (typeMap.at(HALF) == 2 ? "" : "?"); }
