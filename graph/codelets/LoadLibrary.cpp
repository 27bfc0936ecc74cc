#include "graph/codelets/LoadLibrary.hpp"

#include "base/FileErrors.hpp"
#include "graph/codelets/CanonicalName.hpp"
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/Demangle.hpp"
#include "graph/codelets/LinkLibraries.hpp"
#include "graph/codelets/MetadataField.hpp"
#include "graph/codelets/device/RegistryTable.hpp"
#include "graph/codelets/standin/StandInImage.hpp"

#include <dlfcn.h>
#include <exception>
#include <fmt/format.h>
#include <link.h>
#include <map>
#include <mutex>
#include <poplar/exceptions.hpp>
#include <typeinfo>
#include <unistd.h>

namespace popscope {
namespace {

using Enumerators = std::map<std::string, std::string>;

Enumerators enumeratorsOf(const popscope_device::Table &table) {
  Enumerators enumerators;
  for (unsigned i = 0; i != table.numEnumerators; ++i)
    enumerators[table.enumerators[i].literal] = table.enumerators[i].name;
  return enumerators;
}

std::string nameOf(const char *mangled, const Enumerators &enumerators) {
  return canonicalVertexName(mangled, [&](const std::string &literal) {
    const auto at = enumerators.find(literal);
    return at == enumerators.end() ? "" : at->second;
  });
}

FieldInfo fieldOf(const popscope_device::FieldRow &row) {
  FieldInfo field;
  field.name = row.name;
  field.direction = static_cast<FieldDirection>(row.direction);
  field.shape = static_cast<FieldShape>(row.shape);
  field.type = static_cast<ElementType>(row.type);
  field.outer = static_cast<PtrLayout>(row.outer);
  field.inner = static_cast<PtrLayout>(row.inner);
  field.list = static_cast<ListLayout>(row.list);
  field.minAlign = row.minAlign;
  field.interleaved = (row.flags & 1u) != 0;
  field.readOnly = (row.flags & 2u) != 0;
  field.hostOffset = row.offset;
  field.halfAsFloat = field.type == ElementType::Half && row.elementBytes == sizeof(float);
  return field;
}

bool carriesMetadata(const FieldInfo &field) {
  return field.type == ElementType::Quarter && field.direction != FieldDirection::State;
}

/// Returns the field for the metadata of an edge of type quarter. The metadata is a separate edge, whose pointer is the
/// last part of the field.
FieldInfo metadataOf(const FieldInfo &field, const popscope_device::FieldRow &row) {
  FieldInfo metadata;
  metadata.name = metadataFieldName(field.name);
  metadata.direction = FieldDirection::Input;
  metadata.type = ElementType::QuarterMetadata;
  metadata.hostOffset = row.offset + row.bytes - sizeof(void *);
  return metadata;
}

/// Returns the rows of the fields, in the order of declaration.
std::vector<unsigned> fieldOrder(const popscope_device::ClassRow &row) {
  std::vector<unsigned> order;
  for (unsigned i = 0; i != row.numFields; ++i)
    if (row.fields[i].present != 0)
      order.push_back(i);
  return order;
}

LoadedClass classOf(const popscope_device::ClassRow &row, const Enumerators &enumerators) {
  LoadedClass loaded;
  VertexClass &c = loaded.vertexClass;
  c.name = nameOf(static_cast<const std::type_info *>(row.type)->name(), enumerators);
  c.kind = static_cast<VertexClassKind>(row.kind);
  for (const unsigned i : fieldOrder(row)) {
    const FieldInfo field = fieldOf(row.fields[i]);
    c.fields.push_back(field);
    if (carriesMetadata(field))
      c.fields.push_back(metadataOf(field, row.fields[i]));
  }
  c.constraints.assign(row.constraints, row.constraints + row.numConstraints);
  c.hostSize = row.size;
  c.hostAlign = row.align;
  c.run = row.run;
  c.hasCycleEstimate = row.cycleEstimate != nullptr;
  c.cycleEstimate = reinterpret_cast<std::uint64_t (*)(const void *)>(row.cycleEstimate);
  loaded.definedIn = row.definedIn;
  return loaded;
}

void attachStandIn(const std::vector<unsigned> &indices, const popscope_device::Table &table,
                   const CompiledLibrary &library, std::vector<LoadedClass> &classes) {
  std::string problem = library.standInProblem;
  std::shared_ptr<StandInImage> image;
  if (problem.empty())
    image = loadStandInImage(library.standInImage, problem);
  if (image) {
    std::vector<std::string> entries;
    for (const unsigned i : indices)
      entries.push_back(fmt::format("popscope_entry_{}", i));
    image->measure(entries);
  }
  for (std::size_t k = 0; k != indices.size(); ++k) {
    VertexClass &c = classes[k].vertexClass;
    c.standInProblem = problem;
    if (!image)
      continue;
    c.standInProblem = image->readLayout(indices[k], fieldOrder(*table.classes[indices[k]]), c);
    if (!c.standInProblem.empty())
      continue;
    c.standIn = image;
    c.standInEntry = fmt::format("popscope_entry_{}", indices[k]);
    const StandInImage::CodeSize &size = image->codeSize(c.standInEntry);
    c.codeBytes = size.ownBytes;
    c.sharedCode = size.shared;
  }
}

} // namespace

CompiledLibrary unpackEntry(const GraphObjectEntry &entry) {
  const CompileCache cache(findToolchain().cacheDir);
  const auto keep = [&](const std::string &content, const char *extension) {
    return content.empty() ? "" : cache.keep(content, extension);
  };
  CompiledLibrary library;
  library.sharedObject = keep(entry.sharedObject, ".so");
  library.standInImage = keep(entry.standInImage, ".rv");
  library.standInProblem = entry.standInProblem;
  library.hostObject = keep(entry.hostObject, ".o");
  library.standInObject = keep(entry.standInObject, ".rvo");
  library.hostFunctions = keep(entry.hostFunctions, ".f.o");
  library.standInFunctions = keep(entry.standInFunctions, ".f.rvo");
  library.missing = entry.missing;
  return library;
}

namespace {

/// Runs the initialisers of a library that the system's loader has just loaded. The loader does not know these
/// initialisers (kInitialisersTag). If the loader ran an initialiser that throws, the process would end, because no
/// exception can pass through the loader.
void runInitialisers(void *handle) {
  using Initialiser = void (*)(int, char **, char **);
  link_map *map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
    return;
  const Initialiser *begin = nullptr;
  std::size_t count = 0;
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == kInitialisersTag)
      begin = reinterpret_cast<const Initialiser *>(map->l_addr + entry->d_un.d_ptr);
    else if (entry->d_tag == kInitialisersBytesTag)
      count = entry->d_un.d_val / sizeof(Initialiser);
  for (std::size_t i = 0; begin != nullptr && i != count; ++i)
    begin[i](0, nullptr, environ);
}

/// Opens a library, or shares it if this process has already opened the same file. Throws graph_object_load_error if
/// the library cannot be opened, or if a static object throws.
std::shared_ptr<void> openLibrary(const std::string &name, const std::string &file) {
  static std::mutex mutex; // two threads must not run the initialisers of one file
  const std::lock_guard guard(mutex);
  const auto close = [](void *handle) { dlclose(handle); };
  if (void *const open = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD))
    return {open, close};
  void *const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw poplar::graph_object_load_error(name + ": the compiled codelets cannot be loaded: " + dlerror());
  std::shared_ptr<void> owner(handle, close); // closes the library after the exception, whose class it may define
  std::string why = "an exception that is no std::exception";
  try {
    runInitialisers(handle);
    return owner;
  } catch (const std::exception &error) {
    why = messageOf(error);
  } catch (...) { // `why` remains
  }
  throw poplar::graph_object_load_error(name + ": a static object of the codelets throws: " + why +
                                        "; catch this in the object's constructor, or make the object in compute()");
}

} // namespace

