// libgd, system library: reads PNG and JPEG, scales, writes PNG. Debian: libgd-dev.
#ifndef CAUSEBOARD_CGD_H
#define CAUSEBOARD_CGD_H

#include <stdarg.h>
#include <gd.h>

static inline void causeboard_gd_ignore(int priority, const char *format, va_list arguments) {
    (void)priority;
    (void)format;
    (void)arguments;
}

/// libgd prints what it dislikes about a file to stderr unless told otherwise. For the whole process; once is enough.
static inline void causeboard_gd_silence(void) {
    gdSetErrorMethod(causeboard_gd_ignore);
}

#endif
