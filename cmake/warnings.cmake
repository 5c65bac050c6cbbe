# Warnings and sanitizers, for every target of the project.
function(fencecheck_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                                           -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual)
  if(FENCECHECK_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(FENCECHECK_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${FENCECHECK_SANITIZE} -fno-sanitize-recover=all
                                            -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${FENCECHECK_SANITIZE})
  endif()
endfunction()
