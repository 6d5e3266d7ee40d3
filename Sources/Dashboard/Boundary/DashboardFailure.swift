package import Ingest

/// Why a view has no figures.
package enum DashboardFailure: Error, Equatable, Sendable {
    /// A parameter in the URL is wrong. The sentence says which and why, for the person at the browser.
    case invalid(String)
    /// The one who asks may not see it, for the reason of the sentence.
    case forbidden(String)
    /// Too many ask at once, as the sentence says.
    case overloaded(String)
    /// A form did not arrive as a whole.
    case badForm(ProblemCode)
    /// The database is away.
    case unavailable
    case timedOut
    /// The report waited in vain for a lock of somebody else.
    ///
    /// - Parameter holder: who has it, and on what; nil if that is not known.
    case busy(holder: String?)
    /// Something that nobody has foreseen. The log says what.
    case internalError
}

extension DashboardFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalid(let message), .forbidden(let message), .overloaded(let message): message
        case .badForm(.bodyTooLarge): "The form is too large."
        case .badForm(.requestTimeout): "The form took too long to arrive. Send it again."
        case .badForm: "The form did not arrive as a whole. Send it again."
        case .unavailable: "The database is away. Try again in a moment; Live shows what still arrives."
        case .busy(let holder):
            "The database is busy with \(holder ?? "a change of its tables"), so the report could not begin. "
                + "Try again in a moment."
        case .timedOut: "The report took too long. Choose a shorter range."
        case .internalError:
            "The daemon failed to answer. Its log says why\(CurrentRequest.id.map { ", at the request \($0)" } ?? "")."
        }
    }

    /// Whether the same request may be answered later.
    var mayPass: Bool {
        switch self {
        case .invalid, .forbidden, .badForm, .internalError: false
        case .overloaded, .unavailable, .timedOut, .busy: true
        }
    }
}

extension DashboardFailure {
    /// Why a key could not be looked up.
    init(_ error: SinkError) {
        switch error {
        case .unavailable, .overloaded, .timedOut: self = .unavailable
        case .internalError: self = .internalError
        }
    }
}
