/* A clock that is set: the program that loads this has a time of day that is ahead by the nanoseconds in the file
   CLOCK_AHEAD, which may be less than none, and with CLOCK_SLEEPS in its environment the time since the start too, as
   after a sleep of the machine. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define TIMERS_MAX 65536

static const volatile long long *ahead;
static int sleeps;
/* By its descriptor, whether a timer goes by a clock that is set. */
static volatile char is_moved[TIMERS_MAX];

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CLOCK_AHEAD");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof(long long), PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) ahead = page;
    sleeps = getenv("CLOCK_SLEEPS") != NULL;
    close(file);
}

static void add(struct timespec *time, long long nanoseconds) {
    long long sum = time->tv_sec * 1000000000LL + time->tv_nsec + nanoseconds;
    time->tv_sec = sum / 1000000000LL;
    time->tv_nsec = sum % 1000000000LL;
}

static int is_set(clockid_t clock) {
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) return 1;
    return sleeps && (clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME || clock == CLOCK_MONOTONIC_RAW
                      || clock == CLOCK_MONOTONIC_COARSE);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && ahead && is_set(clock)) add(now, *ahead);
    return result;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec time;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &time);
    now->tv_sec = time.tv_sec;
    now->tv_usec = time.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    if (now) *now = time.tv_sec;
    return time.tv_sec;
}

int timerfd_create(clockid_t clock, int flags) {
    int timer = syscall(SYS_timerfd_create, clock, flags);
    if (timer >= 0 && timer < TIMERS_MAX) is_moved[timer] = is_set(clock);
    return timer;
}

/* A moment that a timer waits for is one of the program's own time, if the timer goes by a clock that is set. */
int timerfd_settime(int timer, int flags, const struct itimerspec *wanted, struct itimerspec *before) {
    struct itimerspec moved = *wanted;
    int is_absolute = flags & TFD_TIMER_ABSTIME;
    int is_shifted = ahead && timer >= 0 && timer < TIMERS_MAX && is_moved[timer];
    if (is_shifted && is_absolute && (moved.it_value.tv_sec || moved.it_value.tv_nsec)) {
        add(&moved.it_value, -*ahead);
        if (moved.it_value.tv_sec < 0) moved.it_value = (struct timespec){0, 1};
    }
    return syscall(SYS_timerfd_settime, timer, flags, &moved, before);
}
