import Glibc

/// Processor time, which other processes on the machine do not lengthen by running in between.
enum Clock {
    /// Nanoseconds of processor time that this thread has used.
    static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
