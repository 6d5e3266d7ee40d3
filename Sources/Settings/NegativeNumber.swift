/// Numbers below zero as values of options: `--limit -1`. The argument parser takes `-1` for an option, and says that
/// the value is missing. Joined to its option, the number comes to the command, which says what it takes.
package enum NegativeNumber {
    /// The arguments with `--limit=-1` in place of `--limit -1`, up to `--`.
    package static func joined(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        var joined: [String] = []
        for argument in arguments[..<end] {
            if isOne(argument), let option = joined.last, option.hasPrefix("--"), !option.contains("=") {
                joined[joined.count - 1] = "\(option)=\(argument)"
            } else {
                joined.append(argument)
            }
        }
        return joined + arguments[end...]
    }

    private static func isOne(_ argument: String) -> Bool {
        argument.hasPrefix("-") && argument.utf8.dropFirst().first.map { (48...57).contains($0) } == true
    }
}
