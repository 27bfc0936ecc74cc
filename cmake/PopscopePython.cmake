# Chooses the python3 for building and testing: one with Python.h and numpy, if there is one. The first python3 in PATH
# may belong to a version manager and have neither. -DPython3_EXECUTABLE= overrides the choice.
if(NOT Python3_EXECUTABLE)
  find_program(POPSCOPE_FIRST_PYTHON python3)
  foreach(candidate ${POPSCOPE_FIRST_PYTHON} /usr/bin/python3)
    if(EXISTS ${candidate})
      execute_process(COMMAND ${candidate} -c "import numpy, os, sysconfig; open(os.path.join(sysconfig.get_paths()['include'], 'Python.h'))"
                      RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
      if(result STREQUAL "0")
        set(Python3_EXECUTABLE ${candidate})
        break()
      endif()
    endif()
  endforeach()
endif()
