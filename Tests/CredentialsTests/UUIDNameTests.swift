import FoundationEssentials
import Testing

@testable import Credentials

@Suite struct UUIDNameTests {
    @Test(
        "a name has the UUID of the published vector",
        arguments: [
            ("plan|402584080446809|3|2026-11-22|water", "d8e972b2-cab3-5499-8619-aae66610baf3"),
            ("import|nakama|weekly|5eca83ff-ae78-4065-adcf-cee5273d7353|0", "d978d58e-6170-5ee1-8a96-8cb040189764"),
        ]) func vector(_ name: String, _ id: String)
    { #expect(UUID(name: name) == UUID(uuidString: id)) }
}
