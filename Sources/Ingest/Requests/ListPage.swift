package import JSONReading

/// A page of a list, and whether there is another one.
package struct ListPage<Element> {
    private let elements: ArraySlice<Element>
    private let hasNext: Bool

    /// - Parameter find: is asked for one more than a page has, which shows whether there is another page.
    package static func read<Failure: Error>(
        _ limit: Int,
        _ find: (_ count: Int) async throws(Failure) -> [Element]
    ) async throws(Failure) -> ListPage {
        let found = try await find(limit + 1)
        return ListPage(elements: found.prefix(limit), hasNext: found.count > limit)
    }

    /// `{"NAME":[…],"next":…}`.
    ///
    /// - Parameter next: where the next page begins after an element.
    package func json(
        _ name: String,
        next: (Element) -> String,
        _ write: (Element, inout JSONWriter) -> Void
    ) -> String {
        var json = JSONWriter()
        json.object { json in
            json.key(name)
            json.array { json in
                for element in elements { write(element, &json) }
            }
            json.member("next", hasNext ? elements.last.map(next) : nil)
        }
        return json.text
    }
}
