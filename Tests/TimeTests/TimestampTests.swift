import Time
import Testing
import RandomTesting

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.000001Z", 1), ("1969-12-31T23:59:59.999999Z", -1),
            ("2024-02-29T12:00:00+01:00", 1_709_204_400_000_000), ("2024-02-29 12:00:00-00:30", 1_709_209_800_000_000),
            ("2023-11-14T22:13:20z", 1_700_000_000_000_000), ("2023-11-14t22:13:20.5Z", 1_700_000_000_500_000),
            ("2023-11-14T22:13:20.1234567890123Z", 1_700_000_000_123_456),
            ("2023-11-14T22:13:20-00:00", 1_700_000_000_000_000), ("2023-11-14T22:13:20+0000", 1_700_000_000_000_000),
            ("2023-11-14T21:43:20.5-0030", 1_700_000_000_500_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000_000), ("2017-01-01T00:59:60.5+01:00", 1_483_228_800_500_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000_000), ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
            ("2000-02-29T00:00:00Z", 951_782_400_000_000),
        ] as [(String, Int64)]
    )
    func readsRFC3339(_ text: String, _ microseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
    }

    @Test(arguments: [
        "", "2024", "2024-02-29", "2024-02-29T12:00:00", "2024-02-29T12:00Z", "2023-02-29T12:00:00Z",
        "1900-02-29T00:00:00Z",
        "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z", "2024-04-31T00:00:00Z",
        "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z", "2024-01-01T12:00:60Z",
        "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.5", "2024-01-01T00:00:00,5Z", "2024-01-01T00:00:00+010",
        "2024-01-01T00:00:00+01000", "2024-01-01T00:00:00+01:0", "2024-01-01T00:00:00+2400", "2024-01-01T00:00:00 0100",
        "2024-01-01T00:00:00+01", "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00+01:60", "2024-01-01T00:00:00Z ",
        " 2024-01-01T00:00:00Z", "2024-1-01T00:00:00Z", "0000-01-01T00:00:00Z", "-001-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:60Z", "2024-01-01T00:00:00Zx", "2024/01/01T00:00:00Z",
        "２０24-01-01T00:00:00Z", "2024-01-01_00:00:00Z", "+024-01-01T00:00:00Z",
    ])
    func rejectsAllElse(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999Z"),
            (1_700_000_000_500_000, "2023-11-14T22:13:20.500000Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00Z"), (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"),
            (253_402_300_800_000_000, "10000-01-01T00:00:00Z"),
        ] as [(Int64, String)]
    )
    func writesRFC3339(_ microseconds: Int64, _ text: String) {
        #expect(Timestamp(microseconds: microseconds).rfc3339 == text)
    }

    @Test func whatIsWrittenReadsBack() {
        var generator = SeededRandom(seed: 11)
        for _ in 0..<5_000 {
            let timestamp = Timestamp(
                microseconds: Int64.random(in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &generator)
            )
            #expect(Timestamp(rfc3339: timestamp.rfc3339) == timestamp)
        }
        #expect(Timestamp(microseconds: .min).rfc3339.isEmpty == false)
        #expect(Timestamp(microseconds: .max).rfc3339.isEmpty == false)
    }

    /// A sent or configured duration may be longer than all time.
    @Test(arguments: [
        (Duration.seconds(1.5), Int64(1_500_000)), (.nanoseconds(-1_999), -1), (.seconds(Int64.max), .max),
        (.seconds(Int64.min), .min), (.microseconds(Int64.max), .max),
    ])
    func aDurationIsClampedToMicroseconds(duration: Duration, microseconds: Int64) {
        #expect(duration.wholeMicroseconds == microseconds)
        let time = Timestamp(microseconds: 1).advanced(by: duration)
        #expect(time.microseconds == (microseconds == .max ? .max : microseconds + 1))
    }
}
