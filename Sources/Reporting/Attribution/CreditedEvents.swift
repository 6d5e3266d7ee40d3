import Events
import Time
import Timelines

/// The events of a person that a report credits to touches.
struct CreditedEvents {
    var range: ReportRange
    var installs = true
    var conversions = true
    /// Credit only conversions with this name; nil for all.
    var goal: Code?
    /// Values in another currency count as 0.
    var currency: Code

    /// Ends early within a long person if its task is cancelled (``PersonTimeline/checkCancellation()``).
    func forEach(of person: borrowing PersonTimeline, _ body: (CreditedEvent) throws -> Void) rethrows {
        if installs {
            for position in person.countedInstalls where range.contains(person.events[position].occurredAt) {
                try body(
                    CreditedEvent(
                        position: position,
                        time: person.events[position].occurredAt,
                        isInstall: true,
                        value: 0
                    )
                )
            }
        }
        guard conversions else { return }
        for position in person.events.indices {
            guard case .conversion = person.events[position].type else { continue }
            if person.isLong, Task.isCancelled { return }
            let event = person.events[position]
            guard range.contains(event.occurredAt), goal == nil || goal == event.goal else { continue }
            let value = event.currency == currency ? event.value : 0
            try body(CreditedEvent(position: position, time: event.occurredAt, isInstall: false, value: value))
        }
    }
}
