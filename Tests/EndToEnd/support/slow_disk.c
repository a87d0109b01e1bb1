/* A disk that takes its time: syncs of the program that loads this wait for the milliseconds in the file SLOW_DISK, and
   not for the disk of this machine. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void wait_for_disk(void) {
    char text[16] = "";
    const char *path = getenv("SLOW_DISK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    long milliseconds = count > 0 ? atol(text) : 0;
    struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0) {}
}

int fdatasync(int file) {
    (void)file;
    wait_for_disk();
    return 0;
}

int fsync(int file) {
    (void)file;
    wait_for_disk();
    return 0;
}
