# cmake --preset docs && cmake --build --preset docs: the documentation as a site, in the build's folder `site`.
find_program(KASC_MKDOCS mkdocs)
if(Python3_FOUND AND KASC_MKDOCS)
  add_custom_target(docs
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${Python3_EXECUTABLE}
            ${PROJECT_SOURCE_DIR}/packaging/site_pages.py ${PROJECT_BINARY_DIR}/pages
    COMMAND ${CMAKE_COMMAND} -E env KASC_SITE_PAGES=${PROJECT_BINARY_DIR}/pages KASC_SITE=${PROJECT_BINARY_DIR}/site
            ${KASC_MKDOCS} build --quiet --strict -f ${PROJECT_SOURCE_DIR}/mkdocs.yml
    COMMENT "The site, in ${PROJECT_BINARY_DIR}/site"
    USES_TERMINAL VERBATIM)
else()
  add_custom_target(docs COMMAND ${CMAKE_COMMAND} -E echo "the site needs python3 and mkdocs: apt-get install mkdocs"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endif()
