import Domain
import HTTPServer
import HTTPTypes

// The bounds of what a request's head may carry into a cache key, a search or any comparison. They are checked before
// anything else looks at the request.
extension Request {
    /// Why the head is refused; nil when it is within its bounds.
    var headProblem: Problem? {
        if target.utf8.count > Limits.targetBytesMax { return .targetTooLong }
        if !target.withBytes({ $0.allSatisfy { $0 < 0x80 } }) { return .targetNotASCII }
        if QueryParameters.areTooMany(in: target) { return .tooManyParameters }
        return headers.overlongName.map { .headerTooLong($0) } ?? headers.nameBeyondASCII.map { .headerNotASCII($0) }
    }
}

extension RequestHeaders {
    /// The first of the headers that the server reads whose values are too long together; nil when none is. Headers
    /// that it does not read may be as long as the head.
    fileprivate var overlongName: HTTPField.Name? {
        guard bytesCount(of: nil) > Limits.headerBytesMax else { return nil }
        return Self.readNames.first { bytesCount(of: $0) > Limits.headerBytesMax }
    }

    /// The first of the headers that the server reads whose grammar is of ASCII alone and whose value is not; nil when
    /// there is none.
    fileprivate var nameBeyondASCII: HTTPField.Name? {
        guard hasValueBeyondASCII(of: nil) else { return nil }
        return Self.namesOfASCII.first { hasValueBeyondASCII(of: $0) }
    }

    private static let readNames = namesOfASCII + [.accept, .contentType, .ifMatch, .ifNoneMatch]

    /// Accept and the types have parameters and the tags have bytes beyond ASCII (RFC 9110, sections 5.6.4 and 8.8.3);
    /// those headers are compared by their bytes. So is `Cookie`, which may be as long as the head: a browser sends the
    /// cookies of everything else on the host in it.
    private static let namesOfASCII: [HTTPField.Name] = [
        .acceptEncoding, .acceptLanguage, .accessControlRequestHeaders, .authorization, .causeboardSignature,
        .connection, .contentEncoding, .expect, .lastEventID, .origin, .proxyConnection, .secFetchSite,
    ]
}

extension HTTPField.Name { fileprivate static let proxyConnection = standard("Proxy-Connection") }
