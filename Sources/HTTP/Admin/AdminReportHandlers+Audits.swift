import enum Contract.ProblemName
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Storage

// Audits by the admin API. A process makes them itself and tells of its own alone.
extension AdminReportHandlers {
    /// `PUT /v1/admin/audits/{id}` starts an audit, which takes as long as it takes to read both ledgers.
    func startAudit(_ request: Request, _ id: ClientID) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        let uuid = try id.uuid()
        let start = audits.start(uuid)
        guard start != .busy, let run = audits.find(uuid) else { throw Problem.auditRuns }
        var response = replies.own(start == .started ? .accepted : .ok, Self.tree(run, for: admin))
        if start == .started {
            response.headers[.location] = (replies.links.publicURL ?? "") + Routes.admin.audit.path(id)
        } else {
            response.headers[.idempotentReplayed] = "true"
        }
        return response
    }

    /// `GET /v1/admin/audits/{id}`
    func audit(_ request: Request, _ id: ClientID) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        guard let run = audits.find(try id.uuid()) else { throw Problem.noAudit }
        return replies.own(.ok, Self.tree(run, for: admin))
    }

    private static func tree(_ run: AuditRuns.Run, for admin: AdminKey) -> JSONTree {
        .object([
            .init("id", .text(run.id.text)), .init("state", .text(run.state)),
            .init("started_at", .instant(run.startedAt)), .init("ended_at", .instant(ifAny: run.endedAt)),
            .init("checks", .integer(Int128(Auditor.checksCount))), .init("done", .integer(Int128(run.findings.count))),
            .init("differing", .integer(Int128(run.differing))),
            .init(
                "findings",
                .list(
                    run.findings.map { finding in
                        .object([
                            .init("compared", .text(finding.subject)),
                            .init("rows", .integer(Int128(finding.compared))),
                            .init("differing", .integer(Int128(finding.differing))),
                            .init("example", .text(ifAny: finding.example(for: admin))),
                        ])
                    })),
        ])
    }
}

extension AuditFinding {
    /// A row that differs. It may reveal the donor of an anonymous donation, so it needs `personal`.
    func example(for admin: AdminKey) -> String? { admin.scopes.allows(.personal) ? example : nil }
}

extension AuditRuns.Run {
    /// `running`, `balanced`, `differing`, or `broken` when the database would not do it.
    var state: String {
        if endedAt == nil { return "running" }
        if isBroken { return "broken" }
        return differing == 0 ? "balanced" : "differing"
    }
}

extension Problem {
    static let auditRuns = Problem(.overloaded, "Another audit runs. Wait until it has ended, and send the same again.")
    static let noAudit = Problem(
        .notFound, "This process knows of no such audit. It keeps its last \(Limits.auditsKept), until it ends.",
        field: "id")
}
