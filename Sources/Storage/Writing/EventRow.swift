import Cryptography
import Events
import Postgres
import Time

/// An event as a row of the table `event`, in PostgreSQL's binary format.
enum EventRow {
    static let copyStatement = """
        copy event (app_number, \((eventColumns + partColumns).map(\.name).joined(separator: ", ")), transaction_number)
        from stdin (format binary)
        """
    private static let fieldCount = eventColumns.count + partColumns.count + 2

    private static let eventColumns = EventColumn.all.filter { $0.event != nil }
    /// What touches, posts and so on have. Each event has values in a few of them.
    private static let partColumns = EventColumn.all.filter { $0.event == nil }

    /// Appends the event. The last field, the transaction's number, is 0: ``EventRows`` fills it in.
    static func append(_ event: Event, app: Int32, to data: PostgresCopyData) {
        data.beginRow(fields: fieldCount)
        data.append(int32: app)
        eventFields.append(event, to: data)
        switch event.content {
        case .inboundLink(let touch), .linkClick(let touch): touchFields.append(touch, to: data)
        case .feedPost(let post): postFields.append(post, to: data)
        case .install(let install):
            if let touch = install.link {
                linkedInstallFields.append(LinkedInstall(install: install, touch: touch), to: data)
            } else {
                installFields.append(install, to: data)
            }
        case .authentication(let login): loginFields.append(login, to: data)
        case .conversion(let conversion): conversionFields.append(conversion, to: data)
        case .appOpen: bareFields.append((), to: data)
        }
        data.append(int64: 0)
    }

    private static let eventFields = FieldWriter(eventColumns, \.event)
    private static let touchFields = FieldWriter(partColumns, \.touch)
    private static let postFields = FieldWriter(partColumns, \.post)
    private static let loginFields = FieldWriter(partColumns, \.login)
    private static let installFields = FieldWriter(partColumns, \.install)
    private static let conversionFields = FieldWriter(partColumns, \.conversion)
    /// Of an event that is its type alone.
    private static let bareFields = FieldWriter<Void>(partColumns) { _ in nil }
    private static let linkedInstallFields = FieldWriter(partColumns, linkedSource)

    private static func linkedSource(_ column: EventColumn) -> EventColumn.Source<LinkedInstall>? {
        column.install?.part { $0.install } ?? column.touch?.part { $0.touch }
    }

    private struct LinkedInstall {
        let install: Install
        let touch: Touch
    }

    /// The first half of a SHA-256: short, and wide enough that two links of an app do not collide by chance.
    static func storyKey(_ link: String) -> (high: UInt64, low: UInt64) {
        SHA256.hash(link.utf8).withUnsafeBytes { digest in
            (
                UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}

/// Writes what a part of an event has in some columns.
private struct FieldWriter<Part>: Sendable {
    private enum Step {
        case value(EventColumn.Source<Part>)
        case nulls(Int)
    }

    private var steps: [Step] = []

    init(_ columns: [EventColumn], _ source: (EventColumn) -> EventColumn.Source<Part>?) {
        for column in columns {
            if let source = source(column) {
                steps.append(.value(Self.stored(source, unless: column.unstored)))
            } else if case .nulls(let count)? = steps.last {
                steps[steps.count - 1] = .nulls(count + 1)
            } else {
                steps.append(.nulls(1))
            }
        }
    }

    private static func stored(
        _ source: EventColumn.Source<Part>,
        unless unstored: String?
    ) -> EventColumn.Source<Part> {
        guard let unstored, case .label(let label) = source else { return source }
        return .label { part in label(part).flatMap { $0 == unstored ? nil : $0 } }
    }

    func append(_ part: Part, to data: PostgresCopyData) {
        for step in steps {
            switch step {
            case .nulls(let count): data.appendNulls(count)
            case .value(.text(let value)): data.append(text: value(part))
            case .value(.label(let value)): data.append(enumLabel: value(part))
            case .value(.list(let value)): data.append(textArray: value(part))
            case .value(.flag(let value)): data.append(bool: value(part))
            case .value(.time(let value)): data.append(timestamp: value(part)?.microseconds)
            case .value(.integer(let value)): data.append(int64: value(part))
            case .value(.smallInteger(let value)): data.append(int16: value(part))
            case .value(.decimal(let value)): data.append(numericMillionths: value(part)?.millionths)
            case .value(.uuid(let value)): data.append(uuid: value(part))
            case .value(.json(let value)): data.append(jsonb: value(part))
            }
        }
    }
}

extension EventColumn.Source {
    /// What a whole has in the column by one of its parts.
    fileprivate func part<Whole>(_ part: @escaping @Sendable (Whole) -> Part) -> EventColumn.Source<Whole> {
        switch self {
        case .text(let value): .text { value(part($0)) }
        case .label(let value): .label { value(part($0)) }
        case .list(let value): .list { value(part($0)) }
        case .flag(let value): .flag { value(part($0)) }
        case .time(let value): .time { value(part($0)) }
        case .integer(let value): .integer { value(part($0)) }
        case .smallInteger(let value): .smallInteger { value(part($0)) }
        case .decimal(let value): .decimal { value(part($0)) }
        case .uuid(let value): .uuid { value(part($0)) }
        case .json(let value): .json { value(part($0)) }
        }
    }
}
