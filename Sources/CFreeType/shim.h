// FreeType, system library: opens font files, and makes pixels of letters and of outlines. Debian: libfreetype-dev.
#ifndef CAUSEBOARD_CFREETYPE_H
#define CAUSEBOARD_CFREETYPE_H

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include FT_STROKER_H

/// Letters are hinted upwards only, so that they stay as wide as measured. The header's macro is none that Swift reads.
static const FT_Int32 causeboard_ft_load_flags = FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP;

#endif
