import Foundation

/// A plain TCP connection to a daemon, for what no HTTP client would send.
final class SocketConnection {
    struct Failure: Error {
        var number: Int32
    }

    private let descriptor: Int32

    /// - Parameters:
    ///   - baseURL: `http://127.0.0.1:port`.
    ///   - patience: seconds. If the daemon neither answers nor closes, the test fails and does not hang.
    init(to baseURL: String, patience: Int = 30) throws {
        let port = UInt16(baseURL.split(separator: ":").last ?? "") ?? 0
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // The end of the object closes the descriptor, here too.
        guard result == 0 else { throw Failure(number: errno) }
        var patience = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends the bytes. The daemon may close the connection before all are sent.
    func send(_ bytes: some Sequence<UInt8>) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// All bytes until the daemon closes; nil if it does not close.
    func receiveAll() -> [UInt8]? {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                received += buffer[..<count]
            } else if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
                return nil
            } else {
                return received
            }
        }
    }

    /// The statuses of the answers in what was received.
    static func statuses(in received: [UInt8]) -> [Int] {
        String(decoding: received, as: UTF8.self).split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
    }
}
