import enum Contract.ProblemName
import Credentials
import Domain
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore
import Pages
import Storage

/// A session of the console, and the operator's key that it was opened with.
struct ConsoleSession: Sendable {
    let seal: ConsoleSeal
    let key: AdminKey

    func allows(_ scope: KeyScope) -> Bool { key.scopes.allows(scope) }
}

/// Sessions of the console: a key opens one, which is a sealed cookie and ends with the key.
final class ConsoleSessions: RouteHandlers {
    let secret: Secret
    let clock: ServerClock
    let operators: OperatorKeys
    let rates: RequestRates

    init(secret: Secret, clock: ServerClock, operators: OperatorKeys, rates: RequestRates) {
        (self.secret, self.clock, self.operators, self.rates) = (secret, clock, operators, rates)
    }

    static func of(_ handlers: Handlers) -> ConsoleSessions { handlers.sessions }

    /// The session of a request.
    /// - Parameter scopes: The key has to have one of these; the first is what a refusal asks for. None asks for a
    ///   session alone.
    /// - Throws: 401 without a session, or with one whose key has ended; 403 without the scope.
    func signedIn(_ request: Request, _ scopes: KeyScope...) async throws -> ConsoleSession {
        guard let seal = seal(request), let key = try await operators.usedAdminKey(seal.key) else {
            throw Problem.notSignedIn
        }
        try key.check(scopes)
        return ConsoleSession(seal: seal, key: key)
    }

    /// What the session of a request is sealed with, until it ends; the key may have ended since.
    func seal(_ request: Request) -> ConsoleSeal? {
        guard let seal = consoleCookie(request).flatMap(secret.consoleSession), clock.now < seal.expiresAt else {
            return nil
        }
        return seal
    }

    /// `GET /admin/sign-in`
    func signInPage(_ request: Request) throws -> Response {
        reply(signInPage(to: ConsolePath.overview, nil, for: request), .ok)
    }

    /// `POST /admin/sign-in`. Nothing of a session that was open before goes into the new one.
    func signIn(_ request: Request) async throws -> Response {
        try refuseForeignPages(request)
        let form = try Submission(request, known: ["key", "to"])
        let typed = form["key"].filter { !$0.isWhitespace }
        guard let token = Token(typed), token.kind == .admin, try await operators.usedAdminKey(token.hash) != nil else {
            let problem = rates.countedFailure(.noSuchKey, of: request)
            let page = signInPage(to: Self.ownPath(form["to"]), problem.sentence, for: request)
            var reply = reply(page, problem.name.status)
            if let seconds = problem.retryAfterSeconds { reply.headers[.retryAfter] = "\(seconds)" }
            return reply
        }
        let seal = ConsoleSeal(key: token.hash, expiresAt: clock.now.advanced(bySeconds: Limits.consoleSessionSeconds))
        guard let cookie = secret.consoleCookie(seal) else { throw Problem.bug }
        return seeOther(
            Self.ownPath(form["to"]),
            setting: "\(cookieName(request))=\(cookie); Max-Age=\(Limits.consoleSessionSeconds)\(attributes(request))")
    }

    /// `POST /admin/sign-out`
    func signOut(_ request: Request) async throws -> Response {
        let session = try await signedIn(request)
        _ = try submission(request, session, known: [])
        return seeOther(ConsolePath.signIn, setting: "\(cookieName(request))=; Max-Age=0\(attributes(request))")
    }

    /// A form that was sent, which has to come from a page of this session.
    /// - Throws: 403 for a form of another session or of none, 413 and 400 for one beyond the bounds of forms.
    func submission(_ request: Request, _ session: ConsoleSession, known: Set<String>) throws(Problem) -> Submission {
        try refuseForeignPages(request)
        let form = try Submission(request, known: known.union(["id", "token"]))
        guard let id = UUID(text: form["id"]), secret.isFormToken(form["token"], session.seal, id) else {
            throw .foreignForm
        }
        return form.with(id)
    }

    /// The hidden fields by which a form is known: its id, under which an action is done once, and its token.
    func hidden(_ session: ConsoleSession, _ id: UUID = UUID()) -> [ConsoleForm.Hidden] {
        [ConsoleForm.Hidden("id", id.text), ConsoleForm.Hidden("token", secret.formToken(session.seal, id))]
    }

    func signInPage(to path: String, _ error: String?, for request: Request) -> ConsolePage {
        var page = ConsolePage("Sign in", for: nil)
        page.intro = "This is for operators of this server."
        if isInClear(request) { page.add(nil, [.notice(Self.inClear, isTrouble: true)]) }
        var form = ConsoleForm(
            ConsolePath.signIn, hidden: [ConsoleForm.Hidden("to", path)],
            fields: [
                ConsoleForm.Field(
                    "key", "Admin key", .password,
                    hint: "It begins with cba_. Make the first one with: causeboard key add --admin "
                        + "--scopes read,personal,moderate,operate --name you", isRequired: true)
            ], buttons: [ConsoleForm.Button("Sign in")])
        if let error { form.show(error, at: "key") }
        page.add(nil, [.form(form)])
        return page
    }

