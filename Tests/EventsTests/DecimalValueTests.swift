import Events
import Testing

@Suite("Decimal values")
struct DecimalValueTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("0.0", 0), ("0e99999999999999999999", 0), ("1", 1_000_000), ("12.50", 12_500_000),
            ("-3.000001", -3_000_001), ("0.000001", 1), ("1e3", 1_000_000_000), ("1E+3", 1_000_000_000), ("1e-6", 1),
            ("10e-7", 1), ("0.00001e1", 100), ("1.0000000", 1_000_000), ("007.5", 7_500_000),
            ("12.3456e2", 1_234_560_000),
            ("1000000000000", 1_000_000_000_000_000_000), ("-1e12", -1_000_000_000_000_000_000),
            ("0.001e15", 1_000_000_000_000_000_000),
            ("999999999999.999999", 999_999_999_999_999_999),
            ("100000000000000000000000000000e-29", 1_000_000),
        ] as [(String, Int64)]
    )
    func readsExactly(_ spelling: String, _ millionths: Int64) {
        #expect(DecimalValue(spelling)?.millionths == millionths)
    }

    @Test(arguments: [
        "", "-", "+1", ".5", "1.", "1.e3", "e3", "1e", "1e+", "1e1.5", "1,5", "1 000", " 1", "1 ", "0x10", "NaN",
        "Infinity",
        "--1", "1-", "٣", "0.0000001", "1e-7", "1.2345678", "0.30000000000000004", "1000000000000.000001", "1e13",
        "1e99999999999999999999", "1e-99999999999999999999", "18446744073709551616", "99999999999999999999999999",
        "1000000000000000000000000000000000000001e-40",
    ])
    func refuses(_ spelling: String) {
        #expect(DecimalValue(spelling) == nil)
    }

    @Test(
        arguments: [(0, "0"), (1, "0.000001"), (-1_500_000, "-1.5"), (12_000_000, "12"), (1_020_300, "1.0203")]
            as [(Int64, String)]
    )
    func isSpelledPlainly(_ millionths: Int64, _ spelling: String) {
        #expect(DecimalValue(millionths: millionths).description == spelling)
    }

    @Test func readsBackWhatItWrites() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<2_000 {
            let bound: Int64 = random.pick([10, 1_000_000, 1_000_000_000_000, 1_000_000_000_000_000_000])
            let value = DecimalValue(millionths: .random(in: -bound...bound, using: &random))
            #expect(DecimalValue(value.description) == value)
        }
    }
}
