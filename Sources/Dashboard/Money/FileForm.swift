import HTTPTypes
import HummingbirdCore
import Ingest
import NIOCore
import Storage
import Synchronization

/// A form with a file, or with the file's lines pasted into it.
struct FileForm {
    private static let fileField = "file"
    private static let textField = "lines"
    /// The longest pasted text that the form shows again, in bytes.
    private static let shownLimit = 64 << 10

    /// All but the file.
    let fields: FormFields
    /// The file, else the lines.
    let content: [UInt8]
    /// The lines, for the form when it is shown again.
    var shownText: String { fields[Self.textField].flatMap { $0.utf8.count <= Self.shownLimit ? $0 : nil } ?? "" }

    init() {
        fields = FormFields()
        content = []
    }

    /// - Parameter contentType: of the form; nil or any but `multipart/form-data`: a form without a file.
    init(_ body: ByteBuffer, contentType: String?) throws(DashboardFailure) {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data") else {
            fields = try FormFields(String(buffer: body)).withPlainLines
            content = Array((fields[Self.textField] ?? "").utf8)
            return
        }
        guard let form = MultipartForm(Array(buffer: body), contentType: contentType) else {
            throw .badForm(.incompleteBody)
        }
        fields =
            FormFields(
                form.parts.filter { !$0.isFile }.map { ($0.name, String(decoding: $0.content, as: UTF8.self)) }
            ).withPlainLines
        let file = form.parts.first { $0.isFile && $0.name == Self.fileField && !$0.content.isEmpty }
        content = file.map { Array($0.content) } ?? Array((fields[Self.textField] ?? "").utf8)
    }
}

extension Dashboard {
    /// What a form with a file may have beside it, in bytes, also if its lines are pasted and encoded.
    private static let formMargin = 64 << 10

    /// - Parameter limit: of the file, in bytes.
    func fileForm(_ request: Request, upTo limit: Int) async throws(DashboardFailure) -> FileForm {
        let body: ByteBuffer
        do throws(Problem) {
            body = try await request.collected(upTo: limit + Self.formMargin)
        } catch {
            if error.code == .bodyTooLarge {
                throw .invalid("The file is larger than \(limit >> 20) MiB. Divide it, or import it on the server.")
            }
            throw .badForm(error.code)
        }
        return try FileForm(body, contentType: request.headers[.contentType])
    }
}

/// Lets few files be read at once: each is held several times over, and so sessions cannot exhaust the memory.
final class ImportRoom: Sendable {
    /// For each app, so that slow senders of one keep no other out; and for all together.
    private static let (places, allPlaces) = (2, 16)
    private let taken = Mutex<[String: Int]>([:])

    /// - Throws: `DashboardFailure.overloaded` if there is no place.
    func enter(_ app: App) throws(DashboardFailure) {
        let isIn = taken.withLock { taken in
            let own = taken[app.profile.id, default: 0]
            guard own < Self.places, taken.values.reduce(0, +) < Self.allPlaces else { return false }
            taken[app.profile.id] = own + 1
            return true
        }
        if !isIn { throw .overloaded("Other files are being imported. Try again in a moment.") }
    }

    func leave(_ app: App) {
        taken.withLock { taken in
            let own = taken[app.profile.id, default: 1]
            taken[app.profile.id] = own > 1 ? own - 1 : nil
        }
    }
}
