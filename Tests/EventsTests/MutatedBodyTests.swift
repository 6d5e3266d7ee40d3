import Events
import Testing
import Time
import RandomTesting

/// Bodies with random damage: nothing traps, and every event of a body is accounted for.
@Suite("Mutated bodies")
struct MutatedBodyTests {
    private static let pieces: [[UInt8]] = [
        Array("\"".utf8), Array("\\".utf8), Array("{".utf8), Array("}".utf8), Array("[".utf8), Array("]".utf8),
        Array(",".utf8),
        Array(":".utf8), Array("null".utf8), Array("true".utf8), Array("1e999".utf8), Array("-".utf8), Array("\n".utf8),
        [0x00],
        [0xFF], [0xED, 0xA0, 0x80], [0xC3], Array("\\u0000".utf8), Array("\\ud800".utf8), Array("%00".utf8),
        Array("&".utf8),
        Array("\"events\":".utf8), Array("\"type\":\"install\"".utf8), Array("access_token=".utf8), Array("é".utf8),
    ]

    private static func mutated(_ body: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var body = body
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let position = Int.random(in: 0...body.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: body.insert(contentsOf: random.pick(pieces), at: position)
            case 1 where position < body.count: body[position] = UInt8.random(in: 0...255, using: &random)
            case 2: body.removeSubrange(position..<min(position + Int.random(in: 1...8, using: &random), body.count))
            case 3: body.insert(contentsOf: body[position..<min(position + 40, body.count)], at: position)
            default:
                let piece = random.pick(pieces)
                body.replaceSubrange(position..<min(position + piece.count, body.count), with: piece)
            }
        }
        return body
    }

    @Test(arguments: TestSeeds.seeds(4))
    func areReadOrRefusedWhole(_ seed: UInt64) {
        var maker = RandomBodyTests.Maker(seed: seed)
        var random = SeededRandom(seed: seed &+ 50)
        for _ in 0..<250 {
            let made = (0..<4).map { _ in maker.make().body }
            let mediaType: BatchDecoder.MediaType = random.pick([.json, .ndjson, .form])
            let body: String =
                switch mediaType {
                case .json: "[" + made.joined(separator: ",") + "]"
                case .ndjson: made.joined(separator: "\n")
                case .form: "url=myapp%3A%2F%2Fx%3Ffb_ref%3Da&user_id=u&ref=a,b&paid=1&properties=%7B%22a%22%3A1%7D"
                }
            let bytes = Self.mutated(Array(body.utf8), &random)
            let impliedType = mediaType == .form ? EventType.inboundLink : nil
            guard let batch = try? decode(bytes, as: mediaType, impliedType: impliedType) else { continue }

            let indices = (batch.events.map(\.index) + batch.rejections.map(\.index)).sorted()
            #expect(indices == Array(0..<batch.count))
            #expect(batch.events.map(\.index) == batch.events.map(\.index).sorted())
            #expect(batch.rejections.map(\.index) == batch.rejections.map(\.index).sorted())
            switch mediaType {
            case .form: #expect(batch.count == 1)
            case .ndjson: #expect(batch.count == Self.lines(bytes))
            case .json: break
            }
            for rejection in batch.rejections {
                #expect(rejection.redactedEvent.utf8.count <= EventLimits.event)
                for text in [rejection.message, rejection.field, rejection.eventID, rejection.redactedEvent] {
                    #expect(text?.utf8.contains(0) != true)
                }
            }
            for decoded in batch.events {
                #expect(!String(describing: decoded.event).utf8.contains(0))
                #expect((try? EventJSON.decode(EventJSON.encode(decoded.event).utf8)) == decoded.event)
            }
        }
    }

    /// A body or a line that is not JSON is told with at most one character of it.
    @Test(arguments: TestSeeds.seeds(2))
    func areNotEchoed(_ seed: UInt64) {
        var random = SeededRandom(seed: seed &+ 90)
        let body = Array(#"[{"type":"install","user_id":"SSSSS","properties":{"token":"SSSSS"}}, 1, true]"#.utf8)
        for _ in 0..<500 {
            let bytes = Self.mutated(body, &random)
            do throws(BatchError) {
                let batch = try decode(bytes, as: random.chance(50) ? .json : .ndjson)
                for rejection in batch.rejections where rejection.code == .invalidJSON {
                    #expect(!rejection.message.contains("SS"), "\(rejection.message)")
                }
            } catch {
                #expect(!error.description.contains("SS"), "\(error.description)")
            }
        }
    }

    private static func lines(_ bytes: [UInt8]) -> Int {
        bytes.split(separator: 0x0A).count { line in
            line.contains { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
        }
    }
}
