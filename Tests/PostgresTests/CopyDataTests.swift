@testable import Postgres
import Testing

@Suite struct CopyDataTests {
    /// The cost of a row does not depend on the rows before it: no field copies the buffer.
    @Test func appendsInPlace() {
        let data = PostgresCopyData(capacity: 1 << 16)
        let buffer = ObjectIdentifier(data.buffer)
        for _ in 0..<10 {
            data.beginRow(fields: 13)
            data.appendNull()
            data.append(int16: nil)
            data.append(int16: 1)
            data.append(int32: 2)
            data.append(int64: 3)
            data.append(bool: true)
            data.append(timestamp: 5)
            data.append(uuidHigh: 6, low: 7)
            data.append(text: nil)
            data.append(text: "text")
            data.append(jsonb: "{}")
            data.append(textArray: ["a", "b"])
            data.append(numericMillionths: 1_500_000)
        }
        #expect(ObjectIdentifier(data.buffer) == buffer)
    }
}
