import Foundation

enum FileDescriptorWriting {
    /// Writes all bytes, with as many calls as that takes.
    static func write(
        _ bytes: UnsafeRawBufferPointer,
        to descriptor: Int32,
        failure: (_ errno: Int32) -> any Error
    ) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Foundation.write(descriptor, part.baseAddress, part.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(errno)
            }
            rest = rest.dropFirst(count)
        }
    }
}
