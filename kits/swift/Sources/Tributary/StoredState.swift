import Foundation

/// What is in the file. Events are JSON texts: they are sent as they were written, again and again.
struct StoredState: Codable {
    struct Event: Codable, Hashable {
        var id: String
        var json: String
    }

    var deviceID: String
    var hasInstall: Bool
    /// Of the tap that led to the installation; the next event but a link tells it.
    var clickID: String?
    var events: [Event] = []
}

/// The file of an installation, and the mark that is left of it without consent.
struct StateFile: Sendable {
    enum Content {
        case state(StoredState)
        case missing
        case damaged
        /// It is there and cannot be read: before the first unlock after a start of the phone.
        case locked
    }

    private let file: URL
    /// An empty file: the install was told. It names nobody.
    private let mark: URL

    init(folder: URL) {
        file = folder.appendingPathComponent("tributary.json")
        mark = folder.appendingPathComponent("tributary.installed")
    }

    var isMarked: Bool { FileManager.default.fileExists(atPath: mark.path) }

    func read() -> Content {
        do {
            let data = try Data(contentsOf: file)
            return (try? JSONDecoder().decode(StoredState.self, from: data)).map(Content.state) ?? .damaged
        } catch CocoaError.fileReadNoSuchFile {
            return .missing
        } catch {
            return .locked
        }
    }

    func write(_ state: StoredState) {
        if let data = try? JSONEncoder().encode(state) { write(data, to: file) }
    }

    func remove(marking hasInstall: Bool) {
        if hasInstall { write(Data(), to: mark) }
        try? FileManager.default.removeItem(at: file)
    }

    private func write(_ data: Data, to file: URL) {
        let folder = file.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? data.write(to: file, options: .atomic)
        #if canImport(Darwin)
            // A new phone is a new installation, also if it gets the old one's backup.
            var (file, values) = (file, URLResourceValues())
            values.isExcludedFromBackup = true
            try? file.setResourceValues(values)
        #endif
    }
}
