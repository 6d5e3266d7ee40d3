import Gzip
import NIOCore

/// Collects a request's body, inflated, within its limits.
struct BodyReader {
    /// The room of the request. It grows as bytes are read and inflated.
    let ticket: AdmissionTicket

    private let limits: IngestLimits
    private let inflated: InflatedBody?
    private var plain = ByteBuffer()
    private var total = 0

    init(limits: IngestLimits, encoding: ContentEncoding, ticket: AdmissionTicket) throws(Problem) {
        self.limits = limits
        self.ticket = ticket
        switch encoding {
        case .identity:
            inflated = nil
        case .gzip:
            do throws(GzipInflater.Failure) {
                inflated = try InflatedBody(limit: limits.inflatedBodyBytes)
            } catch {
                throw Problem(error, limits)
            }
        }
    }

    mutating func append(_ piece: ByteBuffer) throws(Problem) {
        total += piece.readableBytes
        guard total <= limits.bodyBytes else { throw .bodyTooLarge(limits) }
        if let inflated {
            do throws(GzipInflater.Failure) {
                try inflated.append(piece)
            } catch {
                throw Problem(error, limits)
            }
            // Of what was sent, nothing is kept.
            try ticket.cover(max(InflatedBody.stateBytes, inflated.output.readableBytes))
        } else {
            try ticket.cover(total)
            if plain.readableBytes == 0 {
                plain = piece
            } else {
                plain.writeImmutableBuffer(piece)
            }
        }
    }

    /// The complete body. Call it after the last piece.
    func finish() throws(Problem) -> ByteBuffer {
        guard let inflated else { return plain }
        do throws(GzipInflater.Failure) {
            try inflated.finish()
        } catch {
            throw Problem(error, limits)
        }
        return inflated.output
    }
}

extension Problem {
    static func bodyTooLarge(_ limits: IngestLimits) -> Problem {
        Problem(.bodyTooLarge, "The body is larger than \(limits.bodyBytes) bytes; send smaller batches.")
    }

    fileprivate init(_ failure: GzipInflater.Failure, _ limits: IngestLimits) {
        switch failure {
        case .malformed:
            self.init(
                .malformedEncoding,
                "The body is not valid gzip (RFC 1952), as Content-Encoding says.",
                field: "Content-Encoding"
            )
        case .tooLarge:
            self.init(
                .inflatedBodyTooLarge,
                "The decompressed body is larger than \(limits.inflatedBodyBytes) bytes; send smaller batches."
            )
        }
    }
}
