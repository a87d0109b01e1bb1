extension Readiness {
    /// What `/readyz` of an admin listener answers, as a command reads it.
    package struct Answer: Sendable, Equatable {
        package let isReady: Bool
        package let causes: [String]

        /// - Parameter body: The body of the response.
        /// - Returns: Nil for anything else, such as an answer of another program on that port.
        package init?(_ body: String) {
            guard let object = try? JSONObject(Array(body.utf8)), let ready = object["ready"]?.kind,
                [.true, .false].contains(ready),
                let causes = object["causes"]?.texts(countMax: 16)
            else { return nil }
            isReady = ready == .true
            self.causes = causes
        }
    }
}
