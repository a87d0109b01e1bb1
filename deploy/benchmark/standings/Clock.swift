import Glibc

/// Measures the processor's time, which does not grow while others have the processor.
enum Clock {
    /// Nanoseconds that this thread has had.
    static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
