/// The version of this program, in this one place: `causeboard --version` prints it, and `deploy/package` reads it.
/// Raise it with each release, in the same commit that gives the change log its new heading.
enum Version {
    static let text = "0.1.0"
}
