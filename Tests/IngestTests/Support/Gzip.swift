import Gzip

/// Compresses as a sender would.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
    GzipDeflation.deflating(bytes) ?? []
}
