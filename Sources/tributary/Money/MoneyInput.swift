import ArgumentParser
import Events
import Foundation
import Importing

/// What the commands about money take: files, and currencies.
enum MoneyInput {
    /// Reads the file that an argument names.
    ///
    /// - Parameter path: `-` is standard input.
    /// - Returns: also what messages call it.
    static func read(_ path: String) throws -> (bytes: [UInt8], name: String) {
        // One byte more than is taken, so that a longer file is refused.
        let limit = RateFile.byteLimit + 1
        guard path != "-" else {
            return (Array(try FileHandle.standardInput.read(upToCount: limit) ?? Data()), "standard input")
        }
        // At the end of a file, and so of an empty one, nothing is read: nil.
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.read(upToCount: limit) ?? Data()
        else {
            throw CommandFailure(.usage, "the file '\(path)' cannot be read")
        }
        return (Array(data), path)
    }

    static func currency(_ text: String) throws -> String {
        guard let code = CurrencyCode.normalised(text) else {
            throw ValidationError("'\(text)' is not an ISO 4217 currency code such as USD or EUR")
        }
        return code
    }
}
