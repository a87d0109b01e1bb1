// Fontconfig, system library: finds the fonts of this machine. Debian: libfontconfig-dev.
#ifndef CAUSEBOARD_CFONTCONFIG_H
#define CAUSEBOARD_CFONTCONFIG_H

#include <fontconfig/fontconfig.h>

#endif
