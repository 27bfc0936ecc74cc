# room(name [ALL_HOT] SOURCES ... [HOT sources...] [PUBLIC_HEADERS_DIR dir] [DEPENDS rooms...] [LIBRARIES libs...]
#      [PRIVATE_LIBRARIES libs...])
# One static library a room (position independent). Includes are written from the project's root
# ("graph/steps/StepProgram.hpp"); public headers as <poplar/X.hpp> and <pva/X.hpp>.
add_library(popscope_warnings INTERFACE)
target_compile_options(popscope_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
# An enumerator that a switch leaves out is an error in every build; tests/meta/rules/Switches.py keeps `default` out.
target_compile_options(popscope_warnings INTERFACE -Werror=switch)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12
   AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC bug 105329: optimised "text" + std::string is said to overlap itself. Fixed in 13.
  target_compile_options(popscope_warnings INTERFACE -Wno-restrict)
endif()

if(POPSCOPE_WERROR)
  target_compile_options(popscope_warnings INTERFACE -Werror)
endif()

# compile_as_unity(target): POPSCOPE_UNITY_BATCH sources are compiled as one. A good part of the time to compile a source goes to headers that
# its neighbours read, too; of more together little more is saved (docs/SPEED.md), and one part would keep a second core
# waiting. Names without linkage are told apart within a target. A developer's build compiles each source alone, and so
# sees what it forgets to include.
function(compile_as_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${POPSCOPE_UNITY} UNITY_BUILD_BATCH_SIZE ${POPSCOPE_UNITY_BATCH})
  if(POPSCOPE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Each source is then an included file to the compiler, which takes its unnamed namespace for that of a header.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    # 4 % of the time is spent in looking for memory that the compiler could use again; with 250 MB more it need not look.
    target_compile_options(${target} PRIVATE "SHELL:--param ggc-min-expand=200" "SHELL:--param ggc-min-heapsize=262144")
  endif()
endfunction()

# compile_as_cold(target): of a program that does nothing often itself, a command line or a test, the time to compile it counts.
# -O1 takes two thirds of the time of -O3.
function(compile_as_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# compile_as_light(target): -O1 and all that puts small functions into their callers, which is most of what -O3 is worth to
# code that asks containers: lowering is as fast, and compiles in 7 tenths of the time (docs/SPEED.md). Loops over numbers
# want -O3: HOT sources of a room, or ALL_HOT of them, keep the build's own level.
function(compile_as_light target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(options -O1 -finline-functions -finline-small-functions -findirect-inlining -fipa-sra -fdevirtualize -fstrict-aliasing
                -foptimize-sibling-calls)
    target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:${options}>")
  endif()
endfunction()

function(room name)
  cmake_parse_arguments(ROOM "ALL_HOT" "PUBLIC_HEADERS_DIR" "SOURCES;HOT;DEPENDS;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  add_library(popscope_${name} STATIC ${ROOM_SOURCES})
  compile_as_unity(popscope_${name})
  if(NOT ROOM_ALL_HOT)
    compile_as_light(popscope_${name})
  endif()
  if(ROOM_HOT)
    # Objects of the same library, which see what the room sees. They are few: one part.
    add_library(popscope_${name}_hot OBJECT ${ROOM_HOT})
    compile_as_unity(popscope_${name}_hot)
    set_target_properties(popscope_${name}_hot PROPERTIES UNITY_BUILD_BATCH_SIZE ${POPSCOPE_UNITY_BATCH_HOT})
    target_include_directories(popscope_${name}_hot PRIVATE $<TARGET_PROPERTY:popscope_${name},INCLUDE_DIRECTORIES>)
    target_compile_definitions(popscope_${name}_hot PRIVATE $<TARGET_PROPERTY:popscope_${name},COMPILE_DEFINITIONS>)
    target_link_libraries(popscope_${name}_hot PRIVATE popscope_warnings)
    target_sources(popscope_${name} PRIVATE $<TARGET_OBJECTS:popscope_${name}_hot>)
  endif()
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
