import enum Contract.ProblemName
import Domain
import HTTPTypes

// The sentences about headers beyond their bounds.
extension Problem {
    static func headerNotASCII(_ name: HTTPField.Name) -> Problem {
        Problem(
            .malformed,
            "\(name.rawName) has a byte that is no ASCII. Send ASCII alone, or leave the header out.",
            field: name.rawName
        )
    }

    static func headerTooLong(_ name: HTTPField.Name) -> Problem {
        Problem(
            .headerTooLong,
            "\(name.rawName) is longer than \(Limits.headerBytesMax / 1024) KiB. Send a shorter one, or leave it out.",
            field: name.rawName
        )
    }
}
