# cmake -DOUTPUT=file.cpp "-DFILES=a.json;b.json" -P EmbedData.cmake: writes the definition of machineData(). Splits the
# literals, because compilers need only accept 64 KiB in one.
list(SORT FILES)
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  if(text MATCHES "\\)json\"")
    message(FATAL_ERROR "${file} contains the end mark of the literal it is put into")
  endif()
  string(LENGTH "${text}" length)
  set(pieces "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND pieces "R\"json(${piece})json\"\n")
    math(EXPR at "${at} + 8000")
  endwhile()
  string(APPEND entries "    {\"${name}\", ${pieces}},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from target-models/data by EmbedData.cmake.
#include \"target-models/model/MachineData.hpp\"

namespace popscope {
namespace {
constexpr MachineData kData[] = {
${entries}};
} // namespace

std::span<const MachineData> machineData() { return kData; }

} // namespace popscope
")
