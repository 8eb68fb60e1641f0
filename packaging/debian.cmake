# Run by cpack over the files of a package before they are packed (cmake/packaging.cmake).
file(GLOB man_pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/man/man1/*.1)
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
if(EXISTS ${share}/zsh/site-functions)
  file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
endif()
file(RENAME ${share}/doc/kasc/LICENSE ${share}/doc/kasc/copyright)
configure_file(${CPACK_KASC_SOURCE}/CHANGELOG.md ${share}/doc/kasc/changelog COPYONLY)
# -n: without names and times, so that the same files give the same bytes.
execute_process(COMMAND gzip -9 -n ${man_pages} ${share}/doc/kasc/changelog COMMAND_ERROR_IS_FATAL ANY)
