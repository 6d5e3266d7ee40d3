/// An array in pages of one length. It grows page by page, so no copy of all elements is ever there beside it.
struct PagedArray<Element>: RandomAccessCollection {
    static var pageLength: Int { 4_096 }

    private var pages: [[Element]] = []
    private(set) var count = 0

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(position: Int) -> Element {
        get { pages[position / Self.pageLength][position % Self.pageLength] }
        set { pages[position / Self.pageLength][position % Self.pageLength] = newValue }
    }

    mutating func append(_ element: Element) {
        if count.isMultiple(of: Self.pageLength) {
            var page: [Element] = []
            // Short arrays, of which there may be many, take no whole page.
            if count > 0 { page.reserveCapacity(Self.pageLength) }
            pages.append(page)
        }
        pages[pages.count - 1].append(element)
        count += 1
    }

    mutating func append(contentsOf elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    /// The memory of the elements, in bytes. The rest of the last page was never used and takes none.
    var heldSize: Int { count * MemoryLayout<Element>.stride }
}
