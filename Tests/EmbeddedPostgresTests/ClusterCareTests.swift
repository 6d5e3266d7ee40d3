import Testing

@testable import EmbeddedPostgres

@Suite("The care for a private cluster") struct ClusterCareTests {
    private let start = ContinuousClock.now

    /// What is done at these times, in seconds, for a server.
    private func actions(
        _ care: inout ClusterCare,
        process: Int32?,
        isDoubtful: Bool = false,
        at seconds: [Double]
    ) -> [ClusterCare.Action] {
        seconds.map { care.next(process: process, isDoubtful: isDoubtful, at: start + .seconds($0)) }
    }

    private func restarts(_ care: inout ClusterCare, installed versions: [String]) -> [Bool] {
        versions.map { care.compared(running: "15.18", installed: $0, at: start) }
    }

    @Test func startsADeadServerImmediately() {
        var care = ClusterCare()
        let first = actions(&care, process: nil, at: [0])
        #expect(first == [.start])
    }

    @Test func waitsLongerAndLongerBetweenStarts() {
        var care = ClusterCare()
        let times = (0..<400).map { Double($0) / 2 }
        let starts = zip(times, actions(&care, process: nil, at: times)).filter { $0.1 == .start }.map(\.0)
        #expect(starts == [0, 1, 3, 7, 15, 31, 61, 91, 121, 151, 181])
    }

    @Test func forgetsTheStartsBeforeAServerThatRanForLong() {
        var care = ClusterCare()
        _ = actions(&care, process: nil, at: (0..<20).map { Double($0) })
        _ = actions(&care, process: 1, at: [100])
        let again = actions(&care, process: nil, at: [101])
        #expect(again == [.start])
    }

    @Test func comparesNowAndThen() {
        var care = ClusterCare(comparisonPause: .seconds(5))
        let times = (0..<11).map { Double($0) }
        let compared = zip(times, actions(&care, process: 7, at: times)).filter { $0.1 != .nothing }
        #expect(compared.map(\.0) == [0, 5, 10])
        #expect(compared.allSatisfy { $0.1 == .compare(process: 7) })
    }

    @Test func comparesAtOnceWhileTheDatabaseRefusesWork() {
        var care = ClusterCare(comparisonPause: .seconds(5))
        let times = (0..<8).map { Double($0) / 2 }
        let compared = zip(times, actions(&care, process: 7, isDoubtful: true, at: times)).filter { $0.1 != .nothing }
        #expect(compared.map(\.0) == [0, 1, 2, 3])
    }

    @Test func restartsForADifferenceThatStays() {
        var care = ClusterCare(comparisonPause: .seconds(5))
        let first = restarts(&care, installed: ["15.20"])
        let soon = actions(&care, process: 7, at: [0.5, 1])
        let second = restarts(&care, installed: ["15.20"])
        #expect(first == [false])
        #expect(soon == [.nothing, .compare(process: 7)])
        #expect(second == [true])
    }

    @Test func waitsWhileTheProgramsStillChange() {
        var care = ClusterCare()
        let restarts = restarts(&care, installed: ["15.19", "15.20", "15.18", "15.20"])
        #expect(restarts == [false, false, false, false])
    }

    /// The programs may not tell the truth, and then a restart does not remove the difference.
    @Test func restartsOnceForEachInstalledVersion() {
        var care = ClusterCare()
        let restarts = restarts(&care, installed: ["15.20", "15.20", "15.20", "15.20", "15.21", "15.21", "15.21"])
        #expect(restarts == [false, true, false, false, false, true, false])
    }

    @Test func triesAFailedRestartAgain() {
        var care = ClusterCare()
        _ = restarts(&care, installed: ["15.20", "15.20"])
        care.restartFailed()
        let again = restarts(&care, installed: ["15.20", "15.20"])
        #expect(again == [false, true])
    }
}
