/// The data that a test begins with could not be made.
package struct TestDatabaseError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
