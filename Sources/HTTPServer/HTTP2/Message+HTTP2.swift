import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP1

extension Request {
    /// - Parameter head: A head that NIO has validated.
    init(_ head: HPACKHeaders, body: ByteBuffer, peer: Peer) {
        var method = ""
        var target: String?
        var authority: String?
        var fields: [(String, String)] = []
        fields.reserveCapacity(head.count)
        for (name, value, _) in head {
            switch name {
            case ":method": method = value
            case ":path": target = value
            case ":authority": authority = value
            case ":scheme": break
            default: fields.append((name, value))
            }
        }
        if let authority {
            // RFC 9113, section 8.3.1: it replaces Host, and a proxy makes Host of it.
            fields.removeAll { $0.0 == "host" }
            fields.append(("host", authority))
        }
        self.init(
            method: HTTPRequest.Method(method) ?? .connect,
            // CONNECT has no path; in HTTP/1.1 its target is the authority.
            target: target ?? authority ?? "", headers: RequestHeaders(HTTPHeaders(fields)), body: body, peer: peer)
    }
}

extension Response {
    /// The head as HTTP/2 sends it: names in lower case, no header of a connection, and the same `Content-Length` and
    /// `Date` as in HTTP/1.1.
    ///
    /// A client may let the compressor's table of headers grow to 4 GiB. So only headers with few different values
    /// enter it, and its size does not depend on the client.
    func http2Head(date: String, for peer: Peer = .unknown) -> HPACKHeaders {
        var head = HPACKHeaders()
        head.reserveCapacity(headers.count + 4)
        head.add(name: ":status", value: String(status.code), indexing: .indexable)
        for field in headers {
            let name = field.name.canonicalName
            if Self.namesOfConnections.contains(name) { continue }
            head.add(
                name: name, value: field.value,
                indexing: Self.namesOfFewValues.contains(name) ? .indexable : .nonIndexable)
        }
        if statesLength { head.add(name: "content-length", value: String(body.readableBytes), indexing: .nonIndexable) }
        if peer.staysEncrypted {
            head.add(name: "strict-transport-security", value: "max-age=31536000", indexing: .indexable)
        }
        head.add(name: "date", value: date, indexing: .nonIndexable)
        return head
    }

    /// Headers whose values are constants of this server.
    private static let namesOfFewValues: Set<String> = [
        "access-control-allow-headers", "access-control-allow-origin", "access-control-expose-headers",
        "access-control-max-age", "cache-control", "content-encoding", "content-security-policy", "content-type",
        "vary", "x-content-type-options",
    ]

    /// RFC 9113, section 8.2.2: HTTP/2 has frames for these.
    private static let namesOfConnections: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]
}
