import InboundLinks
import JSONReading

extension BatchDecoder {
    func readLines(
        _ body: UnsafeBufferPointer<UInt8>,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) throws(BatchError) -> EventBatch {
        let lines = try lines(of: body)
        guard !lines.isEmpty else { throw .empty }
        var batch = EventBatch()
        batch.events.reserveCapacity(lines.count)
        // A parser run for each line costs more than the line. So several lines are read together, as an array. If that
        // fails, they are read one by one.
        var start = 0
        var broken = BrokenLines()
        while start < lines.count {
            let end = min(start + Self.linesAtOnce, lines.count)
            if !readTogether(lines[start..<end], of: body, into: &batch, ids: &ids) {
                for line in lines[start..<end] {
                    let rejected = batch.rejections.count
                    readAlone(
                        UnsafeBufferPointer(rebasing: body[line]),
                        indentation: Self.indentation(of: line, in: body),
                        into: &batch,
                        ids: &ids
                    )
                    if batch.rejections.count > rejected, batch.rejections.last?.code.isOfNoEvent == true {
                        broken.append(line, of: body, to: &batch)
                    } else {
                        broken.finish(of: body, in: &batch)
                    }
                }
            }
            start = end
        }
        broken.finish(of: body, in: &batch)
        return batch
    }

    private static let linesAtOnce = 64

    /// The lines, without blanks around them. Blank lines are left out.
    private func lines(of body: UnsafeBufferPointer<UInt8>) throws(BatchError) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        for position in 0...body.count where position == body.count || body[position] == 0x0A {
            var first = start
            var end = position
            while first < end, body[first].isJSONBlank { first += 1 }
            while end > first, body[end - 1].isJSONBlank { end -= 1 }
            if first < end {
                guard lines.count < countLimit else { throw .tooManyEvents(limit: countLimit) }
                lines.append(first..<end)
            }
            start = position + 1
        }
        return lines
    }

    /// How many blanks precede the line.
    private static func indentation(of line: Range<Int>, in body: UnsafeBufferPointer<UInt8>) -> Int {
        var start = line.lowerBound
        while start > 0, body[start - 1] != 0x0A { start -= 1 }
        return line.lowerBound - start
    }

    /// Reads the lines as one array.
    ///
    /// - Returns: false, with nothing added to the batch, if not every line is exactly one element of the array.
    private func readTogether(
        _ lines: ArraySlice<Range<Int>>,
        of body: UnsafeBufferPointer<UInt8>,
        into batch: inout EventBatch,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) -> Bool {
        guard lines.count > 1 else { return false }
        var text: [UInt8] = []
        text.reserveCapacity(lines.reduce(2) { $0 + $1.count + 2 })
        var places: [Range<Int>] = []
        text.append(UInt8(ascii: "["))
        for line in lines {
            // The line break stays, so that a string cannot run on into the next line.
            if !places.isEmpty { text.append(contentsOf: [0x0A, UInt8(ascii: ",")]) }
            places.append(text.count..<text.count + line.count)
            text.append(contentsOf: body[line])
        }
        text.append(UInt8(ascii: "]"))
        guard let document = try? JSONDocument(reading: text, maximumDepth: EventLimits.bodyDepth),
            document.root.elements.map(\.sourceRange) == places
        else { return false }
        text.withUnsafeBufferPointer { source in
            for element in document.root.elements {
                batch.append(element, in: source, decoder: decoder, ids: &ids)
            }
        }
        return true
    }

    /// Reads one line. If it is not a valid event, only this line is rejected.
    ///
    /// - Parameter indentation: how many blanks precede the text in its line.
    func readAlone(
        _ line: UnsafeBufferPointer<UInt8>,
        indentation: Int = 0,
        into batch: inout EventBatch,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) {
        do throws(JSONError) {
            let document = try JSONDocument(reading: line, maximumDepth: EventLimits.bodyDepth)
            batch.append(document.root, in: line, decoder: decoder, ids: &ids)
        } catch .invalidUTF8 {
            let (text, damage) = TextDamage.repairing(line)
            text.withUnsafeBufferPointer { source in
                if let document = try? JSONDocument(reading: source, maximumDepth: EventLimits.bodyDepth) {
                    batch.append(document.root, in: source, damage: damage, decoder: decoder, ids: &ids)
                } else {
                    batch.reject(EventFault(.invalidText, "the line is not valid UTF-8"), text: source)
                }
            }
        } catch {
            batch.reject(Self.fault(of: error, in: line, indentation: indentation), text: line)
        }
    }

    private static func fault(
        of error: JSONError,
        in line: UnsafeBufferPointer<UInt8>,
        indentation: Int
    ) -> EventFault {
        switch error {
        case .tooDeep: return EventFault(.tooLarge, "the event is nested deeper than \(EventLimits.bodyDepth) levels")
        case .tooLarge: return EventFault(.tooLarge, "the event is longer than \(EventLimits.event) bytes")
        default: break
        }
        guard let error = JSONSyntaxScanner.firstError(in: line, maximumDepth: EventLimits.bodyDepth) else {
            return EventFault(.invalidJSON, "the line is not valid JSON")
        }
        switch error.problem {
        case .rootIsNoContainer:
            return EventFault(.notAnObject, "an event must be a JSON object")
        case .textEnds, .unclosedString:
            return EventFault(.invalidJSON, invalid(error, indentation) + "; NDJSON has one whole event on each line")
        case .secondValue:
            return EventFault(.invalidJSON, invalid(error, indentation) + "; put each event on a line of its own")
        default:
            return EventFault(.invalidJSON, invalid(error, indentation))
        }
    }

    private static func invalid(_ error: JSONSyntaxError, _ indentation: Int) -> String {
        "the line is not valid JSON: column \(error.column + indentation): \(error.reason)"
    }
}

extension EventBatch {
    fileprivate mutating func reject(_ fault: EventFault, text: UnsafeBufferPointer<UInt8>) {
        rejections.append(Rejection(fault, text: text, index: count))
    }
}

extension Rejection.Code {
    /// Whether the rejected text is not a JSON object.
    fileprivate var isOfNoEvent: Bool {
        switch self {
        case .invalidJSON, .notAnObject, .invalidText: true
        default: false
        }
    }
}
