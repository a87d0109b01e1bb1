import Domain
package import HTTPTypes
import NIOHTTP1

/// What a connection has to know of a request's head before it reads the body, found in one pass over the headers.
struct RequestHead {
    let head: HTTPRequestHead
    private(set) var contentLength: Int?
    private(set) var expectsContinue = false
    private(set) var upgrade = UpgradeOffer.absent
    private(set) var coding = TransferCoding.none
    private var hostsCount = 0
    private var isHostValid = true

    /// Whether a request offers to go on in another protocol. NIO's parser stops after such a request, so it has to be
    /// known exactly for which requests it does.
    enum UpgradeOffer {
        case absent
        /// The parser has stopped at the first byte after the request.
        case present
        /// Whether and where the parser has stopped depends on how it understands unusual headers, so what follows must
        /// not be read. CONNECT is such a request: what follows it is for another server.
        case unclear
    }

    /// How `Transfer-Encoding` codes the body.
    enum TransferCoding {
        case none
        case chunked
        /// Chunks of a body with a further coding.
        case unknown
        /// The end of the body is unknown.
        case endless
    }

    init(_ head: HTTPRequestHead) {
        self.head = head
        var offer = OfferHeaders()
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 4 where name.isEqual(toLowercased: "host"):
                hostsCount += 1
                isHostValid = isHostValid && HostHeader(value.withoutOuterSpace) != nil
            case 6 where name.isEqual(toLowercased: "expect"):
                expectsContinue = expectsContinue || value.withoutOuterSpace.isEqual(toLowercased: "100-continue")
            case 14 where name.isEqual(toLowercased: "content-length"):
                contentLength = contentLength ?? Int(value.withoutOuterSpace)
            case 7, 10, 16: offer.add(name, value)
            case 17 where name.isEqual(toLowercased: "transfer-encoding"):
                coding.add(value)
                offer.add(name, value)
            default: break
            }
        }
        upgrade = head.method == .CONNECT ? .unclear : offer.offer
    }

    /// Whether the request names the host that it is for as RFC 9112 demands (section 3.2): once, and validly.
    /// HTTP/1.0 may leave it out.
    var hasValidHost: Bool { isHostValid && (hostsCount == 1 || hostsCount == 0 && head.version == .http1_0) }
}

extension RequestHead {
    /// Why the connection cannot be read beyond the head; nil if it can. Two readers of one connection must never
    /// disagree about the end of a body, so anything that another reader could understand differently is refused (RFC
    /// 9112, sections 6.1 and 6.3).
    var framingRefusal: Refusal? {
        switch coding {
        case .none: nil
        case .chunked: head.version == .http1_1 ? nil : .codingOfOldVersion
        case .unknown: head.version == .http1_1 ? .unknownCoding : .codingOfOldVersion
        case .endless: .brokenBody
        }
    }
}

extension RequestHead.TransferCoding {
    /// Adds the value of one of the headers.
    fileprivate mutating func add(_ value: String) {
        let comma = value.utf8.lastIndex(of: UInt8(ascii: ","))
        let isAlone = self == .none && comma == nil
        let last = value.utf8[(comma.map { value.utf8.index(after: $0) } ?? value.startIndex)...]
        let name = last.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard Substring(name).isEqual(toLowercased: "chunked") else { return self = .endless }
        self = isAlone ? .chunked : .unknown
    }
}

/// The headers by which a request may offer another protocol.
private struct OfferHeaders {
    private var hasUpgrade = false
    private var hasEmptyUpgrade = false
    /// Whether a `Connection` header has the option `upgrade` and is written in the usual way.
    private var hasOption = false
    /// Whether the word `upgrade` is anywhere in a header that the parser may take for `Connection`.
    private var mentionsOption = false
    private var hasCoding = false
    private var hasUnusualCoding = false

    mutating func add(_ name: String, _ value: String) {
        if name.isEqual(toLowercased: "upgrade") {
            hasUpgrade = true
            if value.isEmpty { hasEmptyUpgrade = true }
        } else if name.isEqual(toLowercased: "connection") {
            guard value.mentionsUpgrade else { return }
            mentionsOption = true
            hasOption = hasOption || value.hasUpgradeOption
        } else if name.isEqual(toLowercased: "proxy-connection") {
            mentionsOption = mentionsOption || value.mentionsUpgrade
        } else if name.isEqual(toLowercased: "transfer-encoding") {
            hasUnusualCoding = hasCoding || !value.isEqual(toLowercased: "chunked")
            hasCoding = true
        }
    }

    var offer: RequestHead.UpgradeOffer {
        guard hasUpgrade, mentionsOption else { return .absent }
        return hasOption && !hasEmptyUpgrade && !hasUnusualCoding ? .present : .unclear
    }
}

extension String {
    /// Whether the word is anywhere in the text, in any case. The bytes are compared, because no limit has been checked
    /// yet, and comparing a hostile String takes time that grows with the square of its length.
    fileprivate var mentionsUpgrade: Bool {
        let word = "upgrade"
        return withBytes { bytes in
            guard bytes.count >= word.utf8.count else { return false }
            return (0...bytes.count - word.utf8.count).contains { start in
                zip(bytes[start...], word.utf8).allSatisfy { $0 | 0x20 == $1 }
            }
        }
    }

    /// Whether the text is a list of tokens, with commas and spaces between them, and one of the tokens is `upgrade`.
    fileprivate var hasUpgradeOption: Bool {
        var isFound = false
        for option in utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let start = option.firstIndex(where: { $0 != UInt8(ascii: " ") }) else { return false }
            let rest = option[start...]
            let token = rest.prefix { $0 != UInt8(ascii: " ") }
            guard rest[token.endIndex...].allSatisfy({ $0 == UInt8(ascii: " ") }),
                token.allSatisfy({
                    $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") || $0 == UInt8(ascii: "-")
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                })
            else { return false }
            if Substring(token).isEqual(toLowercased: "upgrade") { isFound = true }
        }
        return isFound
    }
}

extension HTTPField.Name {
    /// - Parameter text: The name of a field, written in the source: tokens only (RFC 9110, section 5.1).
    package static func standard(_ text: StaticString) -> HTTPField.Name {
        guard let name = HTTPField.Name("\(text)") else { preconditionFailure("\(text) is no name of a field") }
        return name
    }
}
