package import Redirects
package import Storage

/// Stores the links of files. A link that is stored already with the same fields is skipped, so an import that was
/// interrupted can simply be repeated.
package struct LinkImporter {
    /// What an import reports while it runs.
    package enum Notice {
        /// The share of all files that is done; nil if the size is not known.
        case progress(links: Int, fraction: Double?)
        case wrong(file: String, line: Int, fault: LinkFault)
        case isEmpty(file: String)
        /// Columns of another service's file that are not read.
        case unread(file: String, columns: [String])
        /// From this line on, times of creation are in a form that is not read.
        case unreadTime(file: String, line: Int)
        /// Links of another service name a setting that the app does not have.
        case setting(LinkAppSetting)
    }

    /// How many links of all files were stored, were there already, or were wrong.
    package struct Tally: Sendable {
        package var created = 0
        package var skipped = 0
        package var wrong = 0
        package var emptyFiles = 0
    }

    /// Links in one transaction.
    private static let batchSize = 1_000
    private static let startBytes = 64 << 10

    private let app: App
    private let store: LinkStore
    private let host: String?
    private let reading: LinkReading
    private let tell: (Notice) -> Void
    private var settings: Set<LinkAppSetting> = []
    package private(set) var tally = Tally()

    /// - Parameters:
    ///   - host: the host of all links, whatever the files say; nil: as they say.
    ///   - readCell: undoes what CSV does to texts that a spreadsheet would run.
    ///   - tell: gets the notices of the import.
    package init(
        app: App,
        store: LinkStore,
        host: String?,
        readCell: @escaping @Sendable (String) -> String,
        tell: @escaping (Notice) -> Void
    ) {
        self.app = app
        self.store = store
        self.host = host
        reading = LinkReading(app: app.linkApp, hosts: app.profile.linkHosts, readCell: readCell)
        self.tell = tell
    }

    /// Imports files, one after the other; `-` is standard input.
    ///
    /// - Throws: `ImportError`, `PostgresError`. Links that were stored before stay.
    package mutating func run(_ paths: [String]) async throws {
        // Open all files first, so that a missing one stops the import before it begins.
        for path in paths where path != "-" { _ = try ImportInput(path: path) }
        for path in paths { try await importFile(path) }
    }

    private mutating func importFile(_ path: String) async throws {
        let input = try ImportInput(path: path)
        let file = input.name
        let content = try LinkContent(start: try input.start(Self.startBytes), file: file) { columns in
            tell(.unread(file: file, columns: columns))
        }
        guard var content else {
            tally.emptyFiles += 1
            return tell(.isEmpty(file: file))
        }
        var batch: [(line: Int, link: Link)] = []
        var isAtEnd = false
        var hasUnreadTime = false
        while !isAtEnd {
            if let piece = try input.next() {
                try content.append(piece, file: file)
            } else {
                try content.finish(file: file)
                isAtEnd = true
            }
            while let record = try content.next(reading) {
                switch record.links {
                case .failure(let fault): wrong(fault, file, record.line)
                case .success(let read):
                    batch += read.links.map { (record.line, $0) }
                    if read.hasUnreadTime, !hasUnreadTime {
                        hasUnreadTime = true
                        tell(.unreadTime(file: file, line: record.line))
                    }
                    for setting in read.settings where settings.insert(setting).inserted { tell(.setting(setting)) }
                }
                if batch.count >= Self.batchSize {
                    try await store(&batch, file)
                    showProgress(input)
                }
            }
        }
        try await store(&batch, file)
    }

    private mutating func store(_ batch: inout [(line: Int, link: Link)], _ file: String) async throws {
        let links = batch.map { line, link in
            var link = link
            if let host { link.host = host }
            return link
        }
        let results = try await store.create(links, of: app, reuse: true)
        for (result, item) in zip(results, batch) {
            switch result {
            case .created: tally.created += 1
            case .reused: tally.skipped += 1
            case .faults(let faults):
                if let fault = faults.first { wrong(fault, file, item.line) }
            }
        }
        batch.removeAll()
    }

    private mutating func wrong(_ fault: LinkFault, _ file: String, _ line: Int) {
        tally.wrong += 1
        tell(.wrong(file: file, line: line, fault: fault))
    }

    private func showProgress(_ input: ImportInput) {
        let done = tally.created + tally.skipped + tally.wrong
        tell(.progress(links: done, fraction: input.size.map { Double(input.bytesRead) / Double(max($0, 1)) }))
    }
}
