import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// What reading a sealed file found wrong, although a good state may have been read.
public enum SaveFinding: Sendable, Hashable {
    /// A file is not as it was written.
    case changed
    /// A file ends early.
    case cut
    /// What was written last is not there; the state is an earlier one.
    case older
}

/// Two files of which each holds a whole state, so that one is good while the other is written.
///
/// A file is `CBSAVE01`, the counter and the length of the bytes (8 bytes each, big endian), the bytes, and an
/// HMAC-SHA256 of the name and of all before. The key and the latest counter are with the device's secrets, so that a
/// file that was edited, cut, taken from elsewhere or put back from an older copy is noticed.
struct SealedFile: Sendable {
    struct Contents: Equatable {
        let bytes: Data
        let counter: UInt64
    }

    private static let magic = Data("CBSAVE01".utf8)
    private static let keyName = "save-key"
    private static let headBytes = 24
    private static let codeBytes = 32

    private let name: String
    private let urls: [URL]
    private let secrets: any SecretStore
    private let key: SymmetricKey

    /// - Parameter name: A slug.
    init(_ name: String, in directory: URL, _ secrets: any SecretStore) throws(CauseboardError) {
        (self.name, self.secrets) = (name, secrets)
        try DurableFiles.makeDirectory(directory)
        urls = ["0", "1"].map { directory.appendingPathComponent("\(name).\($0).save") }
        if let kept = try secrets.read(Self.keyName), kept.count == 32 {
            key = SymmetricKey(data: kept)
        } else {
            key = SymmetricKey(size: .bits256)
            try secrets.write(key.withUnsafeBytes { Data($0) }, Self.keyName)
        }
    }

    /// The latest good state and what is wrong; nil when nothing was ever written or nothing good is left.
    func read() throws(CauseboardError) -> (contents: Contents?, findings: Set<SaveFinding>) {
        var findings: Set<SaveFinding> = []
        var best: Contents?
        for url in urls {
            guard let data = try DurableFiles.read(url) else { continue }
            switch open(data) {
            case .success(let contents): if best.map({ $0.counter < contents.counter }) ?? true { best = contents }
            case .failure(let finding): findings.insert(finding.value)
            }
        }
        if (best?.counter ?? 0) < (try latestCounter()) { findings.insert(.older) }
        return (best, findings)
    }

    /// Writes a state in place of the older of the two files. When this returns it is on disk.
    func write(_ bytes: Data) throws(CauseboardError) {
        let kept = try read().contents
        let latest = max(kept?.counter ?? 0, try latestCounter())
        let (counter, overflow) = latest.addingReportingOverflow(1)
        guard !overflow else { throw .storage("the save \(name) was written too often") }
        var data = Self.magic + Self.bigEndian(counter) + Self.bigEndian(UInt64(bytes.count)) + bytes
        data += code(data)
        // The good file stays; whatever is in the other one is not needed.
        try DurableFiles.write(data, to: try goodFile(kept) == urls[0] ? urls[1] : urls[0])
        // The state is kept by now. A counter that is behind the file, as after a crash before this, does no harm, and
        // is set right with the next state.
        try? secrets.write(Self.bigEndian(counter), Self.counterName(name))
    }

    private static func counterName(_ name: String) -> String { "save-counter-" + name }

    /// Takes all files of a directory away, and the key with them: what is written by it from now on, or put back from
    /// a copy, is nobody's.
    static func forgetAll(in directory: URL, _ secrets: any SecretStore) throws(CauseboardError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        for name in names where name.hasSuffix(".save") || name.hasSuffix(".save.new") {
            try DurableFiles.remove(directory.appendingPathComponent(name))
            // A slug has no dot.
            try secrets.remove(counterName(String(name.prefix { $0 != "." })))
        }
        try secrets.remove(keyName)
    }

    private func goodFile(_ kept: Contents?) throws(CauseboardError) -> URL? {
        guard let kept else { return nil }
        for url in urls {
            if let data = try DurableFiles.read(url), case .success(let contents) = open(data),
                contents.counter == kept.counter
            {
                return url
            }
        }
        return nil
    }

    private func latestCounter() throws(CauseboardError) -> UInt64 {
        guard let kept = try secrets.read(Self.counterName(name)), kept.count == 8 else { return 0 }
        return Self.number(kept)
    }

    private struct Finding: Error { let value: SaveFinding }

    private func open(_ data: Data) -> Result<Contents, Finding> {
        guard data.count >= Self.headBytes + Self.codeBytes else { return .failure(Finding(value: .cut)) }
        let length = Self.number(data.dropFirst(16).prefix(8))
        let room = UInt64(data.count - Self.headBytes - Self.codeBytes)
        let sealed = data.dropLast(Self.codeBytes)
        let isWhole = HMAC<SHA256>.isValidAuthenticationCode(
            data.suffix(Self.codeBytes), authenticating: Data((name + "\n").utf8) + sealed, using: key)
        guard isWhole, data.starts(with: Self.magic), length == room else {
            return .failure(Finding(value: data.starts(with: Self.magic) && length > room ? .cut : .changed))
        }
        let counter = Self.number(data.dropFirst(8).prefix(8))
        return .success(Contents(bytes: Data(sealed.dropFirst(Self.headBytes)), counter: counter))
    }

    private func code(_ data: Data) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data((name + "\n").utf8) + data, using: key))
    }

    private static func bigEndian(_ number: UInt64) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }

    private static func number(_ bytes: Data) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
