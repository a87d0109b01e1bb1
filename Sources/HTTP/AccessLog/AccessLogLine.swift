import Domain
import HTTPServer
import HTTPTypes

/// One answered request, as the access log shows it. It has nothing that a client chose freely: no path, query, token,
/// name or device, and of the address only the network.
struct AccessLogLine {
    /// Who a request says it comes from, by the kind of its token; the status tells whether the token was good.
    enum CallerKind: String {
        case none, player, game, admin

        /// - Parameter authorization: The header.
        init(authorization: String?) {
            let scheme = "bearer "
            // The header may be longer than its bound here, so its bytes are compared.
            guard let authorization,
                Substring(authorization.utf8.prefix(scheme.utf8.count)).isEqual(toLowercased: scheme)
            else {
                self = .none
                return
            }
            let token = authorization.utf8.dropFirst(scheme.utf8.count).drop { $0 == UInt8(ascii: " ") }
            if token.starts(with: "cbd_".utf8) {
                self = .player
            } else if token.starts(with: "cbk_".utf8) {
                self = .game
            } else if token.starts(with: "cba_".utf8) {
                self = .admin
            } else {
                self = .none
            }
        }
    }

    /// When it was answered.
    let time: Instant
    let requestID: String
    /// Nil for a request that could not be read.
    let method: HTTPRequest.Method?
    /// The template of the route; nil when there is none.
    let route: String?
    let status: Int
    /// Bytes of the response's body as sent.
    let bytesCount: Int
    let microseconds: Int64
    let caller: CallerKind
    let game: Slug?
    let address: IPAddress?

    /// The line in JSON, with its line feed. No text in it needs escaping: each is made by the server or of letters,
    /// digits and a few marks.
    var bytes: [UInt8] {
        var text = "{\"time\":\"\(time.rfc3339(.microseconds))\",\"request\":\"\(requestID)\",\"method\":"
        text += Self.quoted(method.map(Self.name))
        text += ",\"route\":" + Self.quoted(route)
        text += ",\"status\":\(status),\"bytes\":\(bytesCount),\"microseconds\":\(microseconds)"
        text += ",\"caller\":\"\(caller.rawValue)\",\"game\":" + Self.quoted(game?.description)
        text += ",\"address\":" + Self.quoted(address?.networkText) + "}\n"
        return Array(text.utf8)
    }

    /// The line about refusals that have none, with its line feed.
    static func leftOut(_ count: Int, _ time: Instant) -> [UInt8] {
        Array(#"{"time":"\#(time.rfc3339(.microseconds))","status":429,"left_out":\#(count)}"#.utf8) + [
            UInt8(ascii: "\n")
        ]
    }

    private static func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }

    /// A method that no route answers is the client's own text, and is not shown.
    private static func name(_ method: HTTPRequest.Method) -> String {
        switch method {
        case .get, .head, .put, .post, .patch, .delete, .options: method.rawValue
        default: "other"
        }
    }
}

extension IPAddress {
    /// The network of the address: its /24, or the /48 of an IPv6 address.
    fileprivate var networkText: String {
        switch family {
        case .v4: "\(low >> 24 & 255).\(low >> 16 & 255).\(low >> 8 & 255).0/24"
        case .v6:
            "\(String(high >> 48, radix: 16)):\(String(high >> 32 & 0xFFFF, radix: 16)):"
                + "\(String(high >> 16 & 0xFFFF, radix: 16))::/48"
        }
    }
}

/// Which answers of 429 get a line: ``Limits/accessLogRefusalsMax`` in each minute.
struct RefusalLines {
    private var minute: Int64 = 0
    private var linesCount = 0
    private var leftOutCount = 0
    private var lastLeftOutAt: Instant?

    /// Counts a line, if it is that of a refusal.
    /// - Returns: Whether it is written.
    mutating func admits(_ line: AccessLogLine) -> Bool {
        guard line.status == 429 else { return true }
        let minute = Self.minute(of: line.time)
        if minute != self.minute { (self.minute, linesCount) = (minute, 0) }
        guard linesCount < Limits.accessLogRefusalsMax else {
            leftOutCount += 1
            lastLeftOutAt = line.time
            return false
        }
        linesCount += 1
        return true
    }

    /// The line that says how many were left out, once the minute of the last one is over.
    /// - Parameter time: Nil when the log ends.
    mutating func leftOut(until time: Instant?) -> [UInt8]? {
        guard let lastLeftOutAt, time.map(Self.minute) != Self.minute(of: lastLeftOutAt) else { return nil }
        defer { (leftOutCount, self.lastLeftOutAt) = (0, nil) }
        return AccessLogLine.leftOut(leftOutCount, lastLeftOutAt)
    }

    private static func minute(of time: Instant) -> Int64 { time.microsecondsSince1970 / 60_000_000 }
}
