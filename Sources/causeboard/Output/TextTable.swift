/// A table of plain text for a terminal.
struct TextTable {
    private let head: [String]
    private let alignedRight: Set<Int>
    private var rows: [[String]] = []

    /// - Parameter alignedRight: The indices of right-aligned columns, such as numbers, from 0.
    init(_ head: [String], alignedRight: Set<Int> = []) {
        self.head = head
        self.alignedRight = alignedRight
    }

    /// - Parameter row: A cell for each column. Newlines and control characters, which would move a terminal's cursor,
    ///   become `?`.
    mutating func add(_ row: [String]) {
        rows.append(
            row.map { cell in
                String(
                    cell.map {
                        $0.isNewline || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
                            ? "?" : $0
                    })
            })
    }

    var text: String {
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([head, rule] + rows).map { row in
            let cells = row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return alignedRight.contains(column) ? padding + row[column] : row[column] + padding
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
