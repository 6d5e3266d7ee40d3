extension ClosedRange<Int> {
    /// - Throws: `CommandFailure` for a number that an option does not take.
    func check(_ number: Int, of option: String) throws {
        guard !contains(number) else { return }
        throw CommandFailure(.usage, "\(option) takes a number from \(lowerBound) to \(upperBound), not \(number)")
    }
}
