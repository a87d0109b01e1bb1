package import Foundation
package import FoundationXML

/// Reads XML with libxml2 through Foundation, independently of our writer.
package final class XMLReader: NSObject, XMLParserDelegate {
    package struct Element {
        package var name: String
        package var attributes: [String: String]
        package var text = ""
    }

    /// The elements in the order in which they begin, each with its own text and without that of its children.
    private(set) var elements: [Element] = []
    private var open: [Int] = []

    /// The elements of a document; nil when it is not well-formed.
    package static func elements(of bytes: [UInt8]) -> [Element]? {
        let parser = XMLParser(data: Data(bytes))
        let reader = XMLReader()
        parser.delegate = reader
        return parser.parse() ? reader.elements : nil
    }

    /// The texts of all elements with a name; nil when the document is not well-formed.
    package static func texts(of name: String, in bytes: [UInt8]) -> [String]? {
        elements(of: bytes)?.filter { $0.name == name }.map(\.text)
    }

    package func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(elements.count)
        elements.append(Element(name: name, attributes: attributes))
    }

    package func parser(_ parser: XMLParser, foundCharacters text: String) {
        if let last = open.last { elements[last].text.append(text) }
    }

    package func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?)
    { open.removeLast() }
}
