import Foundation
import InboundLinks
import JSONReading
package import Storage
import Text
package import Time

/// What is sent of a question about one period, before it is packed for its target.
package struct SentAnswer: Sendable {
    package var subject: String
    /// For people: the table with its range, warnings and notes, or what a watch found. Characters that turn the
    /// direction of writing are shown as `\u202e`.
    package var text: String
    /// The same as ``text`` for mail programs; nil for a watch.
    package var html: String?
    /// The CSV of each question; none if only the text was asked for.
    package var files: [(name: String, content: String)] = []
    /// The app's id: a folder of its own, so that no app writes a file of another one.
    package var folder: String
    /// Without an extension, the same whenever the same is sent again, and never of anything else in ``folder``:
    /// `weekly-2026-11-23-2026-11-29`; of a watch `weekly.installs.7-story_links-2026-11-23-2026-11-29`.
    package var fileStem: String
    /// One JSON object, for programs.
    package var json: String
    /// One JSON object, for Slack's incoming webhooks and chats that take the same.
    package var chatJSON: String

    /// What a reader should know beside the figures.
    package struct Remarks: Sendable {
        /// That history is being read again, or as of when a standby answered.
        package var notices: [String]
        package var freshness: String?
        package var notes: [Note]

        package init(notices: [String], freshness: String?, notes: [Note]) {
            self.notices = notices
            self.freshness = freshness
            self.notes = notes
        }
    }

    /// Where receivers see the answer.
    package enum Page: Sendable {
        /// For people who sign in.
        case dashboard(String)
        /// For whoever has the address.
        case shared(String, until: CivilDate)

        var address: String {
            switch self {
            case .dashboard(let address), .shared(let address, _): address
            }
        }

        /// The words of a link.
        var words: String {
            switch self {
            case .dashboard: "Open it in the dashboard"
            case .shared(_, let day): "Open it (until \(day))"
            }
        }

        /// Where there are no links.
        var lines: String {
            switch self {
            case .dashboard(let address): address
            case .shared(let address, let day): "\(address)\nThe page is there until \(day).\n"
            }
        }
    }

    /// The answer to a question, or the answers to those of a board.
    ///
    /// - Parameters:
    ///   - parts: of a question one, with its result.
    ///   - days: the end is the day after the last one.
    ///   - page: nil if the address of the dashboard is not known.
    package init(
        _ parts: [AnsweredPart],
        of question: SavedQuestion,
        about days: (from: CivilDate, to: CivilDate),
        in zone: ReportTimeZone,
        app: App,
        by schedule: QuestionSchedule,
        page: Page? = nil,
        _ remarks: Remarks
    ) {
        let days = (first: days.from, last: CivilDate(number: days.to.number - 1))
        let name = app.profile.name
        subject = TextTable.printable("\(question.name): \(Self.words(days)) · \(name)")
        folder = schedule.appID
        fileStem = "\(question.name)-\(days.first)-\(days.last)"
        files = parts.compactMap { part in
            guard schedule.format == .csv, let result = part.result else { return nil }
            let stem = "\(question.name)\(question.isBoard ? ".\(part.name)" : "")-\(days.first)-\(days.last)"
            return (name: "\(stem).csv", content: result.text(as: .csv))
        }
        let head = "\(question.name) · \(name)\n\(Self.words(days)) (\(zone.name))\n"
        let pieces = Self.pieces(remarks)
        let foot = Self.foot(schedule, page: page)
        var text = head
        for part in parts {
            text += "\n" + (question.isBoard ? "\(part.name)\n" : "") + part.text(isCut: schedule.format == .csv)
        }
        text += pieces.map { "\n\($0)\n" }.joined() + Self.last(remarks)
        text += foot
        text = text.escapingControls(keepsLines: true)
        self.text = text
        html =
            MailPage(
                parts,
                isBoard: question.isBoard,
                head: head,
                pieces,
                remarks.freshness,
                page: page,
                hasCSV: schedule.format == .csv,
                foot: foot
            ).text
        let warnings = parts.flatMap { part in
            part.warnings.map { "Warning: " + (question.isBoard ? "\(part.name): " : "") + $0 }
                + part.remarks.map { (question.isBoard ? "\(part.name): " : "") + $0 }
        }
        let chat: ChatText
        if !question.isBoard, let result = parts.first?.result {
            chat = ChatText(
                result,
                before: parts.first?.earlier,
                remarks: warnings + pieces,
                last: remarks.freshness,
                foot: foot
            )
        } else {
            let lines = parts.map { "\($0.name): \($0.summary)" }
            chat = ChatText(lines, remarks: warnings + pieces, last: remarks.freshness, foot: foot)
        }
        chatJSON = chat.json(subject)
        let answer: [(name: String, value: String)] =
            question.isBoard
            ? [("questions", parts.json)]
            : [
                ("warnings", Self.list(parts.flatMap(\.warnings))),
                ("report", parts.first?.result?.jsonObject ?? "null"),
            ]
        json = Self.json(
            question.isBoard ? "board.answer" : "question.answer",
            schedule,
            days,
            zone,
            answer + [
                ("notices", Self.list(remarks.notices)), ("notes", Self.list(remarks.notes)),
                ("text", JSONWriter.quoted(text)),
            ]
        )
    }

    /// What a watch found.
    init(
        _ findings: [Watch.Finding],
        of watch: StoredSchedule.Watch,
        about days: (first: CivilDate, last: CivilDate),
        in zone: ReportTimeZone,
        rows: Int,
        app: App,
        by schedule: QuestionSchedule,
        _ remarks: Remarks
    ) {
        let name = app.profile.name
        let words = findings.flatMap { [$0.text(watch.column), $0.carrier?.text].compactMap(\.self) }
        let head =
            findings.count == 1 ? findings[0].headline(watch.column) : "\(findings.count) changes of \(watch.column)"
        subject = TextTable.printable("\(schedule.question): \(head) · \(name)")
        folder = schedule.appID
        // A question's name has no point, and a row any characters: the schedule's number keeps rows apart.
        let row = watch.row.map { ".\(schedule.number)-\(Self.plain($0))" } ?? ""
        fileStem = "\(schedule.question).\(Self.plain(watch.column))\(row)-\(days.first)-\(days.last)"
        var text = "\(schedule.question) · \(name)\n\(Self.words(days)) (\(zone.name)), "
        text += "compared with the same days of the eight weeks before\n\n"
        text += words.map { "\($0)\n" }.joined(separator: "\n")
        if rows > 1 { text += "\nThe chances are corrected for \(rows) rows (Holm).\n" }
        let pieces = Self.pieces(remarks)
        text += pieces.map { "\n\($0)\n" }.joined() + Self.last(remarks)
        text += Self.foot(schedule)
        text = text.escapingControls(keepsLines: true)
        self.text = text
        chatJSON = ChatText(words, remarks: pieces, last: remarks.freshness, foot: Self.foot(schedule)).json(subject)
        json = Self.json(
            "question.watch",
            schedule,
            days,
            zone,
            [
                ("column", JSONWriter.quoted(watch.column)),
                ("findings", "[\(findings.map(\.json).joined(separator: ", "))]"),
                ("notices", Self.list(remarks.notices)), ("notes", Self.list(remarks.notes)),
                ("text", JSONWriter.quoted(text)),
            ]
        )
    }

    // MARK: Words

    /// What file systems take of a text, and read alike.
    private static func plain(_ text: String) -> String {
        String(text.prefix(40).map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" }).lowercased()
    }

    private static func words(_ days: (first: CivilDate, last: CivilDate)) -> String {
        days.first == days.last ? "\(days.first)" : "\(days.first) to \(days.last)"
    }

    private static func pieces(_ remarks: Remarks) -> [String] {
        remarks.notices + remarks.notes.map { "Note of \($0.day): \($0.text)" }
    }

    private static func last(_ remarks: Remarks) -> String { remarks.freshness.map { "\n\($0)\n" } ?? "" }

    private static func foot(_ schedule: QuestionSchedule, page: Page? = nil) -> String {
        let command = schedule.watch == nil ? "unschedule" : "unwatch"
        let link = page.map { "\($0.lines)\n" } ?? ""
        // Of a page that could not be shared, nothing is said.
        let isShared = if case .shared? = page { true } else { false }
        let words = TextTable.printable(schedule.words(shares: isShared))
        return "\n-- \n\(link)Tributary sends this: \(words). To end it:\n"
            + "tributary question \(command) \(schedule.question) --app \(schedule.appID)\n"
    }

    // MARK: JSON

    private static func json(
        _ type: String,
        _ schedule: QuestionSchedule,
        _ days: (first: CivilDate, last: CivilDate),
        _ zone: ReportTimeZone,
        _ fields: [(name: String, value: String)]
    ) -> String {
        let head = [
            ("type", JSONWriter.quoted(type)), ("app_id", JSONWriter.quoted(schedule.appID)),
            ("question", JSONWriter.quoted(schedule.question)),
            ("first_day", JSONWriter.quoted(days.first.description)),
            ("last_day", JSONWriter.quoted(days.last.description)), ("time_zone", JSONWriter.quoted(zone.name)),
        ]
        return "{" + (head + fields).map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}\n"
    }

    private static func list(_ texts: [String]) -> String {
        "[\(texts.map(JSONWriter.quoted).joined(separator: ", "))]"
    }

    private static func list(_ notes: [Note]) -> String {
        let objects = notes.map { "{\"day\": \"\($0.day)\", \"text\": \(JSONWriter.quoted($0.text))}" }
        return "[\(objects.joined(separator: ", "))]"
    }
}

