# room(name SOURCES ... [PUBLIC_HEADERS_DIR dir] [DEPENDS rooms...] [LIBRARIES libs...] [PRIVATE_LIBRARIES libs...])
# Adds one static, position-independent library for a room. Includes are written from the project's root
# ("graph/steps/StepProgram.hpp"); public headers as <poplar/X.hpp> and <pva/X.hpp>.
add_library(popscope_warnings INTERFACE)
target_compile_options(popscope_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
# A switch that leaves out an enumerator is an error in every build; tests/meta/rules/Switches.py forbids `default`.
target_compile_options(popscope_warnings INTERFACE -Werror=switch)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12
   AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # Silences GCC bug 105329 (fixed in 13): a false warning that optimised "text" + std::string overlaps itself.
  target_compile_options(popscope_warnings INTERFACE -Wno-restrict)
endif()

if(POPSCOPE_WERROR)
  target_compile_options(popscope_warnings INTERFACE -Werror)
endif()

function(room name)
  cmake_parse_arguments(ROOM "" "PUBLIC_HEADERS_DIR" "SOURCES;DEPENDS;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  add_library(popscope_${name} STATIC ${ROOM_SOURCES})
  add_library(popscope::${name} ALIAS popscope_${name})
  target_include_directories(popscope_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  if(ROOM_PUBLIC_HEADERS_DIR)
    target_include_directories(popscope_${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/${ROOM_PUBLIC_HEADERS_DIR})
    link_public_headers(${CMAKE_CURRENT_SOURCE_DIR}/${ROOM_PUBLIC_HEADERS_DIR})
  endif()
  foreach(dep IN LISTS ROOM_DEPENDS)
    target_link_libraries(popscope_${name} PUBLIC popscope_${dep})
  endforeach()
  target_link_libraries(popscope_${name} PUBLIC ${ROOM_LIBRARIES} PRIVATE ${ROOM_PRIVATE_LIBRARIES}
                        $<BUILD_INTERFACE:popscope_warnings>)
endfunction()

# Collects a room's public headers under <build>/include as links, so that the build tree has the layout of an
# installation, and remembers the folder for install().
function(link_public_headers dir)
  set_property(GLOBAL APPEND PROPERTY POPSCOPE_PUBLIC_HEADER_DIRS ${dir})
  file(GLOB_RECURSE headers RELATIVE ${dir} CONFIGURE_DEPENDS ${dir}/*)
  foreach(header IN LISTS headers)
    get_filename_component(folder ${header} DIRECTORY)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include/${folder})
    file(CREATE_LINK ${dir}/${header} ${CMAKE_BINARY_DIR}/include/${header} SYMBOLIC)
  endforeach()
endfunction()
