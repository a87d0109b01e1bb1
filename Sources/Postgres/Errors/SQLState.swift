/// A five-character error code: one of PostgreSQL's (its manual, appendix A) or, when it begins with `PX`, one of this
/// module's.
package struct SQLState: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String
    package var description: String { rawValue }

    /// Returns nil unless `rawValue` is five digits or upper-case ASCII letters.
    package init?(rawValue: String) {
        guard rawValue.utf8.count == 5, rawValue.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 }) else {
            return nil
        }
        self.rawValue = rawValue
    }

    private init(_ known: StaticString) { rawValue = known.description }

    package static let noData = SQLState("P0002")
    package static let tooManyRows = SQLState("P0003")
    package static let connectionNotOpen = SQLState("08003")
    package static let connectionLost = SQLState("08006")
    package static let cannotConnect = SQLState("08001")
    package static let protocolViolation = SQLState("08P01")
    package static let featureNotSupported = SQLState("0A000")
    package static let numericValueOutOfRange = SQLState("22003")
    package static let divisionByZero = SQLState("22012")
    package static let uniqueViolation = SQLState("23505")
    package static let checkViolation = SQLState("23514")
    package static let activeTransaction = SQLState("25001")
    package static let readOnlyTransaction = SQLState("25006")
    package static let failedTransaction = SQLState("25P02")
    package static let unknownStatement = SQLState("26000")
    package static let deadlockDetected = SQLState("40P01")
    package static let completionUnknown = SQLState("40003")
    package static let insufficientPrivilege = SQLState("42501")
    package static let invalidAuthorization = SQLState("28000")
    package static let syntaxError = SQLState("42601")
    package static let undefinedObject = SQLState("42704")
    package static let notInPrerequisiteState = SQLState("55000")
    package static let configurationLimitExceeded = SQLState("53400")
    package static let insufficientResources = SQLState("53000")
    package static let tooManyConnections = SQLState("53300")
    package static let limitExceeded = SQLState("54000")
    package static let tooManyArguments = SQLState("54023")
    package static let lockNotAvailable = SQLState("55P03")
    package static let queryCancelled = SQLState("57014")
    package static let adminShutdown = SQLState("57P01")
    package static let crashShutdown = SQLState("57P02")
    package static let cannotConnectNow = SQLState("57P03")
    /// The program used a connection in a way that cannot work, or server and client disagree about the protocol.
    package static let misuse = SQLState("PX000")
    /// A row did not have the shape that its query decodes.
    package static let undecodable = SQLState("PX001")
    /// The server is a former primary: a newer timeline of its cluster has been seen. It is a `refusal`.
    package static let formerPrimary = SQLState("PX002")
}

extension SQLState {
    /// The error's class, which its first two characters give, as far as callers branch on it.
    package enum Class: Sendable {
        case connection, dataException, integrityConstraint, transactionRollback, syntaxOrAccess, insufficientResources
        case operatorIntervention, client, other
    }

    package var `class`: Class {
        switch rawValue.prefix(2) {
        case "08": .connection
        case "22": .dataException
        case "23": .integrityConstraint
        case "40": .transactionRollback
        case "42": .syntaxOrAccess
        case "53": .insufficientResources
        case "57": .operatorIntervention
        case "PX": .client
        default: .other
        }
    }
}
