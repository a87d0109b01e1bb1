import Backup
import Credentials
import FoundationEssentials

/// The secret of a copy, and where it is kept.
struct RestoredSecret: Sendable {
    let secret: Secret
    private let text: String
    /// Nil when it is there already.
    private let file: String?

    /// - Throws: ``CommandError`` when the settings name another secret, or no place for this one.
    init(_ bytes: [UInt8], of copy: String, for settings: Settings) throws {
        text = String(decoding: bytes, as: UTF8.self)
        guard let secret = Secret(hex: text) else {
            throw CommandError("The secret in \(copy) is none: it does not have 64 hex digits. Take another copy.")
        }
        self.secret = secret
        func same(_ other: Secret?, _ name: String) throws {
            guard other?.fingerprint == secret.fingerprint else {
                throw CommandError(
                    "\(name) is another secret than the one of \(copy). Leave it out, or restore with the right one.")
            }
        }
        if let hex = settings.secretHex { try same(Secret(hex: hex), "CAUSEBOARD_SECRET") }
        switch (settings.secretFile, settings.location) {
        case (let path?, _):
            if FileManager.default.fileExists(atPath: path) {
                try same(SecretSource.read(path), path)
                file = nil
            } else {
                file = path
            }
        case (nil, .embedded(let directory)): file = SecretSource.file(in: directory)
        case (nil, .url):
            guard settings.secretHex != nil else {
                throw CommandError(
                    """
                    The backup has the secret, which servers on that database need. Say with --secret-file where it is \
                    to be kept.
                    """)
            }
            file = nil
        }
    }

    /// Writes the secret, durably. Nobody but its owner can read it at any moment.
    func keep() throws {
        guard let file else { return }
        let new = try NewFile(file, mayReplace: false)
        try new.descriptor.write(Array(text.utf8), to: file)
        try new.finish()
    }
}
