// FriBidi, system library: the order of right-to-left text, and the joined forms of Arabic. Debian: libfribidi-dev.
#ifndef CAUSEBOARD_CFRIBIDI_H
#define CAUSEBOARD_CFRIBIDI_H

#include <fribidi.h>

/// The direction of a paragraph is that of its first letter with one. The header's macro is none that Swift reads.
static const FriBidiParType causeboard_fribidi_first_strong = FRIBIDI_PAR_ON;

#endif
