# Puts data files into the program, so that the binary runs alone: one assembly file of .incbin lines and a sorted table.
function(headrace_embed target)
  set(files)
  foreach(pattern ${ARGN})
    file(GLOB_RECURSE matched RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${pattern})
    list(APPEND files ${matched})
  endforeach()
  list(SORT files)
  set(assembly ".section .rodata\n")
  set(table "")
  set(symbols "")
  set(depends "")
  set(index 0)
  foreach(file ${files})
    string(APPEND assembly ".global headrace_data_${index}\n.global headrace_data_${index}_end\n"
      "headrace_data_${index}:\n.incbin \"${CMAKE_SOURCE_DIR}/${file}\"\nheadrace_data_${index}_end:\n.byte 0\n")
    string(APPEND symbols "extern \"C\" const char headrace_data_${index}[];\nextern \"C\" const char headrace_data_${index}_end[];\n")
    string(APPEND table "    {\"${file}\", {headrace_data_${index}, std::size_t(headrace_data_${index}_end - headrace_data_${index})}},\n")
    list(APPEND depends ${CMAKE_SOURCE_DIR}/${file})
    math(EXPR index "${index}+1")
  endforeach()
  string(APPEND assembly ".section .note.GNU-stack,\"\",@progbits\n")
  set(dir ${CMAKE_BINARY_DIR}/embedded)
  file(MAKE_DIRECTORY ${dir})
  file(CONFIGURE OUTPUT ${dir}/data.s CONTENT "${assembly}" @ONLY)
  file(CONFIGURE OUTPUT ${dir}/table.cc CONTENT
"#include \"base/embedded.h\"
${symbols}
namespace headrace::base {
std::span<const EmbeddedFile> embedded_files() {
  static const EmbeddedFile files[] = {
${table}    {\"\", {}}};
  return {files, ${index}};
}
}  // namespace headrace::base
" @ONLY)
  add_custom_command(OUTPUT ${dir}/data.o COMMAND ${CMAKE_CXX_COMPILER} -c ${dir}/data.s -o ${dir}/data.o
    DEPENDS ${dir}/data.s ${depends} VERBATIM)
  headrace_include_root(base)
  add_library(${target} STATIC ${dir}/table.cc ${dir}/data.o)
  target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/rooms/base)
endfunction()
