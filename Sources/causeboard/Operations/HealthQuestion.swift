import Domain
import Glibc
import HTTP

/// One GET of a server on this machine, in plain HTTP, of which only the head matters.
struct HealthQuestion {
    struct Answer: Equatable {
        let status: Int
        /// Which installation the server is of, if it says so.
        let installation: String?

        /// - Parameter head: The beginning of an answer, at most up to its body.
        /// - Returns: Nil for what is no HTTP/1.
        init?(head: String) {
            // In Swift CR LF is one Character, so the bytes are split.
            let lines = TextLines.split(Array(head.utf8)).prefix { !$0.isEmpty }.map {
                String(decoding: $0, as: UTF8.self)
            }
            let words = lines.first?.split(separator: " ") ?? []
            guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
            self.status = status
            let name = InstallationHeader.name.lowercased()
            let values = lines.dropFirst().compactMap { line -> String? in
                let parts = line.split(separator: ":", maxSplits: 1)
                return parts.count == 2 && parts[0].lowercased() == name ? parts[1].filter { $0 != " " } : nil
            }
            installation = values.first
        }
    }

    let host: String
    let port: Int
    let path: String

    /// - Parameter host: Where the server listens.
    init(host: String, port: Int, path: String) {
        self.host = Self.reachableHost(host)
        self.port = port
        self.path = path
    }

    /// All addresses of the machine means the one of the machine itself.
    static func reachableHost(_ host: String) -> String { ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host }

    var place: String { "http://\(AdminAddress.urlHost(host)):\(port)\(path)" }

    /// - Returns: Nil when nobody answers in HTTP within a few seconds.
    func ask() -> Answer? {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        var next = found
        while let address = next?.pointee {
            if let answer = ask(address) { return answer }
            next = address.ai_next
        }
        return nil
    }

    private func ask(_ address: addrinfo) -> Answer? {
        let client = socket(address.ai_family, address.ai_socktype | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard client >= 0 else { return nil }
        defer { close(client) }
        var patience = timeval(tv_sec: Int(Limits.healthSecondsMax), tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(client, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        guard connect(client, address.ai_addr, address.ai_addrlen) == 0 else { return nil }
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard send(client, request, request.count, CInt(MSG_NOSIGNAL)) == request.count else { return nil }
        // A server that sends a few bytes at a time ends the wait by being asked a few times only.
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Limits.healthHeadBytesMax / 8)
        for _ in 0..<8 where !String(decoding: head, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            head += buffer.prefix(count)
        }
        return Answer(head: String(decoding: head, as: UTF8.self))
    }
}