    /// It stands before the form and not in its place: the server cannot see the https of a proxy that it does not
    /// know.
    private static let inClear =
        "This page came without encryption, from another machine. Do not type your key here: whoever is in between "
        + "could read it, and your browser would not keep the session. Open the console by https, or on the machine "
        + "itself, such as through ssh -L 8081:127.0.0.1:8081. If a proxy before the server does https, name it with "
        + "--trusted-proxies and --proxy-header."

    /// A browser says which site's page has sent a form: in `Sec-Fetch-Site`, which no proxy makes wrong by another
    /// `Host`, and where it sends none in `Origin`. The token of the form says so too, but there is none yet where
    /// somebody signs in.
    private func refuseForeignPages(_ request: Request) throws(Problem) {
        if request.isSaidToBeForeign ?? request.hasForeignOrigin ?? false { throw .foreignForm }
    }

    /// A page of the console that a form names, with its query, or the first page.
    static func ownPath(_ text: String) -> String {
        guard text.utf8.count <= Limits.targetBytesMax, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return ConsolePath.overview
        }
        // No path of the console has an escape, so there is nothing that a browser could read in another way.
        let path = String(Substring(text.utf8.prefix { $0 != UInt8(ascii: "?") }))
        let isPlain = path.utf8.allSatisfy { byte in !["%", "\\", "#"].contains(Character(UnicodeScalar(byte))) }
        guard isPlain, !path.contains("//"), let match = Routes.find(path, method: .get, on: .admin),
            match.route.audience == .console, match.answer != nil
        else { return ConsolePath.overview }
        return text
    }

    private func seeOther(_ path: String, setting cookie: String) -> Response {
        var response = seeOther(path)
        response.headers[.setCookie] = cookie
        return response
    }

    func seeOther(_ path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path, .cacheControl: "private, no-store"])
    }
}

// MARK: - The cookie

extension ConsoleSessions {
    private func consoleCookie(_ request: Request) -> String? {
        let name = cookieName(request)
        for header in request.headers.values(of: .cookie) {
            for part in header.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = part.drop { JSONScanner.isSpace($0) }
                if pair.starts(with: name.utf8), pair.dropFirst(name.utf8.count).first == UInt8(ascii: "=") {
                    return String(Substring(pair.dropFirst(name.utf8.count + 1)))
                }
            }
        }
        return nil
    }

    /// Browsers keep a cookie of this prefix only when it came encrypted, from this host and for all of it (RFC
    /// 6265bis, section 4.1.3.2), so no other host can plant one.
    private func cookieName(_ request: Request) -> String { isOnLoopback(request) ? "causeboard" : "__Host-causeboard" }

    private func attributes(_ request: Request) -> String {
        "; Path=/; HttpOnly; SameSite=Strict" + (isOnLoopback(request) ? "" : "; Secure")
    }

    /// Whether a browser has opened the console without encryption elsewhere: a key travels in the clear, and the
    /// cookie is not kept.
    private func isInClear(_ request: Request) -> Bool { !rates.client(of: request).isSecure && !isOnLoopback(request) }

    /// Whether a browser has opened the console without encryption on the machine itself. Both ends have to say so:
    /// anybody may write any name into `Host`.
    private func isOnLoopback(_ request: Request) -> Bool {
        let client = self.rates.client(of: request)
        guard !client.isSecure, client.address.map(\.isLoopback) ?? true,
            let host = request.headers[.host].flatMap(HostHeader.init)?.host
        else { return false }
        return host.isEqual(toLowercased: "localhost") || IPAddress(host).map(\.isLoopback) ?? false
    }
}

extension HTTPField.Name {
    static let cookie = standard("Cookie")
    static let setCookie = standard("Set-Cookie")
}

extension Problem {
    static let notSignedIn = Problem(.unauthorized, "Sign in with an admin key. A session ends after 12 hours.")
    static let noSuchKey = Problem(
        .unauthorized,
        "This is no admin key that may be used now. Look for a character that is missing, or ask for another key.",
        field: "key")
    static let foreignForm = Problem(
        .forbidden,
        "This form is not of your session, which may have begun anew meanwhile. Go back, reload the page, and send it "
            + "again.")
    static let formTooLarge = Problem(
        .tooLarge, "The form is larger than \(Limits.consoleFormBytesMax) bytes. Write less.")
}
