import Credentials
@testable import Domain
import FoundationEssentials
@testable import HTTP
@testable import HTTPServer

import HTTPTypes
import NIOCore
import NIOHTTP1

// The parsers of what a request carries.

@Sendable func checkAccept(_ input: UnsafeRawBufferPointer) {
    guard let text = text(input) else { return }
    let accept = Accept(text)
    let offers = ["application/json", "application/xml", "text/html"]
    let best = accept.best(of: offers) { [$0] }
    require(best.map(offers.contains) ?? true, "what is chosen was offered")
    _ = accept.takes(coding: "gzip")
}

@Sendable func checkForm(_ input: UnsafeRawBufferPointer) {
    let known: Set<String> = ["name", "image", "points", "send_updates"]
    guard let form = try? FormBody(Array(input), known: known) else { return }
    require(form["other"] == nil, "a form has known fields only")
    let fields = Fields.form(form)
    for field in known {
        _ = try? fields.integer(field)
        _ = try? fields.boolean(field)
        _ = try? fields.instant(field)
        _ = try? fields.json(field)
    }
}

@Sendable func checkJSON(_ input: UnsafeRawBufferPointer) {
    let bytes = Array(input)
    guard let object = try? JSONObject(bytes) else { return }
    require(String(validating: bytes, as: UTF8.self) != nil, "JSON is UTF-8")
    for name in ["a", "name", "points", "detail", ""] {
        guard let value = object[name] else { continue }
        let minified = value.minified
        let again = try? JSONValue(String(decoding: minified, as: UTF8.self))
        require(again.map { Array($0.bytes) } == minified, "a minified value is JSON and minified")
        require(again?.whole == value.whole && again?.text == value.text, "minifying keeps the value")
        if let whole = value.whole {
            let plain = try? JSONValue("\(whole)")
            require(plain?.whole == whole, "a whole number reads back")
        }
    }
    let fields = Fields.json(object)
    for field in ["a", "name", "points", "detail"] {
        _ = try? fields.integer(field)
        _ = try? fields.boolean(field)
        _ = try? fields.instant(field)
        _ = try? fields.text(field)
        _ = try? fields.json(field)
    }
}

@Sendable func checkPaths(_ input: UnsafeRawBufferPointer) {
    guard let text = text(input) else { return }
    for method in [HTTPRequest.Method.get, .put, .post, .patch, .delete, .options] {
        let request = Request(method: method, target: text, headers: RequestHeaders(), body: ByteBuffer())
        if let match = Routes.find(request.path, method: method) {
            require(
                match.route.methods.contains(method) == (match.answer != nil) || method == .options,
                "a route answers the methods that it lists")
        }
        _ = Routes.audience(near: request.path)
    }
}

@Sendable func checkQuery(_ input: UnsafeRawBufferPointer) {
    guard let text = text(input) else { return }
    let request = Request(
        method: .get, target: "/v1/games/a/boards/b/top?" + text, headers: RequestHeaders(), body: ByteBuffer())
    guard let query = try? FeedQuery(request, .board, secret) else { return }
    require((1...Limits.feedRowsMax).contains(query.limitRows), "rows of a page are bounded")
    _ = try? query.pageRequest(of: nil)
}

@Sendable func checkWindow(_ input: UnsafeRawBufferPointer) {
    guard let text = text(input), let window = Window(text) else { return }
    require(window.name == text, "a window keeps its name")
    guard let days = window.days(today: Day(daysSince1970: 20_000)) else { return }
    require(
        days.upperBound.daysSince1970 - days.lowerBound.daysSince1970 < Limits.windowDaysMax,
        "a window has at most \(Limits.windowDaysMax) days")
}

@Sendable func checkInstants(_ input: UnsafeRawBufferPointer) {
    guard let text = text(input), let instant = Instant(rfc3339: text) else { return }
    let printed = instant.rfc3339(.microseconds)
    // An offset can move the first and the last day out of the years 1...9999, which are read.
    let isPrintable = !printed.hasPrefix("0000-") && !printed.hasPrefix("9999-12-31")
    require(Instant(rfc3339: printed) == instant || !isPrintable, "a printed instant reads back")
}

@Sendable func checkNames(_ input: UnsafeRawBufferPointer) {
    guard let text = text(input) else { return }
    if let name = try? PlayerName(text, field: "name") {
        require(name.description.utf8.count <= Limits.nameBytesMax, "a name is bounded")
        let again = try? PlayerName(name.description, field: "name")
        require(again == name, "a name is its own normal form")
        require(again?.skeleton == name.skeleton, "a name has one skeleton")
    }
    if let email = try? EmailAddress(text, field: "email") {
        require(email.text.utf8.count <= Limits.emailBytesMax, "an address is bounded")
    }
    _ = try? DeviceID(text, field: "phone")
    _ = try? DeviceLabel(text, field: "device")
    if let slug = Slug(text) { require(slug.description == text, "a slug is what was sent") }
    if let id = Player.ID(digits: text[...]) {
        require(Int64(text) == id.rawValue, "an id is the number that was sent")
    }
    if let id = UUID(text: text) { require(UUID(text: id.text) == id, "an id reads back") }
    if let bytes = Hex.bytes(text) { require(Hex.text(bytes).utf8.count == text.utf8.count, "two digits a byte") }
    _ = try? Points.whole(text, field: "points")
    // Folding takes some letters apart, so a name of the most bytes may have more of them afterwards.
    if let name = try? CharityName(text, field: "charity"), let folded = name.folded,
        folded.utf8.count <= Limits.displayNameBytesMax
    {
        let again = try? CharityName(folded, field: "charity")
        require(again?.folded == folded, "a folded name is folded")
    }
    _ = Credential(authorization: text)
    if let address = IPAddress(text) { require(address.counted.counted == address.counted, "counted once") }
    _ = IPNetwork(text)
}

/// What a trusted proxy says of its client, in both headers.
@Sendable func checkProxies(_ input: UnsafeRawBufferPointer) {
    guard let text = text(input) else { return }
    for header in TrustedProxies.Header.allCases {
        let proxies = TrustedProxies([IPNetwork("127.0.0.0/8")].compactMap { $0 }, header: header)
        let request = Request(
            method: .get, target: "/", headers: RequestHeaders([header.rawValue: text]), body: ByteBuffer(),
            peer: Peer(address: IPAddress("127.0.0.1"), isEncrypted: false))
        require(proxies.client(of: request).address != nil, "a client that came over a connection has an address")
    }
}

@Sendable func checkBase64(_ input: UnsafeRawBufferPointer) {
    let bytes = Array(input)
    require(base64Decoded(base64Encoded(bytes)) == bytes, "encoded bytes read back")
    if let decoded = base64Decoded(bytes) {
        require(decoded.count <= bytes.count, "decoding makes nothing longer")
        require(base64Decoded(base64Encoded(decoded)) == decoded, "decoded bytes read back")
    }
}
