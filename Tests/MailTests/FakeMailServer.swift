import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server on loopback that takes mails, or does what a test says.
final class FakeMailServer: Sendable {
    struct Script: Sendable {
        var greeting = "220 mail.example ESMTP"
        /// In place of the usual ones, by the first word of a line; `nothing` says nothing, `end` ends the connection.
        var answers: [String: String] = [:]
        var hasTLS = false
        var isImplicit = false
        /// What it says behind the answer to STARTTLS, before TLS.
        var injected = ""
    }

    private let script: Script
    private let lines = Mutex<[String]>([])

    private init(_ script: Script) { self.script = script }

    /// What it got, line by line; `TLS` where TLS began.
    var received: [String] { lines.withLock { $0 } }

    @discardableResult
    static func run<R>(
        _ script: Script = Script(),
        _ body: (FakeMailServer, _ port: Int) async throws -> R
    ) async throws -> R {
        let server = FakeMailServer(script)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if script.isImplicit { try Self.secure(channel.pipeline.syncOperations) }
                    try channel.pipeline.syncOperations.addHandler(Handler(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body(server, channel.localAddress?.port ?? 0)
            try? await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    private static func secure(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
        let certificates = try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8))
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        )
        try pipeline.addHandler(
            NIOSSLServerHandler(context: NIOSSLContext(configuration: configuration)),
            position: .first
        )
    }

    static var trust: NIOSSLTrustRoots {
        get throws { .certificates(try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8))) }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let server: FakeMailServer
        private var received: [UInt8] = []
        private var isContent = false

        init(_ server: FakeMailServer) { self.server = server }

        func channelActive(context: ChannelHandlerContext) {
            say(server.script.greeting, context)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += unwrapInboundIn(data).readableBytesView
            while let end = received.firstRange(of: Array("\r\n".utf8)) {
                let line = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                received.removeSubrange(..<end.upperBound)
                server.lines.withLock { $0.append(line) }
                answer(line, context)
            }
        }

        private func answer(_ line: String, _ context: ChannelHandlerContext) {
            if isContent, line != "." { return }
            let word = isContent ? "." : String(line.prefix { $0 != " " })
            isContent = false
            if let answer = server.script.answers[word] { return say(answer, context) }
            switch word {
            case "EHLO":
                let tls = server.script.hasTLS ? "250-STARTTLS\r\n" : ""
                say("250-mail.example\r\n\(tls)250-AUTH LOGIN PLAIN\r\n250 SIZE", context)
            case "STARTTLS":
                say("220 go" + (server.script.injected.isEmpty ? "" : "\r\n" + server.script.injected), context)
                server.lines.withLock { $0.append("TLS") }
                try? FakeMailServer.secure(context.pipeline.syncOperations)
            case "AUTH": say("235 you are", context)
            case "DATA":
                isContent = true
                say("354 go on", context)
            default: say("250 OK", context)
            }
        }

        private func say(_ text: String, _ context: ChannelHandlerContext) {
            switch text {
            case "nothing": break
            case "end": context.close(promise: nil)
            default:
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text + "\r\n")), promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// Of `localhost`, made for these tests alone.
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/h4lX4leSfzAkNwl
        sfXGAQKlrDO2mfDJYkr1fNmNP+ehRANCAARKfSlouybuQHGPSDPbOTJ3/4T6Fr5U
        DKGcmKW4jrgeBXLAMix/PmNVVvUGVH1FF2h/DEBrLy0TroLTSg9sGxhb
        -----END PRIVATE KEY-----
        """

    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBozCCAUmgAwIBAgIUYLo2/LOPoDyq6O/Qw/p7PicmGWAwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyODIxNDU0M1oYDzIxMjYxMTA0
        MjE0NTQzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAARKfSlouybuQHGPSDPbOTJ3/4T6Fr5UDKGcmKW4jrgeBXLAMix/PmNV
        VvUGVH1FF2h/DEBrLy0TroLTSg9sGxhbo3cwdTAdBgNVHQ4EFgQUds+r6QdMMbu5
        ovBHVFo+xBmPGPswHwYDVR0jBBgwFoAUds+r6QdMMbu5ovBHVFo+xBmPGPswIgYD
        VR0RBBswGYIJbG9jYWxob3N0ggxtYWlsLmV4YW1wbGUwDwYDVR0TAQH/BAUwAwEB
        /zAKBggqhkjOPQQDAgNIADBFAiBzPZ96Lskahkmu7D7f4zw+3K5BpJdWDWu0ulc6
        Z3uthgIhAL2JR3Cr0STdhV36gqDHFk8TA9oFJvIR73e1CDpcebUK
        -----END CERTIFICATE-----
        """
}
