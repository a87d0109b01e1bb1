import Domain

// The bounds of the process itself.
extension Limits {
    /// Seconds that services have to end once their tasks are cancelled, which is when requests were not done within
    /// `drainSeconds`. A statement that PostgreSQL does not answer is given up after 5 s.
    static let cancelledSecondsMax: Int64 = 8
    /// Seconds that the pools wait for lent connections when the server stops; less than `cancelledSecondsMax`, so that
    /// connections which nobody gives back do not make the stop look like a failure.
    static let connectionDrainSecondsMax: Int64 = 6
    /// Seconds from one look at the certificate's end to the next: a day.
    static let certificateCheckSeconds: Int64 = 86_400
    /// Seconds that `causeboard status` waits for the checks of a database.
    static let statusSecondsMax: Int64 = 10
    /// Seconds that `causeboard healthy` waits for each step of an answer.
    static let healthSecondsMax: Int64 = 3
    /// Bytes of an answer's head that `causeboard healthy` reads.
    static let healthHeadBytesMax = 4_096
    /// How often a service manager hears that the process is well within the time after which it would end it.
    static let watchdogNoticesPerPatience = 3
    /// Seconds without a look at the database that ended after which the process is not well. A look ends within 10 s.
    static let lookSilenceSecondsMax: Int64 = 30
}
