/// Reads CSV by the grammar of RFC 4180, independently of our writer.
enum CSVReader {
    /// The rows of a document; nil when the bytes break the grammar.
    static func rows(of bytes: [UInt8]) -> [[String]]? {
        var rows: [[String]] = []
        var row: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            var field: [UInt8] = []
            if rest.first == UInt8(ascii: "\"") {
                rest.removeFirst()
                while true {
                    guard let byte = rest.popFirst() else { return nil }
                    if byte != UInt8(ascii: "\"") {
                        field.append(byte)
                    } else if rest.first == UInt8(ascii: "\"") {
                        field.append(rest.removeFirst())
                    } else {
                        break
                    }
                }
            } else {
                while let byte = rest.first, byte != UInt8(ascii: ","), byte != 13 {
                    if byte == UInt8(ascii: "\"") || byte == 10 { return nil }
                    field.append(rest.removeFirst())
                }
            }
            row.append(String(decoding: field, as: UTF8.self))
            if rest.starts(with: [13, 10]) {
                rest = rest.dropFirst(2)
                rows.append(row)
                row = []
            } else if rest.popFirst() != UInt8(ascii: ",") {
                return nil
            }
        }
        return row.isEmpty ? rows : nil
    }

    /// A field without the apostrophes that keep spreadsheets from running it, as the documentation tells programs to
    /// remove them.
    static func plain(_ field: String) -> String {
        var plain: [Unicode.Scalar] = []
        var beginsCell = true
        for scalar in field.unicodeScalars {
            if "=+-@＝＋－＠".unicodeScalars.contains(scalar), beginsCell {
                if plain.last == "'" { plain.removeLast() }
                beginsCell = false
            } else if ";\t\r\n".unicodeScalars.contains(scalar) {
                beginsCell = true
            } else if !"\"'".unicodeScalars.contains(scalar), scalar.value > 32, !scalar.properties.isWhitespace {
                beginsCell = false
            }
            plain.append(scalar)
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: plain)
        return String(text)
    }
}
