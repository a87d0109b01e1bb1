/// A raw multi-line literal that gives the text back byte for byte.
func literal(_ text: String) -> String {
    var fence = "#"
    while text.contains("\"\"\"" + fence) || text.contains("\\" + fence) { fence += "#" }
    return "\(fence)\"\"\"\n\(text.hasSuffix("\n") ? String(text.dropLast()) : text)\n\"\"\"\(fence)"
}
