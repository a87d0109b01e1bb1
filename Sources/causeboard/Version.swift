import HTTP

/// What `causeboard --version` prints. The version has its one place in `info.version` of `openapi.yaml`. `/readyz` of
/// the admin listener shows it, and `deploy/package` reads it. Raise it with each release, in the commit that gives the
/// change log its new heading.
enum Version {
    static let text = OpenAPI.version
    /// The version, then a line for each package of the build: its name and version.
    static var withPackages: String {
        ([text] + Packages.all.map { "\($0.name) \($0.version)" }).joined(separator: "\n")
    }
}
