/// A part of a ``LinkTable``: encoded links one after the other, and where each begins.
struct LinkShard: Sendable {
    private struct Entry {
        var hash: UInt32
        var offset: UInt32
    }

    private var bytes: [UInt8] = []
    /// Ordered by hash.
    private var entries: [Entry] = []

    var byteCount: Int { bytes.capacity + entries.capacity * MemoryLayout<Entry>.stride }

    func link(host: String, slug: String, hash: UInt32) -> Link? {
        var other: Link?
        var others = 0
        for entry in entries[range(of: hash)] {
            let link = LinkRecord.link(in: bytes, at: Int(entry.offset))
            guard link.host == host, Slug.folded(link.slug).isIdentical(to: Slug.folded(slug)) else { continue }
            if link.slug.isIdentical(to: slug) { return link }
            other = link
            others += 1
        }
        return others == 1 ? other : nil
    }

    func forEach(_ body: (Link) throws -> Void) rethrows {
        for entry in entries { try body(LinkRecord.link(in: bytes, at: Int(entry.offset))) }
    }

    /// - Returns: whether it has replaced another.
    mutating func set(_ link: Link, hash: UInt32) -> Bool {
        let replaces = remove(host: link.host, slug: link.slug, hash: hash)
        let record = LinkRecord.bytes(of: link)
        // Arrays double when they grow, which would waste a third of the memory of a large table.
        if bytes.capacity < bytes.count + record.count {
            bytes.reserveCapacity(bytes.count + record.count + bytes.count / 16)
        }
        if entries.capacity == entries.count { entries.reserveCapacity(entries.count + 1 + entries.count / 16) }
        entries.insert(Entry(hash: hash, offset: UInt32(bytes.count)), at: range(of: hash).upperBound)
        bytes += record
        return replaces
    }

    /// - Returns: whether there was one.
    mutating func remove(host: String, slug: String, hash: UInt32) -> Bool {
        let found = entries[range(of: hash)].indices.first { index in
            let link = LinkRecord.link(in: bytes, at: Int(entries[index].offset))
            return link.host == host && link.slug.isIdentical(to: slug)
        }
        guard let found else { return false }
        let start = Int(entries[found].offset)
        let end = LinkRecord.end(in: bytes, at: start)
        bytes.removeSubrange(start..<end)
        entries.remove(at: found)
        for index in entries.indices where entries[index].offset > start {
            entries[index].offset -= UInt32(end - start)
        }
        return true
    }

    /// The entries with this hash, or where one would be inserted.
    private func range(of hash: UInt32) -> Range<Int> {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].hash < hash { low = middle + 1 } else { high = middle }
        }
        var end = low
        while end < entries.count, entries[end].hash == hash { end += 1 }
        return low..<end
    }
}

extension String {
    /// Byte by byte. Swift's `==` takes two spellings of `é` as equal.
    func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
