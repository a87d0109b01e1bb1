import Foundation
import Testing

@testable import Backup

/// A directory for one test.
struct Scratch {
    let root: String

    static func with(_ body: (Scratch) throws -> Void) throws {
        let root = NSTemporaryDirectory() + "causeboard-backup-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        try body(Scratch(root: root))
    }

    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: "\(root)/\(name)"))
        return "\(root)/\(name)"
    }

    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: "\(root)/\(name)"))) }

    var names: [String] { fileNames(in: root).sorted() }
}
