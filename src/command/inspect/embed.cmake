# Turns a text file into a C++ string: cmake -DTEXT=… -DHEADER=… -DNAME=… -P embed.cmake
file(READ ${TEXT} content)
file(WRITE ${HEADER} "#pragma once\n\ninline constexpr char ${NAME}[] = R\"text(${content})text\";\n")
