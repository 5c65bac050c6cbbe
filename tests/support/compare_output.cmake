# Runs COMMAND, which must succeed, and compares what it prints on stdout with the file EXPECTED, byte by byte.
execute_process(COMMAND ${COMMAND} OUTPUT_VARIABLE output RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${COMMAND} ended with ${status}")
endif()
file(READ ${EXPECTED} expected)
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "${COMMAND} printed\n${output}\ninstead of\n${expected}")
endif()
