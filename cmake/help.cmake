# Man pages and completion for shells, made of what the command says of itself, so that they cannot say anything else.
# Without Python there are none; nothing else needs it.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(help ${PROJECT_BINARY_DIR}/help)
  add_custom_command(
    OUTPUT ${help}/man/kasc.1 ${help}/completion/kasc ${help}/completion/_kasc ${help}/completion/kasc.fish
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${Python3_EXECUTABLE}
            ${PROJECT_SOURCE_DIR}/packaging/man_pages.py $<TARGET_FILE:kasc_command> ${help}/man
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${Python3_EXECUTABLE}
            ${PROJECT_SOURCE_DIR}/packaging/completion.py $<TARGET_FILE:kasc_command> ${help}/completion
    DEPENDS kasc_command ${PROJECT_SOURCE_DIR}/packaging/help_text.py ${PROJECT_SOURCE_DIR}/packaging/man_pages.py
            ${PROJECT_SOURCE_DIR}/packaging/completion.py
    COMMENT "Man pages and completion"
    VERBATIM)
  add_custom_target(kasc_help ALL DEPENDS ${help}/man/kasc.1)
  install(DIRECTORY ${help}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${help}/completion/kasc DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  # bash looks for a command's completion in a file of its name.
  install(FILES ${help}/completion/kasc DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME kasc-kwave)
  install(FILES ${help}/completion/_kasc DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${help}/completion/kasc.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
else()
  message(STATUS "No Python: no man pages, no completion")
endif()
