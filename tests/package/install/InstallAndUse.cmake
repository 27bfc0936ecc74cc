# cmake -DBUILD_FOLDER= -DCLIENTS= -DWORK= -DGENERATOR= -DCXX= [-DCXX_FLAGS=] [-DPKG_CONFIG=] -P InstallAndUse.cmake
cmake_minimum_required(VERSION 3.25)

# step(what COMMAND...): runs the command, and stops the test if it fails.
function(step what)
  message(STATUS "${what}")
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output
                  WORKING_DIRECTORY ${WORK})
  if(NOT result STREQUAL "0")
    message(FATAL_ERROR "${what} failed (${result}):\n${output}")
  endif()
  set(step_output "${output}" PARENT_SCOPE)
endfunction()

function(expect_file path)
  if(NOT EXISTS ${path})
    message(FATAL_ERROR "not installed: ${path}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
step("install" ${CMAKE_COMMAND} --install ${BUILD_FOLDER} --prefix ${WORK}/first)
# An installed tree may be moved, so no file in it may contain its first place.
file(RENAME ${WORK}/first ${WORK}/prefix)
set(prefix ${WORK}/prefix)
foreach(file bin/popc bin/profile_summary bin/poplar_profile_summary bin/popscope lib/popscope/include/poplar/Vertex.hpp lib/popscope/include/ipudef.h lib/libpoplar.so lib/libpva.so lib/libpvti.so include/pvti/pvti.hpp include/popscope/profile.hpp
        include/poplar/Engine.hpp include/poplar/Vertex.hpp include/pva/pva.hpp share/doc/popscope/LICENSE share/doc/popscope/index.md
        share/doc/popscope/docs/start/README.md share/doc/popscope/examples/tutorial/uneven.cpp)
  expect_file(${prefix}/${file})
endforeach()

# The Debian package depends on the LLVM of the build; a missing version leaves a name such as "clang-".
file(STRINGS ${BUILD_FOLDER}/CPackConfig.cmake depends REGEX "CPACK_DEBIAN_POPSCOPE_PACKAGE_DEPENDS")
if(NOT depends MATCHES ", clang" OR depends MATCHES "-[,\"]")
  message(FATAL_ERROR "the Debian package depends on packages without a full name: ${depends}")
endif()

find_program(python python3)
if(python)
  step("links of the documentation" ${python} -B ${CLIENTS}/DeadLinks.py ${prefix}/share/doc/popscope)
endif()

# Only the installation may be used: no headers or caches of the build.
unset(ENV{POPSCOPE_INCLUDE_DIR})
unset(ENV{POPLAR_ENGINE_OPTIONS})
unset(ENV{LD_LIBRARY_PATH})

foreach(client poplar_client pva_client)
  step("configure ${client}" ${CMAKE_COMMAND} -S ${CLIENTS}/${client} -B ${WORK}/${client} -G ${GENERATOR}
       -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${CXX_FLAGS})
  step("build ${client}" ${CMAKE_COMMAND} --build ${WORK}/${client})
endforeach()

step("configure the examples" ${CMAKE_COMMAND} -S ${prefix}/share/doc/popscope/examples -B ${WORK}/examples -G ${GENERATOR}
     -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${CXX_FLAGS})
step("build the examples" ${CMAKE_COMMAND} --build ${WORK}/examples)
step("run an example" ${WORK}/examples/tutorial_first_graph)
if(NOT step_output STREQUAL "0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30\n")
  message(FATAL_ERROR "tutorial_first_graph printed something else: ${step_output}")
endif()
step("run poplar_client" ${WORK}/poplar_client/poplar_client ${WORK}/poplar_client/codelets.gp ${WORK}/report)
expect_file(${WORK}/report/profile.pop)
step("run pva_client" ${WORK}/pva_client/pva_client ${WORK}/report/profile.pop)
step("profile_summary" ${prefix}/bin/profile_summary --profile ${WORK}/report/profile.pop)
if(NOT step_output MATCHES "Number of IPUs: +1\n.*Tiles per IPU: +4\n.*Memory Usage:")
  message(FATAL_ERROR "the installed profile_summary printed something else:\n${step_output}")
endif()

# An older build may have left its example profile in the build folder, but the installed one has the tables of this build.
if(EXISTS ${prefix}/share/popscope/profiles/perceptron/profile.pop)
  step("the example profile" ${prefix}/bin/popscope ${prefix}/share/popscope/profiles/perceptron/profile.pop)
endif()

# Builds like PopLibs: the targets that popc lists, one partial object per target, assembly that this machine cannot
# run, a merge.
step("list targets" ${prefix}/bin/popc --list-targets)
if(NOT step_output MATCHES "^cpu,ipu1,ipu2,ipu21\n$")
  message(FATAL_ERROR "popc --list-targets printed something else: ${step_output}")
endif()
file(WRITE ${WORK}/tile.S "#include <poplar/StackSizeDefs.hpp>\nexitz $m15\n")
file(WRITE ${WORK}/vectors.cpp "#include <poplar/Vertex.hpp>\n#include <ipudef.h>\n#include <ipu_vector_math>\n#include <print.h>\n"
     "class WithVectors : public poplar::Vertex { public: poplar::InOut<half> x; "
     "bool compute() { half2 v = {x, x}; x = ipu::fabs(v)[FIRST]; return true; } };\n")
set(partial "")
foreach(target cpu ipu2)
  step("partial object for ${target}" ${prefix}/bin/popc -O3 -Werror -Wdouble-promotion -DNDEBUG -D FIRST=0 -I ${WORK}
       -o ${WORK}/part_${target}.gp --target ${target} ${WORK}/vectors.cpp)
  list(APPEND partial ${WORK}/part_${target}.gp)
endforeach()
step("assembly" ${prefix}/bin/popc -o ${WORK}/part_asm.gp --target cpu,ipu2 ${WORK}/tile.S)
if(NOT step_output MATCHES "tile.S is skipped")
  message(FATAL_ERROR "popc says nothing of assembly: ${step_output}")
endif()
step("merge" ${prefix}/bin/popc -o ${WORK}/merged.gp --target cpu,ipu2 ${partial} ${WORK}/part_asm.gp -DNDEBUG)
expect_file(${WORK}/merged.gp)

# Follows a tutorial: sources enable.sh, compiles without paths, runs. Sourcing it twice adds nothing.
file(WRITE ${WORK}/enabled.sh "set -e\n. ${prefix}/enable.sh\n. ${prefix}/enable.sh\n"
     "test \"$POPLAR_SDK_ENABLED\" = \"${prefix}\"\n"
     "test \"$(printf %s \"$LD_LIBRARY_PATH\" | tr : '\\n' | grep -cx '${prefix}/lib')\" = 1\n"
     "test \"$(command -v popc)\" = '${prefix}/bin/popc'\n"
     "${CXX} -std=c++17 ${CXX_FLAGS} ${CLIENTS}/poplar_client/poplar_client.cpp -lpoplar -o ${WORK}/enabled_client\n"
     "popc ${CLIENTS}/poplar_client/codelets.cpp -o ${WORK}/enabled.gp\n"
     "${WORK}/enabled_client ${WORK}/enabled.gp ${WORK}/enabled_report\n"
     "if test -d '${prefix}/lib/python/pva' && command -v python3 >/dev/null; then python3 -c 'import pva, popscope.poplar'; fi\n")
find_program(bash bash)
foreach(shell sh ${bash})
  step("enable.sh in ${shell}" ${CMAKE_COMMAND} -E env POPSCOPE_PREFIX=${prefix} ${shell} ${WORK}/enabled.sh)
  expect_file(${WORK}/enabled_report/profile.pop)
  file(REMOVE_RECURSE ${WORK}/enabled_report)
endforeach()

if(PKG_CONFIG)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/lib/pkgconfig)
  foreach(client poplar pva)
    execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${client} OUTPUT_VARIABLE flags RESULT_VARIABLE result
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT result STREQUAL "0")
      message(FATAL_ERROR "pkg-config does not know ${client}")
    endif()
    separate_arguments(flags UNIX_COMMAND "${flags}")
    separate_arguments(extra UNIX_COMMAND "${CXX_FLAGS}")
    step("build ${client}_client with pkg-config" ${CXX} -std=c++11 ${extra} ${CLIENTS}/${client}_client/${client}_client.cpp
         -o ${WORK}/${client}_by_pkg_config ${flags})
  endforeach()
  # It starts without LD_LIBRARY_PATH: the flags contain a run path.
  step("run what pkg-config built" ${WORK}/pva_by_pkg_config ${WORK}/report/profile.pop)
endif()
