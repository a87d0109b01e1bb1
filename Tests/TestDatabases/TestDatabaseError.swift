/// The ground a test stands on is not there.
package struct TestDatabaseError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