extension ReportRequest {
    /// The days that the range touches; the end is the day after the last one.
    package var days: (from: CivilDate, to: CivilDate) {
        let last = zone.day(of: range.to.advanced(byMicroseconds: -1))
        return (zone.day(of: range.from), CivilDate(number: last.number + 1))
    }
}

extension Watch.Finding {
    /// `touches of newsletter fell`.
    func headline(_ column: String) -> String {
        let name = row.isEmpty ? column : "\(column) of \(TextTable.printable(row))"
        switch kind {
        case .changed(let before, _, _, _): return "\(name) \(figure.place < before.place ? "fell" : "rose")"
        case .isOver: return "\(name) is as before again"
        case .hasSettled: return "\(name) has a new level"
        }
    }

    func text(_ column: String) -> String { "\(headline(column)): \(detail)" }

    private var detail: String {
        switch kind {
        case .changed(let before, let low, let high, let pValue):
            let chance = "By chance alone: p = \(ReportCell.shortText(ofProbability: pValue))."
            if case .share(let successes, let trials) = figure, case .share(let all, let of) = before {
                let difference = Double(successes) / Double(trials) - Double(all) / Double(of)
                return
                    "\(figure.text) (\(successes) of \(trials)), before \(before.text) (\(all) of \(of)). Difference "
                    + "\(Self.points(difference)), 95 % interval \(Self.points(low)) to \(Self.points(high)). \(chance)"
            }
            guard let now = figure.amount, let then = before.amount else { return figure.text }
            let share = then > 0 ? " (\(now < then ? "−" : "+")\(WatchedFigure.percent(abs(now - then) / then)))" : ""
            return "\(figure.text), before \(before.text) on average\(share). Expected, at 95 %: "
                + "\(WatchedFigure.text(ofCount: low.rounded())) to \(WatchedFigure.text(ofCount: high.rounded())). "
                + chance
        case .isOver(let since): return "\(figure.text). The change began \(since)."
        case .hasSettled(let since):
            return "\(figure.text). The change of \(since) has lasted eight weeks; from now on, figures are compared "
                + "with these."
        }
    }

