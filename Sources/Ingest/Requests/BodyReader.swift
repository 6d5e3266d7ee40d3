import HummingbirdCore
import NIOCore

/// Reads a request's body whole, inflated, within its limits.
struct BodyReader {
    let limits: IngestLimits
    let encoding: ContentEncoding
    /// `Content-Length`; nil for a chunked body.
    let announcedBytes: Int?
    /// Grows with what is read and inflated beyond what was announced.
    let ticket: AdmissionTicket

    func read(_ body: RequestBody) async throws(Problem) -> ByteBuffer {
        let inflater = try makeInflater()
        var plain = ByteBuffer()
        var total = 0
        var pieces = body.makeAsyncIterator()
        while let piece = try await next(&pieces) {
            total += piece.readableBytes
            guard total <= limits.bodyBytes else { throw .bodyTooLarge(limits) }
            if let inflater {
                do throws(GzipInflater.Failure) {
                    try inflater.append(piece)
                } catch {
                    throw problem(error)
                }
                try ticket.cover(max(total, announcedBytes ?? 0) + inflater.output.readableBytes)
            } else {
                try ticket.cover(total)
                if plain.readableBytes == 0 {
                    plain = piece
                } else {
                    plain.reserveCapacity(announcedBytes ?? 0)
                    plain.writeImmutableBuffer(piece)
                }
            }
        }
        // The stream of parts also ends, without an error, where a connection is lost.
        if let announcedBytes, total != announcedBytes { throw RequestInterruption.truncated.problem }
        guard let inflater else { return plain }
        do throws(GzipInflater.Failure) {
            try inflater.finish()
        } catch {
            throw problem(error)
        }
        return inflater.output
    }

    private func makeInflater() throws(Problem) -> GzipInflater? {
        guard encoding == .gzip else { return nil }
        do throws(GzipInflater.Failure) {
            return try GzipInflater(limit: limits.inflatedBodyBytes)
        } catch {
            throw problem(error)
        }
    }

    private func next(_ pieces: inout RequestBody.AsyncIterator) async throws(Problem) -> ByteBuffer? {
        do {
            return try await pieces.next()
        } catch let interruption as RequestInterruption {
            throw interruption.problem
        } catch {
            throw RequestInterruption.truncated.problem
        }
    }

    private func problem(_ failure: GzipInflater.Failure) -> Problem {
        switch failure {
        case .malformed:
            Problem(.malformedEncoding, "The body is not gzip (RFC 1952).", field: "Content-Encoding")
        case .tooLarge:
            Problem(.inflatedBodyTooLarge, "A body has at most \(limits.inflatedBodyBytes) bytes once decompressed.")
        }
    }
}

extension Problem {
    static func bodyTooLarge(_ limits: IngestLimits) -> Problem {
        Problem(.bodyTooLarge, "A body has at most \(limits.bodyBytes) bytes.")
    }
}
