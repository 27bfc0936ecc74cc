# Installation: <prefix>/{bin,include,lib,share}. Included last, when all targets exist; a developer's build without the
# public libraries installs nothing. Components: popscope (everything without a named component), libpoplar-dev,
# python3-popscope and sdk.
#
# lib is plain "lib" even where GNUInstallDirs would say lib/<triplet>: the run-time codelet compiler finds the headers
# as ../include next to the running library's folder. The package files compute their paths from their own place, so
# that an installed tree can be moved.
if(NOT TARGET poplar OR NOT TARGET pva)
  return()
endif()
include(CMakePackageConfigHelpers)

set_target_properties(poplar pva pvti PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS poplar pva pvti LIBRARY DESTINATION lib)
if(TARGET popscope_sqlite)
  install(TARGETS popscope_sqlite LIBRARY DESTINATION lib)
endif()

get_property(public_header_dirs GLOBAL PROPERTY POPSCOPE_PUBLIC_HEADER_DIRS)
foreach(dir IN LISTS public_header_dirs)
  install(DIRECTORY ${dir}/ DESTINATION include COMPONENT libpoplar-dev)
  file(GLOB entries RELATIVE ${dir} CONFIGURE_DEPENDS ${dir}/*)
  list(APPEND public_entries ${entries})
endforeach()
# Links to these headers alone. Codelets are compiled with this folder, because <prefix>/include may be /usr/include
# (graph/codelets/Toolchain.cpp).
list(REMOVE_DUPLICATES public_entries)
install(CODE "
  set(links \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/popscope/include\")
  file(MAKE_DIRECTORY \${links})
  foreach(entry IN ITEMS ${public_entries})
    file(CREATE_LINK ../../../include/\${entry} \${links}/\${entry} SYMBOLIC)
  endforeach()" COMPONENT libpoplar-dev)

set(POPSCOPE_HAS_POPC FALSE)
foreach(tool popc profile_summary poplar_profile_summary popscope)
  if(TARGET ${tool})
    set_target_properties(${tool} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
    install(TARGETS ${tool} RUNTIME DESTINATION bin)
  endif()
endforeach()
if(TARGET popc)
  set(POPSCOPE_HAS_POPC TRUE)
endif()
if(TARGET profile_summary AND NOT TARGET poplar_profile_summary)
  # The Poplar SDK's name for the same program.
  install(CODE [[
    file(CREATE_LINK profile_summary "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/poplar_profile_summary" SYMBOLIC)
  ]])
endif()

if(TARGET popscope)
  install(FILES ${CMAKE_BINARY_DIR}/share/man/man1/profile_summary.1 DESTINATION share/man/man1 RENAME poplar_profile_summary.1)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/share/man ${CMAKE_BINARY_DIR}/share/bash-completion ${CMAKE_BINARY_DIR}/share/zsh ${CMAKE_BINARY_DIR}/share/fish
          DESTINATION share)
endif()

# PYTHONPATH=<prefix>/lib/python, or POPSCOPE_PYTHON_DIR set to a folder that the interpreter searches. The module finds
# libpoplar next to it: in <prefix>/lib, or in a wheel (setup.py) in the package popscope.
set(POPSCOPE_PYTHON_DIR lib/python CACHE STRING "Where the Python packages are installed, below the prefix")
if(TARGET popscope_python)
  file(RELATIVE_PATH to_libraries /${POPSCOPE_PYTHON_DIR}/pva /lib)
  set_target_properties(popscope_python PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries};$ORIGIN/../popscope/_sdk/lib")
  install(TARGETS popscope_python LIBRARY DESTINATION ${POPSCOPE_PYTHON_DIR}/pva COMPONENT python3-popscope)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/pva ${PROJECT_SOURCE_DIR}/python/popscope ${PROJECT_SOURCE_DIR}/python/libpvti
          DESTINATION ${POPSCOPE_PYTHON_DIR} COMPONENT python3-popscope PATTERN __pycache__ EXCLUDE)
endif()

# Sets the same variables as an SDK's enable.sh, for a shell: ". <prefix>/enable.sh".
configure_file(${PROJECT_SOURCE_DIR}/cmake/enable.sh.in ${CMAKE_BINARY_DIR}/enable.sh @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/enable.sh DESTINATION . COMPONENT sdk)

# Machines for use without a change of the program: POPSCOPE_MACHINE=<prefix>/share/popscope/machines/NAME.json.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/target-models/releases/ DESTINATION share/popscope/machines)

# The pages come from docs/site.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/popscope)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION share/doc/popscope PATTERN __pycache__ EXCLUDE)

# An example profile for users without a program. Training takes some seconds. The target example_profile creates it, or
# else the installation. A profile that is older than the program or the library is from an earlier build, which may have
# written other tables, so it is made again.
if(TARGET example_mlp)
  set(example_profile ${CMAKE_BINARY_DIR}/example_profile)
  set(example_options "{\"autoReport.all\":\"true\",\"autoReport.directory\":\"${example_profile}\"}")
  add_custom_command(
    OUTPUT ${example_profile}/profile.pop
    COMMAND ${CMAKE_COMMAND} -E env "POPLAR_ENGINE_OPTIONS=${example_options}"
            $<TARGET_FILE:example_mlp> --no-show-steps --epochs 2 > ${CMAKE_BINARY_DIR}/example_profile.txt
    DEPENDS example_mlp $<TARGET_FILE:poplar>
    COMMENT "An example profile"
    VERBATIM)
  add_custom_target(example_profile DEPENDS ${example_profile}/profile.pop)
  install(CODE "
    set(profile \"${example_profile}/profile.pop\")
    if(EXISTS \"$<TARGET_FILE:example_mlp>\" AND
       (\"$<TARGET_FILE:example_mlp>\" IS_NEWER_THAN \"\${profile}\" OR \"$<TARGET_FILE:poplar>\" IS_NEWER_THAN \"\${profile}\"))
      file(REMOVE \"\${profile}\")
      message(STATUS \"Training the example profile\")
      set(ENV{POPLAR_ENGINE_OPTIONS} [=[${example_options}]=])
      execute_process(COMMAND \"$<TARGET_FILE:example_mlp>\" --no-show-steps --epochs 2 OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE code)
      if(NOT code EQUAL 0)
        message(STATUS \"mlp ended with \${code}: \${said}\")
      endif()
    endif()
    if(NOT EXISTS \"\${profile}\")
      message(STATUS \"Installed without the example profile. To have it: cmake --build ${CMAKE_BINARY_DIR} --target example_profile\")
    endif()")
  install(FILES ${example_profile}/profile.pop ${example_profile}/debug.cbor DESTINATION share/popscope/profiles/perceptron OPTIONAL)
endif()

# CMake packages `poplar`, `pva` and `libpvti`, pkg-config files of the same names.
set(package_folder ${CMAKE_BINARY_DIR}/packages)
foreach(package poplar pva libpvti)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${package}-config.cmake.in ${package_folder}/${package}-config.cmake @ONLY)
  write_basic_package_version_file(${package_folder}/${package}-config-version.cmake VERSION ${PROJECT_VERSION}
                                   COMPATIBILITY SameMinorVersion)
  install(FILES ${package_folder}/${package}-config.cmake ${package_folder}/${package}-config-version.cmake
          DESTINATION lib/cmake/${package} COMPONENT libpoplar-dev)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in ${package_folder}/${package}.pc @ONLY)
  install(FILES ${package_folder}/${package}.pc DESTINATION lib/pkgconfig COMPONENT libpoplar-dev)
endforeach()
include(PopscopePackages)
