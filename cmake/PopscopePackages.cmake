# Defines the packages that scripts/package.sh builds: popscope, libpoplar-dev and python3-popscope for Debian 12, and
# one archive that can be unpacked anywhere. Only the archive contains enable.sh (component sdk), because the folders of
# a system need no paths.
include(PopscopeLlvm)
set(CPACK_PACKAGE_NAME popscope)
set(CPACK_PACKAGE_VENDOR "The Popscope project")
set(CPACK_PACKAGE_CONTACT "The Popscope project <popscope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_FILE_NAME popscope-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL popscope libpoplar-dev python3-popscope)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_POPSCOPE_PACKAGE_NAME popscope)
set(CPACK_DEBIAN_POPSCOPE_PACKAGE_SECTION devel)
# Requirements for compiling codelets at run time: the headers, the host's compiler with its library, the parser, and
# the tools and the C library of the substitute instruction set.
set(CPACK_DEBIAN_POPSCOPE_PACKAGE_DEPENDS
    "libpoplar-dev (= ${PROJECT_VERSION}), g++, clang${POPSCOPE_LLVM_SUFFIX}, libclang1${POPSCOPE_LLVM_SUFFIX}, lld${POPSCOPE_LLVM_SUFFIX}, llvm${POPSCOPE_LLVM_SUFFIX}, picolibc-riscv64-unknown-elf")
set(CPACK_DEBIAN_POPSCOPE_DESCRIPTION "The tools popscope, profile_summary and popc, the libraries libpoplar, libpva
and libpvti, machines, documentation, examples and an example profile.")

set(CPACK_DEBIAN_LIBPOPLAR-DEV_PACKAGE_NAME libpoplar-dev)
set(CPACK_DEBIAN_LIBPOPLAR-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBPOPLAR-DEV_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_LIBPOPLAR-DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_LIBPOPLAR-DEV_DESCRIPTION "Headers of poplar, pva and pvti, with files for CMake and pkg-config. The
libraries themselves are in the package popscope.")

set(CPACK_DEBIAN_PYTHON3-POPSCOPE_PACKAGE_NAME python3-popscope)
set(CPACK_DEBIAN_PYTHON3-POPSCOPE_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON3-POPSCOPE_PACKAGE_DEPENDS "popscope (= ${PROJECT_VERSION}), python3 (>= 3.11), python3 (<< 3.12)")
set(CPACK_DEBIAN_PYTHON3-POPSCOPE_PACKAGE_RECOMMENDS "python3-numpy")
set(CPACK_DEBIAN_PYTHON3-POPSCOPE_PACKAGE_SUGGESTS "python3-pandas, python3-matplotlib, python3-distributed, python3-mpi4py")
set(CPACK_DEBIAN_PYTHON3-POPSCOPE_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/prerm)
set(CPACK_DEBIAN_PYTHON3-POPSCOPE_DESCRIPTION "Python packages that build, run, profile and read programs for tile machines:
popscope, pva and libpvti.")
include(CPack)
