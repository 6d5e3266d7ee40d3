import Foundation
import JSONReading
import Testing

@testable import QRCodes

@Suite("QR codes")
struct QRCodeTests {
    /// Codes that another program made: qrcode 8 (PyPI).
    struct Vector: CustomTestStringConvertible, Sendable {
        var text: String
        var rows: [String]

        var testDescription: String { "\(text.prefix(40)), \(rows.count) modules" }

        static let all: [Vector] = {
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/codes.jsonl")
            let lines = ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
            return lines.compactMap { line in
                guard let json = try? JSONDocument(reading: line.utf8).root, let text = json["text"]?.string else {
                    return nil
                }
                return Vector(text: text, rows: json["rows"]?.elements.compactMap(\.string) ?? [])
            }
        }()
    }

    @Test(arguments: Vector.all)
    func agreeWithAnotherProgram(vector: Vector) throws {
        let code = try #require(QRCode(vector.text))
        #expect(code.size == vector.rows.count)
        let rows = (0..<code.size).map { row in
            String((0..<code.size).map { code[row, $0] ? "#" : "." })
        }
        #expect(rows == vector.rows)
    }

    @Test func haveVectors() {
        #expect(Vector.all.count == 5)
    }

    @Test(arguments: [
        (2_331, true, 177), (2_332, true, nil), (14, true, 21), (15, true, 25), (20, false, 21), (21, false, 25),
        (3_391, false, 177), (3_392, false, nil),
    ])
    func areAsSmallAsTheTextAllows(count: Int, isByte: Bool, size: Int?) {
        #expect(QRCode(String(repeating: isByte ? "a" : "A", count: count))?.size == size)
    }

    @Test func drawEveryModule() throws {
        let code = try #require(QRCode("https://links.example.com/abc"))
        let side = code.size + 8
        let dark = (0..<code.size).reduce(0) { sum, row in sum + (0..<code.size).count { code[row, $0] } }
        #expect(code.svg.contains("viewBox=\"0 0 \(side) \(side)\""))
        #expect(code.svg.components(separatedBy: "h1v1h-1z").count - 1 == dark)

        let lines = code.text.split(separator: "\n")
        #expect(lines.count == (side + 1) / 2)
        #expect(lines.allSatisfy { $0.count == side })
        let light = lines.joined().reduce(0) { $0 + ($1 == "█" ? 2 : $1 == " " ? 0 : 1) }
        #expect(light == side * side - dark)
    }

    /// Reads the image's pixels again.
    @Test func areWhatThePNGShows() throws {
        let code = try #require(QRCode("https://links.example.com/abc"))
        let png = code.png(scale: 3)
        let side = (code.size + 8) * 3
        #expect(Array(png[0..<8]) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(Array(png[16..<24]) == [0, 0, 0, UInt8(side), 0, 0, 0, UInt8(side)])
        // Signature, IHDR, the head of IDAT, zlib's head and the head of its only block.
        let start = 8 + 25 + 8 + 2 + 5
        let width = 1 + (side + 7) / 8
        for row in 0..<code.size {
            for column in 0..<code.size {
                let (y, x) = ((row + 4) * 3 + 1, (column + 4) * 3 + 1)
                let isLight = png[start + y * width + 1 + x / 8] >> UInt8(7 - x % 8) & 1 == 1
                #expect(isLight != code[row, column])
            }
        }
        // The checksum of the empty IEND, as every PNG has it.
        #expect(Array(png.suffix(4)) == [0xAE, 0x42, 0x60, 0x82])
    }
}
