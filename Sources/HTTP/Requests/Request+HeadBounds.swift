import Domain
import HTTPTypes

// The bounds of what a request's head may carry into a cache key, a search or any comparison. They are checked before
// anything else looks at the request.
extension Request {
    /// Why the head is refused; nil when it is within its bounds.
    var headProblem: Problem? {
        if target.utf8.count > Limits.targetBytesMax { return .targetTooLong }
        if !target.withBytes({ $0.allSatisfy { $0 < 0x80 } }) { return .targetNotASCII }
        return headers.overlongName.map { .headerTooLong($0) }
    }
}

extension RequestHeaders {
    /// The first of the headers that the server reads whose values are too long together; nil when none is. Headers
    /// that it does not read may be as long as the head.
    fileprivate var overlongName: HTTPField.Name? {
        guard bytesCount(of: nil) > Limits.headerBytesMax else { return nil }
        return Self.readNames.first { bytesCount(of: $0) > Limits.headerBytesMax }
    }

    private static let readNames: [HTTPField.Name] = [
        .accept, .acceptEncoding, .acceptLanguage, .authorization, .contentType, .ifNoneMatch, .lastEventID,
        .causeboardSignature,
    ]
}
