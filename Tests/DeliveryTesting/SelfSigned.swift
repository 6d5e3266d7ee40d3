package import NIOSSL

/// A certificate for `localhost` and 127.0.0.1 that nobody trusts, valid until 2126, and its key.
package enum SelfSigned {
    /// - Parameter version: the newest version of TLS that the server speaks.
    package static func context(upTo version: TLSVersion? = nil) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        )
        configuration.minimumTLSVersion = .tlsv1
        configuration.maximumTLSVersion = version
        return try NIOSSLContext(configuration: configuration)
    }

    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBmjCCAUGgAwIBAgIUJ3Udg4AYVe3ppcsAGkdct7FQ9IswCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyODIxMzYzMloYDzIxMjYxMTA0
        MjEzNjMyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAASvagEnqxApPMOIBrcBmQgknNz2RTERgtFkz9R3G+uaQoywLJpuD5eH
        c5OCFPWuhc0PjJKsl7+/d6H2K/GIqElso28wbTAdBgNVHQ4EFgQU7xVoxcoGWdNY
        oJm6vucwoAJzpYQwHwYDVR0jBBgwFoAU7xVoxcoGWdNYoJm6vucwoAJzpYQwDwYD
        VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
        zj0EAwIDRwAwRAIgeKqCbuNzhg53KL0YvhOm5tHGwfY8JLLJv4YjmAMfUeECIAfe
        GijRg8VcutSkvqpMWaCCKOQp2Wq/JUGN8Tjk8Vrp
        -----END CERTIFICATE-----
        """

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggmmiLoBF5IAIkYMi
        Wc1CloHVtJRw8nRFEohpcw8xi4qhRANCAASvagEnqxApPMOIBrcBmQgknNz2RTER
        gtFkz9R3G+uaQoywLJpuD5eHc5OCFPWuhc0PjJKsl7+/d6H2K/GIqEls
        -----END PRIVATE KEY-----
        """
}
