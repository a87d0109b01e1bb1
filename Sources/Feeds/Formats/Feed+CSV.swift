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
        case .text(let text): appendCSVText(text)
        case .json(let json): appendCSVJSON(json)
        case .instant(let instant): append(instant, .microseconds)
        case .boolean(let truth): append(truth ? "true" : "false")
        case .embeddedBase64(let base64): append(safe: base64)
        case .link(let link): appendCSVText(links.resolved(link))
        case .none: break
        }
    }

    /// Writes JSON as a field. A number is no formula, and stays as it is.
    private mutating func appendCSVJSON(_ json: String) {
        let first = json.utf8.first ?? 0
        if first == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= first {
            append(json, in: .csv)
        } else {
            appendCSVText(json)
        }
    }

    /// Writes a text as a field. Controls other than tab, carriage return and line feed become U+FFFD.
    private mutating func appendCSVText(_ text: String) {
        let inert = Self.signs.meets(text) ? Self.inert(text) : nil
        guard inert != nil || text.isEmpty || Self.quoteWorthy.meets(text) else { return append(text, in: .csv) }
        append("\"")
        append(inert ?? text, in: .csv)
        append("\"")
    }

    /// The text with an apostrophe before each sign that begins a formula in a spreadsheet (OWASP, CSV Injection).
    ///
    /// Spreadsheets of many countries end a cell at `;`, and pasted text ends at tabs and line breaks, whatever quotes
    /// it is in. So a formula may begin there too. Apostrophes before a sign stay beside the new one, so a reader that
    /// removes one before each such sign has the text as it was.
    /// - Returns: Nil when the text has no such sign.
    private static func inert(_ text: String) -> String? {
        var kept = String.UnicodeScalarView()
        var (beginsCell, isInert) = (true, true)
        for scalar in text.unicodeScalars {
            switch scalar {
            case ";", "\t", "\r", "\n": beginsCell = true
            case "\"", "'": break
            case "=", "+", "-", "@", "＝", "＋", "－", "＠":
                if beginsCell {
                    kept.append("'")
                    (beginsCell, isInert) = (false, false)
                }
            default: if scalar.value > 32, !scalar.properties.isWhitespace { beginsCell = false }
            }
            kept.append(scalar)
        }
        return isInert ? nil : String(kept)
    }

    // A space needs quotes because some readers trim unquoted fields.
    private static let quoteWorthy = ByteSet(Array("\", \t\r\n;".utf8))
    /// The signs, and the first byte of those in full width.
    private static let signs = ByteSet(Array("=+-@".utf8) + [0xEF])
}
