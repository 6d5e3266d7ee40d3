import Foundation

/// What is in the file. Events are JSON texts: they are sent as they were written, again and again.
struct StoredState: Decodable {
    struct Event: Decodable, Hashable {
        private enum CodingKeys: CodingKey { case id, json }

        /// As it stands in the file. It is encoded once, since the file is written for each event, and nothing else is
        /// kept of it: a thousand may wait.
        let encoded: String

        init(id: String, json: String) {
            encoded = String(decoding: (try? JSONEncoder().encode(["id": id, "json": json])) ?? Data(), as: UTF8.self)
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            let json = try fields.decode(String.self, forKey: .json)
            self.init(id: try fields.decode(String.self, forKey: .id), json: json)
        }

        /// What is sent.
        var json: String {
            (try? JSONDecoder().decode([String: String].self, from: Data(encoded.utf8)))?["json"] ?? ""
        }
    }

    private struct Head: Encodable {
        var deviceID: String
        var hasInstall: Bool
        var clickID: String?
    }

    var deviceID: String
    var hasInstall: Bool
    /// Of the tap that led to the installation; the next event but a link tells it.
    var clickID: String?
    var events: [Event]

    /// The file.
    var data: Data {
        guard var data = try? JSONEncoder().encode(Head(deviceID: deviceID, hasInstall: hasInstall, clickID: clickID))
        else { return Data() }
        data.removeLast()
        data += Data(#","events":["#.utf8)
        for (place, event) in events.enumerated() {
            if place > 0 { data += Data(",".utf8) }
            data.append(contentsOf: event.encoded.utf8)
        }
        return data + Data("]}".utf8)
    }
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
        write(state.data, to: file)
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
