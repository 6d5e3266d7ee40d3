import Cryptography
import Events
import Time

/// Encodes submissions for the spool. A request is sealed: a byte that says so, the first 16 bytes of the SHA-256 of
/// what follows, and the encoded submission. Version 0.1.0 wrote the encoded submission alone.
enum SubmissionCoding {
    enum Failure: Error {
        case notASubmission
        /// The bytes are not those that were sealed.
        case damaged
    }

    private static let version: UInt8 = 1
    /// It differs from `version` in two bits, and no later version may begin with `version` again.
    private static let seal: UInt8 = 2
    private static let sumLength = 16

    static func encode(_ submission: Submission) -> [UInt8] {
        var bytes = [seal] + [UInt8](repeating: 0, count: sumLength)
        appendBody(submission, to: &bytes)
        bytes.replaceSubrange(1...sumLength, with: sum(bytes[(1 + sumLength)...]))
        return bytes
    }

    /// Whether the bytes are a sealed request, unchanged. A later version may have encoded it.
    static func isSealed(_ bytes: [UInt8]) -> Bool {
        bytes.first == seal && bytes.count > sumLength && bytes[1...sumLength].elementsEqual(sum(body(of: bytes)))
    }

    private static func sum(_ body: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        SHA256.hash(body).prefix(sumLength)
    }

    private static func body(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.first == seal ? bytes.dropFirst(1 + sumLength) : bytes[...]
    }

    private static func appendBody(_ submission: Submission, to bytes: inout [UInt8]) {
        bytes.append(version)
        append(UInt64(submission.appNumber), to: &bytes)
        append(submission.keyPrefix, to: &bytes)
        append(UInt64(bitPattern: submission.receivedAt.microseconds), to: &bytes)
        append(UInt64(submission.events.count), to: &bytes)
        for event in submission.events {
            append(EventCoding.encode(event), to: &bytes)
        }
        append(UInt64(submission.rejections.count), to: &bytes)
        for rejection in submission.rejections {
            append(UInt64(rejection.index), to: &bytes)
            append(rejection.eventID ?? "", to: &bytes)
            append(rejection.code.rawValue, to: &bytes)
            append(rejection.field ?? "", to: &bytes)
            append(rejection.message, to: &bytes)
            append(rejection.redactedEvent, to: &bytes)
        }
    }

    static func decode(_ bytes: [UInt8]) throws -> Submission {
        if bytes.first == seal, !isSealed(bytes) { throw Failure.damaged }
        var rest = body(of: bytes)
        guard rest.popFirst() == version else { throw Failure.notASubmission }
        let app = try integer(&rest)
        let prefix = try text(&rest)
        let receivedAt = Timestamp(microseconds: Int64(bitPattern: try integer(&rest)))
        var submission = Submission(
            appNumber: Int32(truncatingIfNeeded: app),
            keyPrefix: prefix,
            receivedAt: receivedAt,
            events: []
        )
        for _ in 0..<(try integer(&rest)) {
            submission.events.append(try EventCoding.decode(try stretch(&rest)))
        }
        for _ in 0..<(try integer(&rest)) {
            let index = Int(truncatingIfNeeded: try integer(&rest))
            let eventID = try text(&rest)
            guard let code = Rejection.Code(rawValue: try text(&rest)) else { throw Failure.notASubmission }
            let field = try text(&rest)
            submission.rejections.append(
                Rejection(
                    index: index,
                    eventID: eventID.isEmpty ? nil : eventID,
                    code: code,
                    field: field.isEmpty ? nil : field,
                    message: try text(&rest),
                    redactedEvent: try text(&rest)
                )
            )
        }
        guard rest.isEmpty else { throw Failure.notASubmission }
        return submission
    }

    /// A request without events. It takes the place of one that was deleted, so that no position is missing.
    static let nothing = encode(
        Submission(appNumber: 0, keyPrefix: "", receivedAt: Timestamp(microseconds: 0), events: [])
    )

    /// The app of a request, even if the rest of it cannot be read; nil if the app's number cannot be read either.
    static func appNumber(in bytes: [UInt8]) -> Int32? {
        var rest = body(of: bytes)
        guard rest.popFirst() == version, let number = try? integer(&rest) else { return nil }
        return Int32(exactly: number)
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ stretch: [UInt8], to bytes: inout [UInt8]) {
        append(UInt64(stretch.count), to: &bytes)
        bytes.append(contentsOf: stretch)
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(Array(text.utf8), to: &bytes)
    }

    private static func integer(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
        guard rest.count >= 8 else { throw Failure.notASubmission }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func stretch(_ rest: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        let count = try integer(&rest)
        guard count <= UInt64(rest.count) else { throw Failure.notASubmission }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    private static func text(_ rest: inout ArraySlice<UInt8>) throws -> String {
        String(decoding: try stretch(&rest), as: UTF8.self)
    }
}
