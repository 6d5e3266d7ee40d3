/// A date of the proleptic Gregorian calendar, without a time zone: days since 1970-01-01, negative before it.
package struct CivilDate: Hashable, Comparable, Sendable {
    package var number: Int

    package init(number: Int) {
        self.number = number
    }

    /// Nil for a date that does not exist, and for years outside of 1–9999.
    package init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, day >= 1, day <= Self.days(inMonth: month, of: year) else {
            return nil
        }
        // Howard Hinnant's `days_from_civil`: years begin in March, so that the leap day is the last day of its year.
        let marchYear = month <= 2 ? year - 1 : year
        let era = floorQuotient(marchYear, by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// By Howard Hinnant's `civil_from_days`.
    package var components: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = floorQuotient(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    package var firstOfMonth: CivilDate {
        CivilDate(number: number - components.day + 1)
    }

    /// Days since the Monday of its week (ISO 8601): 0 for Monday, 6 for Sunday.
    package var weekday: Int {
        // 1970-01-01 was a Thursday.
        number + 3 - floorQuotient(number + 3, by: 7) * 7
    }

    /// The Monday of its week (ISO 8601).
    package var monday: CivilDate {
        CivilDate(number: number - weekday)
    }

    package static func < (first: CivilDate, second: CivilDate) -> Bool {
        first.number < second.number
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CivilDate: LosslessStringConvertible {
    /// Reads `2026-01-31`. Nil for any other form, and for a date that does not exist.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2] else { return nil }
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(part) : nil
        }
        guard numbers.count == 3 else { return nil }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    /// `2026-01-31`.
    package var description: String {
        let (year, month, day) = components
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

extension Timestamp {
    /// The date in UTC.
    package var date: CivilDate {
        CivilDate(number: Int(floorQuotient(microseconds, by: Timestamp.microsecondsPerDay)))
    }

    /// The start of a date in UTC. Wraps for a date before or after all timestamps.
    package init(startOf date: CivilDate) {
        self.init(microseconds: Int64(date.number) &* Timestamp.microsecondsPerDay)
    }

    package static let microsecondsPerDay: Int64 = 86_400_000_000
}

/// A number with leading zeros, at least `width` digits long.
package func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// The quotient rounded down, even below zero.
@inlinable
package func floorQuotient<Number: BinaryInteger>(_ numerator: Number, by denominator: Number) -> Number {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    return remainder < 0 ? quotient - 1 : quotient
}