    /// `−9.1 points`.
    private static func points(_ difference: Double) -> String {
        let tenths = Int128((abs(difference) * 1_000).rounded())
        let sign = tenths == 0 ? "" : difference < 0 ? "−" : "+"
        return sign + ReportCell.decimalText(tenths, decimals: 1, trimmed: false) + " points"
    }

    var json: String {
        func object(_ fields: [(String, String)]) -> String {
            "{" + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
        }
        func number(_ figure: WatchedFigure) -> String {
            switch figure {
            case .count(let amount), .sum(let amount, _): "\(amount)"
            case .share(_, 0): "null"
            case .share(let successes, let trials): "\(Double(successes) / Double(trials))"
            }
        }
        let head = [("row", JSONWriter.quoted(row)), ("figure", number(figure))]
        switch kind {
        case .changed(let before, let low, let high, let pValue):
            return object(
                head + [
                    ("kind", "\"changed\""), ("before", number(before)), ("low", "\(low)"), ("high", "\(high)"),
                    ("p_value", "\(pValue)"),
                ] + (carrier.map { [("carried_by", $0.json)] } ?? [])
            )
        case .isOver(let since): return object(head + [("kind", "\"over\""), ("since", "\"\(since)\"")])
        case .hasSettled(let since): return object(head + [("kind", "\"settled\""), ("since", "\"\(since)\"")])
        }
    }
}
