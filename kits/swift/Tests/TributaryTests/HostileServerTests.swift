import Foundation
import Testing

@testable import Tributary

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Against kits/hostile.mjs, whose address is in KIT_HOSTILE: `scripts/check-kits` starts it.
private let address = ProcessInfo.processInfo.environment["KIT_HOSTILE"].flatMap { URL(string: $0) }

@Suite("A hostile server", .enabled(if: address != nil))
struct HostileServerTests {
    private struct Tally: Decodable {
        var answers: Int
        var stored: [String]
        var refused: [String]
        var inTwoWays: [String]
    }

    @Test func losesNoEventAndSendsNoneInTwoWays() async throws {
        let url = try #require(address)
        let wanted = Int(ProcessInfo.processInfo.environment["KIT_ANSWERS"] ?? "") ?? 10_000
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kit-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (phone, transport) = (Phone(), Transport(silence: 1, whole: 2))
        let world = TributaryApp.World(
            now: { phone.now },
            sleep: { _ in },
            makeID: { phone.makeID() },
            answer: { await transport.answer(to: $0) }
        )
        func launch() async -> TributaryApp {
            let app = TributaryApp(url, nil, nil, folder, "ios", nil, world)
            await app.setConsent(true, alreadyInstalled: true)
            return app
        }
        var app = await launch()
        var count = 0
        for round in 0..<wanted where count < wanted {
            await app.add("app_open")
            await app.send()
            if round.isMultiple(of: 10) { _ = await app.findLink(code: "7K3M 9QX2") }
            // Longer than a server may ask for silence.
            phone.setClock(by: 100_000)
            // A process that ends at any time loses nothing.
            if round.isMultiple(of: 100) {
                app = await launch()
                count = try await tally(transport, "tally").answers
            }
        }
        _ = try await tally(transport, "calm")
        await app.send()
        let end = try await tally(transport, "tally")
        #expect(end.answers >= wanted)
        #expect(end.inTwoWays == [])
        let waiting = try JSONDecoder().decode(
            StoredState.self,
            from: Data(contentsOf: folder.appendingPathComponent("tributary.json"))
        )
        #expect(waiting.events.isEmpty)
        let made = Set((2...phone.idCount).map { "id-\($0)" })
        #expect(made.subtracting(end.stored).subtracting(end.refused) == [])
        print("hostile: \(end.answers) answers, \(end.stored.count) of \(made.count) events stored")
    }

    private func tally(_ transport: Transport, _ path: String) async throws -> Tally {
        let request = URLRequest(url: try #require(address).appendingPathComponent(path))
        let answer = try #require(await transport.answer(to: request))
        return try JSONDecoder().decode(Tally.self, from: answer.body)
    }
}
