import Time

/// The valid keys as of one reading.
struct KeyTable: Sendable {
    struct Entry: Sendable {
        let key: ValidKey
        let use: KeyUse
    }

    /// Entries by the first eight bytes of the hash, which reveal nothing useful about a key. The whole hash is
    /// compared in constant time.
    private let buckets: [UInt64: [Entry]]
    /// Those that web pages may use.
    private let ofPages: [Entry]
    /// An unknown key is compared with this, so that it takes as long as a known key.
    private static let decoys = [
        Entry(
            key: ValidKey(
                hash: (0..<32).map { _ in .random(in: .min ... .max) },
                holder: KeyHolder(appNumber: 0, appID: "", scope: .read, keyPrefix: ""),
                expiresAt: .min
            ),
            use: KeyUse()
        )
    ]

    /// - Parameter former: the previous table, whose records of use are kept.
    init(_ keys: [ValidKey], after former: KeyTable? = nil) {
        var uses: [[UInt8]: KeyUse] = [:]
        for entry in former?.entries ?? [] { uses[entry.key.hash] = entry.use }
        buckets = Dictionary(
            // A hash of another length is no SHA-256. A shorter one would match every hash that begins with it.
            grouping: keys.filter { $0.hash.count == 32 }.map { Entry(key: $0, use: uses[$0.hash] ?? KeyUse()) }
        ) { Self.bucket($0.key.hash) }
        ofPages = buckets.values.flatMap(\.self).filter { !$0.key.holder.origins.isEmpty }
    }

    var entries: [Entry] { buckets.values.flatMap(\.self) }

    func holdsTheSame(as other: KeyTable) -> Bool {
        buckets.mapValues { $0.map(\.key) } == other.buckets.mapValues { $0.map(\.key) }
    }

    func entry(of hash: [UInt8]) -> Entry? {
        var found: Entry?
        let bucket = buckets[Self.bucket(hash)]
        for entry in bucket ?? Self.decoys {
            var difference: UInt8 = 0
            for (first, second) in zip(entry.key.hash, hash) { difference |= first ^ second }
            if difference == 0 { found = entry }
        }
        return bucket == nil ? nil : found
    }

    /// A key that pages of an origin may use.
    func entry(ofOrigin origin: String, at now: Timestamp) -> Entry? {
        ofPages.first { $0.key.holder.origins.contains(origin) && !$0.key.isExpired(at: now) }
    }

    private static func bucket(_ hash: [UInt8]) -> UInt64 {
        var bucket: UInt64 = 0
        for byte in hash.prefix(8) { bucket = bucket << 8 | UInt64(byte) }
        return bucket
    }
}
