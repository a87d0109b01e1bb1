extension Sessions {
    /// Of whoever fills an empty database: a commit need not be on the disk before the next one begins, since what was broken off is thrown away whole.
    package static let loading = intake.merging([
        "application_name": "causeboard demo", "synchronous_commit": "off", "statement_timeout": "300s",
    ]) { $1 }
}
