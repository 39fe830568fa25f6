# SPDX-License-Identifier: MIT
# link_files(FILES FOLDER): makes links to files and folders in another folder. What is there and no link is not replaced.
function(link_files files folder)
  file(MAKE_DIRECTORY ${folder})
  foreach(file ${files})
    cmake_path(GET file FILENAME name)
    set(link ${folder}/${name})
    if(EXISTS ${link} AND NOT IS_SYMLINK ${link})
      message(FATAL_ERROR "${link} is no link, and making one there would lose it. Move it away, or build in another folder.")
    endif()
    file(CREATE_LINK ${file} ${link} SYMBOLIC)
  endforeach()
endfunction()
