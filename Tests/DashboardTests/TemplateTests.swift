import Testing

@testable import Dashboard

@Suite("Templates")
struct TemplateTests {
    /// Mustache itself would reflect on a value once for each name of the template.
    @Test func aPageReadsEachValueOnce() throws {
        final class Count { var reads = 0 }
        struct Value: CustomReflectable {
            let count: Count
            var customMirror: Mirror {
                count.reads += 1
                let fields: KeyValuePairs<String, Any> = [
                    "title": "Too late", "problem": "The form is of yesterday.", "target": Optional("/posts") as Any,
                ]
                return Mirror(self, children: fields, displayStyle: .struct)
            }
        }
        let count = Count()
        let html = try Pages().render(Value(count: count), "message")
        #expect(html.contains("The form is of yesterday."))
        #expect(html.contains("/posts"))
        #expect(count.reads == 1)
    }
}
