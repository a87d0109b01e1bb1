import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

@testable import HTTP
@testable import HTTPServer

/// Records requests and whole responses one after the other. The file shows what clients see, so a change of it shows
/// in review.
struct Exchange {
    private let responder: Responder
    private(set) var transcript = ""

    init(_ responder: Responder) { self.responder = responder }

    /// Sends a request, and records it with its response.
    /// - Parameter headers: Headers beside those that every client sends.
    @discardableResult mutating func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", _ headers: HTTPFields = [:]
    ) async throws -> Response {
        transcript += "> \(method) \(path)\n"
        for header in headers { transcript += "> \(header.name.canonicalName): \(header.value)\n" }
        if !body.isEmpty { transcript += ">\n> \(body)\n" }
        var fields = HTTPHeaders()
        for header in headers { fields.add(name: header.name.rawName, value: header.value) }
        let response = await responder.respond(
            to: Request(method: method, target: path, headers: RequestHeaders(fields), body: ByteBuffer(string: body)))
        // Bytes that caches keep hold nothing of one request; everything else says which request it answers.
        let isPublic =
            [.ok, .notModified].contains(response.status)
            && response.headers[.cacheControl]?.hasPrefix("public") == true
        #expect((response.headers[.requestID] == nil) == isPublic, "\(method) \(path): \(response.headers)")
        transcript += "< \(response.status)\n"
        var seen = response.headers
        let length = response.body.readableBytes
        if length > 0 || ![.noContent, .notModified].contains(response.status) { seen[.contentLength] = "\(length)" }
        for header in seen.sorted(by: { $0.name.canonicalName < $1.name.canonicalName }) {
            transcript += "< \(header.name.canonicalName): \(header.value)\n"
        }
        let text =
            method == .head
            ? "" : response.headers[.contentEncoding] == nil ? String(buffer: response.body) : "(\(length) bytes)"
        transcript += text.isEmpty ? "\n" : "<\n\(text)\(text.hasSuffix("\n") ? "" : "\n")\n"
        return response
    }

    /// Compares the record with the file of that name, except for random ids and the ETags of bytes that contain them.
    /// With RECORD_EXCHANGES=1 in the environment it writes the file instead.
    func matches(_ name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Exchanges")
        let file = folder.appending(path: "\(name).txt")
        let seen = steady
        if ProcessInfo.processInfo.environment["RECORD_EXCHANGES"] == "1" { try Data(seen.utf8).write(to: file) }
        let kept = try String(contentsOf: file, encoding: .utf8)
        let difference = zip(seen.split(separator: "\n"), kept.split(separator: "\n")).first { $0 != $1 }
        #expect(seen == kept, "first difference in \(name).txt: \(String(describing: difference))")
    }

    private var steady: String {
        let rules: [(String, String)] = [
            (#"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"#, "{uuid}"),
            (#"(<(?:id|player) type="integer">|<key>player</key>\s*<integer>)[1-9][0-9]*"#, "$1{id}"),
            (#"(/customers/|"id":|"player":|/TopScores/|/players/|players=|top/)[1-9][0-9]*"#, "$1{id}"),
            (#"(cb[dks]_)[\w-]{43}"#, "$1{token}"), (#"("next":"|"prev":"|(?:after|before)=)[\w-]{60,}"#, "$1{cursor}"),
            (#"(?m)^(\d+,(?:true|false)),[0-9]+,"#, "$1,{id},"), (#"tag:[0-9a-z.]+,"#, "tag:{installation},"),
            (#"(?m)^< etag: "[0-9a-f]+""#, "< etag: {etag}"), (#"(?m)^> if-none-match: .*"#, "> if-none-match: {etag}"),
            (#"(?m)^< content-length: [1-9][0-9]*"#, "< content-length: {n}"),
        ]
        var text = transcript
        for (pattern, replacement) in rules {
            text = text.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
        }
        return text
    }
}
