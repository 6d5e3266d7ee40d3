import JSONReading

/// Reads the callbacks of the dialogs that publish a story (docs/feed-posts.md, *Callbacks*). Pure; accepts any text.
package enum FeedPostReader {
    /// Reads a callback.
    ///
    /// - Parameters:
    ///   - url: the URL that the dialog called, as received.
    ///   - dialog: the dialog that called. A success without a post id means different things in the two.
    package static func read(_ url: String, dialog: FeedPostReading.Dialog) -> FeedPostReading {
        // Redacted before it is decoded: decoding removes the delimiters that show where a secret ends.
        let redacted = Redaction.redact(url)
        let parts = URLParts(redacted)
        var reading = FeedPostReading(kind: .invalid, redactedURL: redacted)
        guard isCallback(parts), !parts.bytes.contains(0) else { return reading }
        let answer = DialogAnswer(parts)
        if answer.isAppRequest {
            reading.kind = .notAFeedPost
            return reading
        }
        guard answer.isReadable else { return reading }

        reading.kind = .feedPost
        reading.outcome = outcome(of: answer, dialog: dialog)
        reading.errorCode = answer.errorCode
        reading.errorMessage = answer.errorMessage.map { Redaction.redact($0) }
        if reading.outcome == .posted { reading.postID = answer.postID.map { Redaction.redact($0) } }
        return reading
    }

    private static func isCallback(_ parts: URLParts) -> Bool {
        parts.schemeIs("fbconnect") || parts.schemeIs("http") || parts.schemeIs("https") || parts.appIDDigits != nil
    }

    /// The outcome by the rows 4–12 of the table in docs/feed-posts.md, *Callbacks*. The first row that applies wins.
    private static func outcome(of answer: DialogAnswer, dialog: FeedPostReading.Dialog) -> PostOutcome {
        if answer.hasBridgeError { return answer.errorCode == DialogAnswer.cancelled ? .cancelled : .failed }
        if answer.errorCode == DialogAnswer.cancelled || answer.deniesAccess { return .cancelled }
        if answer.hasError { return .failed }
        if answer.isCancelHost { return .cancelled }
        switch answer.gesture {
        case "cancel": return .cancelled
        case nil, "post": break
        default: return .failed
        }
        if answer.postID != nil { return .posted }
        return dialog == .feed ? .cancelled : .unconfirmed
    }
}
