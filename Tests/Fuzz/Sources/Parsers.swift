/// The parsers that read what strangers send, by the name of their folder in `Corpus`.
let parsers: [(name: String, check: @Sendable (UnsafeRawBufferPointer) -> Void)] = [
    ("accept", checkAccept), ("base64", checkBase64), ("connections", checkConnection), ("cursors", checkCursors),
    ("form", checkForm), ("id-tokens", checkIDToken), ("instants", checkInstants), ("json", checkJSON),
    ("key-sets", checkKeySet), ("names", checkNames), ("paths", checkPaths), ("pgoutput", checkReplicationMessages),
    ("pictures", checkPicture), ("proxies", checkProxies), ("queries", checkQuery), ("windows", checkWindow),
]

/// The input as text; nil for bytes that are no UTF-8, which never become a `String`.
func text(_ input: UnsafeRawBufferPointer) -> String? { String(validating: input, as: UTF8.self) }
