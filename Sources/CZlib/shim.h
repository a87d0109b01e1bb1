// zlib, system library. Debian: zlib1g-dev.
#ifndef CAUSEBOARD_CZLIB_H
#define CAUSEBOARD_CZLIB_H

#include <zlib.h>

/// deflateInit2 is a macro, which Swift does not see. A gzip wrapper around a window of 32 KiB, with zlib's default memory.
static inline int causeboard_deflate_init_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY);
}

/// inflateInit2 is a macro, too. It takes nothing but a gzip wrapper.
static inline int causeboard_inflate_init_gzip(z_stream *stream) {
    return inflateInit2(stream, MAX_WBITS + 16);
}

#endif