std::vector<LoadedClass> loadLibrary(const std::string &name, const CompiledLibrary &library) {
  std::vector<LoadedClass> classes;
  if (library.sharedObject.empty())
    return classes;
  const std::shared_ptr<void> owner = openLibrary(name, library.sharedObject);
  const auto *table = static_cast<const popscope_device::Table *>(dlsym(owner.get(), "popscope_codelets"));
  if (table == nullptr || table->version != popscope_device::kRegistryVersion)
    throw poplar::graph_object_load_error(name + ": the codelets were compiled by another version; compile them again "
                                                 "with this version's popc");
  const Enumerators enumerators = enumeratorsOf(*table);
  std::vector<unsigned> indices;
  for (unsigned i = 0; i != table->numClasses; ++i)
    if (table->classes[i]->kind != popscope_device::kNotAVertex) {
      indices.push_back(i);
      classes.push_back(classOf(*table->classes[i], enumerators));
      classes.back().vertexClass.library = owner;
      classes.back().vertexClass.place = table->place;
      classes.back().vertexClass.objectFile = library.sharedObject;
      classes.back().vertexClass.standInFile = library.standInImage;
      for (const std::string &function : library.missing)
        classes.back().vertexClass.missing.push_back(demangledSymbol(function));
    }
  attachStandIn(indices, *table, library, classes);
  return classes;
}

} // namespace popscope
