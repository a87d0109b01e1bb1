// libgd and libpng, system libraries: read PNG and JPEG, scale, write PNG. Debian: libgd-dev, libpng-dev.
#ifndef CAUSEBOARD_CGD_H
#define CAUSEBOARD_CGD_H

#include <stdarg.h>
#include <string.h>
#include <gd.h>
#include <png.h>

static inline void causeboard_gd_ignore(int priority, const char *format, va_list arguments) {
    (void)priority;
    (void)format;
    (void)arguments;
}

/// libgd prints what it dislikes about a file to stderr unless told otherwise. For the whole process; once is enough.
static inline void causeboard_gd_silence(void) {
    gdSetErrorMethod(causeboard_gd_ignore);
}

struct causeboard_png_source {
    const png_byte *bytes;
    size_t left;
    /// Whether the last rows are being read, and how many bytes that has taken.
    int is_at_end;
    size_t after;
};

/// Bytes of the file that its last two rows may take. libpng inflates all compressed bytes, also those after the
/// pixels, so that a few kilobytes of them would keep a processor busy.
#define CAUSEBOARD_PNG_LAST_ROWS_MAX 32768

static inline void causeboard_png_read(png_structp png, png_bytep into, size_t count) {
    struct causeboard_png_source *source = (struct causeboard_png_source *)png_get_io_ptr(png);
    if (count > source->left) png_error(png, "the file is cut off");
    if (source->is_at_end) source->after += count;
    if (source->after > CAUSEBOARD_PNG_LAST_ROWS_MAX) png_error(png, "more than its pixels");
    memcpy(into, source->bytes, count);
    source->bytes += count;
    source->left -= count;
}

static inline void causeboard_png_fail(png_structp png, png_const_charp message) {
    (void)message;
    png_longjmp(png, 1);
}

static inline void causeboard_png_ignore(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static inline gdImagePtr causeboard_png_broken(gdImagePtr image, png_structp png, png_infop info) {
    png_destroy_read_struct(&png, &info, NULL);
    if (image) gdImageDestroy(image);
    return NULL;
}

/// Reads a PNG without a word to stderr. libgd's own reader lets libpng print a line there for each warning, so a
/// stranger's pictures would fill the log.
/// - Parameters: The file, and the width and height in its header, which bound the memory.
/// - Returns: 32 bits a pixel; all pixels that a `tRNS` chunk makes invisible are equal. NULL if the file is broken.
static inline gdImagePtr causeboard_gd_png(const unsigned char *bytes, size_t count, int width, int height) {
    struct causeboard_png_source source = {bytes, count, 0, 0};
    gdImagePtr image = gdImageCreateTrueColor(width, height);
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, causeboard_png_fail, causeboard_png_ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!image || !info) return causeboard_png_broken(image, png, info);
    if (setjmp(png_jmpbuf(png))) return causeboard_png_broken(image, png, info);
    png_set_user_limits(png, (png_uint_32)width, (png_uint_32)height);
    png_set_read_fn(png, &source, causeboard_png_read);
    png_read_info(png, info);
    int has_key = png_get_valid(png, info, PNG_INFO_tRNS) != 0;
    // Whatever the file has becomes RGBA of 8 bits. A row then is as long as a row of libgd's pixels.
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_image_width(png, info) != (png_uint_32)width || png_get_image_height(png, info) != (png_uint_32)height
        || png_get_rowbytes(png, info) != (size_t)width * sizeof(int)) {
        png_error(png, "the size is not that of the header");
    }
    for (int pass = 1; pass <= passes; pass++) {
        for (int y = 0; y < height; y++) {
            if (pass == passes && y >= height - 2) source.is_at_end = 1;
            png_read_row(png, (png_bytep)image->tpixels[y], NULL);
        }
    }
    source.is_at_end = 0;
    png_read_end(png, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            unsigned char rgba[sizeof(int)];
            memcpy(rgba, &image->tpixels[y][x], sizeof(int));
            // libgd has 7 bits of alpha, and 0 is opaque.
            image->tpixels[y][x] = has_key && rgba[3] == 0
                ? gdTrueColorAlpha(0, 0, 0, gdAlphaTransparent)
                : gdTrueColorAlpha(rgba[0], rgba[1], rgba[2], gdAlphaMax - (rgba[3] >> 1));
        }
    }
    return image;
}

#endif
