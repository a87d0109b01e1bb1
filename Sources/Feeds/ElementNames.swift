/// What XML calls a list and one row of it: `("customers", "customer")`. Literals, so that no data can become markup.
package struct ElementNames: Sendable {
    package var list: StaticString
    package var row: StaticString

    package init(_ list: StaticString, _ row: StaticString) {
        self.list = list
        self.row = row
    }
}
