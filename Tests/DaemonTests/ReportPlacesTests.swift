import Storage
import Testing
@testable import tributaryd

@Suite("Places for the reports of a worker") struct ReportPlacesTests {
    @Test func leaveRoomForThoseOfOthers() async throws {
        let places = ReportPlaces(limit: 2)
        // Two reports of a worker that hangs.
        try await places.withPlace(of: .worker(1), waits: false) {
            try await places.withPlace(of: .worker(1), waits: false) {
                await #expect(throws: ReportPlaces.Full.self) {
                    try await places.withPlace(of: .worker(1), waits: false) {}
                }
                // Those of others.
                try await places.withPlace(of: .worker(2), waits: false) {}
                try await places.withPlace(of: .only, waits: false) {}
            }
        }
        try await places.withPlace(of: .worker(1), waits: false) {}
    }

    @Test func areGivenToThoseWhoWait() async throws {
        let places = ReportPlaces(limit: 1)
        let waiting = try await places.withPlace(of: .worker(1), waits: false) {
            (0..<3).map { _ in Task { try await places.withPlace(of: .worker(1), waits: true) {} } }
        }
        for task in waiting { try await task.value }
        try await places.withPlace(of: .worker(1), waits: false) {}
    }

    @Test func areNotLimitedOnOneMachine() async throws {
        let places = ReportPlaces(limit: 1)
        try await places.withPlace(of: .only, waits: false) {
            try await places.withPlace(of: .only, waits: false) {}
        }
    }
}
