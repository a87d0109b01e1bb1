import Domain

extension Feed {
    /// The rows without the header row, as they follow in the CSV of ``bytes(_:links:)``, for lists that are written
    /// piece by piece.
    package func csvRows(links: FeedLinks) -> [UInt8] {
        var writer = ByteWriter(capacityBytes: rows.count * 128)
        writeCSVRows(links: links, to: &writer)
        return writer.bytes
    }

    /// Writes CSV (RFC 4180): a header row, CRLF, and quotes where a field needs them.
    func writeCSV(links: FeedLinks, to writer: inout ByteWriter) {
        var isFirst = true
        for position in shown(in: .csv) {
            if !isFirst { writer.append(",") }
            isFirst = false
            writer.append(columns[position].name)
        }
        writer.append("\r\n")
        writeCSVRows(links: links, to: &writer)
    }

    private func writeCSVRows(links: FeedLinks, to writer: inout ByteWriter) {
        let shown = shown(in: .csv)
        for row in rows {
            var isFirst = true
            for position in shown {
                if !isFirst { writer.append(",") }
                isFirst = false
                writer.appendCSVField(value(row, position), links: links)
            }
            writer.append("\r\n")
        }
    }
}

extension ByteWriter {
    fileprivate mutating func appendCSVField(_ value: Value, links: FeedLinks) {
        switch value {
        case .integer(let number): append(number)
        case .tenths(let tenths): append(tenths: tenths)
        case .text(let text), .json(let text): appendCSVText(text)
        case .instant(let instant): append(instant, .microseconds)
        case .boolean(let truth): append(truth ? "true" : "false")
        case .embeddedBase64(let base64): append(safe: base64)
        case .link(let link): appendCSVText(links.resolved(link))
        case .none: break
        }
    }

    /// Writes a text as a field. Controls other than tab, carriage return and line feed become U+FFFD. A text that a
    /// spreadsheet would *run* gets an apostrophe in front.
    private mutating func appendCSVText(_ text: String) {
        let isFormula = Self.isFormula(text)
        guard isFormula || text.isEmpty || Self.quoteWorthy.meets(text) else {
            return append(text, in: .csv)
        }
        append(isFormula ? "\"'" : "\"")
        append(text, in: .csv)
        append("\"")
    }

    /// Whether a spreadsheet could call a function or a program with this text: `+cmd|' /C calc'!A0`,
    /// `=HYPERLINK(...)`. Some read the full-width signs of East Asian keyboards alike. Nicknames such as `@home` or
    /// `-_-` contain no call, so they stay as they are.
    private static func isFormula(_ text: String) -> Bool {
        guard calls.meets(text) || text.utf8.contains(0xEF),
            let first = text.unicodeScalars.first(where: { $0.value > 32 && !$0.properties.isWhitespace })
        else { return false }
        return formulaStarts.contains(first.value) && text.unicodeScalars.contains { callSigns.contains($0.value) }
    }

    // A space needs quotes because some readers trim unquoted fields.
    private static let quoteWorthy = ByteSet(Array("\", \t\r\n;".utf8))
    private static let formulaStarts = Set("=+-@＝＋－＠".unicodeScalars.map(\.value))
    private static let callSigns = Set("(|!（｜！".unicodeScalars.map(\.value))
    private static let calls = ByteSet(Array("(|!".utf8))
}
