import CoreMetrics
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Ingest

@Suite("Metrics")
struct MetricsTests {
    @Test func exposesEachKind() {
        let metrics = PrometheusMetrics()
        metrics.describe([
            MetricDescription("t_size_bytes", .histogram, "Sizes\nof \\things", buckets: [1, 10])
        ])
        Counter(label: "t_things_total", dimensions: [("kind", "a\"b\\c\nd"), ("app", "1")], factory: metrics)
            .increment(by: 3)
        Counter(label: "t_things_total", dimensions: [("app", "1"), ("kind", "a\"b\\c\nd")], factory: metrics)
            .increment()
        FloatingPointCounter(label: "t_seconds_total", factory: metrics).increment(by: 0.5)
        Meter(label: "t_level", factory: metrics).set(-2.5)
        let sizes = Recorder(label: "t_size_bytes", factory: metrics)
        for size in [0.5, 1, 2, 100] { sizes.record(size) }
        Gauge(label: "t-last.value", factory: metrics).record(7)
        let lines = metrics.exposition().split(separator: "\n").filter { !$0.contains("process_") }.map(String.init)
        #expect(
            lines == [
                "# HELP t_last_value t_last_value",
                "# TYPE t_last_value gauge",
                "t_last_value 7",
                "# HELP t_level t_level",
                "# TYPE t_level gauge",
                "t_level -2.5",
                "# HELP t_seconds_total t_seconds_total",
                "# TYPE t_seconds_total counter",
                "t_seconds_total 0.5",
                "# HELP t_size_bytes Sizes\\nof \\\\things",
                "# TYPE t_size_bytes histogram",
                "t_size_bytes_bucket{le=\"1\"} 2",
                "t_size_bytes_bucket{le=\"10\"} 3",
                "t_size_bytes_bucket{le=\"+Inf\"} 4",
                "t_size_bytes_sum 103.5",
                "t_size_bytes_count 4",
                "# HELP t_things_total t_things_total",
                "# TYPE t_things_total counter",
                "t_things_total{app=\"1\",kind=\"a\\\"b\\\\c\\nd\"} 4",
            ]
        )
    }

    @Test func exposesSecondsOfATimer() {
        let metrics = PrometheusMetrics()
        let timer = Timer(label: "t_wait_seconds", factory: metrics)
        timer.recordNanoseconds(1_500_000)
        timer.recordSeconds(60)
        let text = metrics.exposition()
        #expect(text.contains("t_wait_seconds_bucket{le=\"0.001\"} 0\n"))
        #expect(text.contains("t_wait_seconds_bucket{le=\"0.0025\"} 1\n"))
        #expect(text.contains("t_wait_seconds_bucket{le=\"10\"} 1\n"))
        #expect(text.contains("t_wait_seconds_bucket{le=\"+Inf\"} 2\n"))
        #expect(text.contains("t_wait_seconds_sum 60.0015\n"))
    }

    @Test func keepsKindsOfOneNameApart() {
        let metrics = PrometheusMetrics()
        Counter(label: "t", factory: metrics).increment()
        Meter(label: "t", factory: metrics).set(5)
        FloatingPointCounter(label: "t", factory: metrics).increment(by: 9)
        let text = metrics.exposition()
        #expect(text.contains("# TYPE t counter\nt 1\n"))
        #expect(text.contains("# TYPE t_gauge gauge\nt_gauge 5\n"))
    }

    @Test func neverCountsDown() {
        let metrics = PrometheusMetrics()
        let counter = Counter(label: "t_total", factory: metrics)
        counter.increment(by: 2)
        counter.increment(by: -1)
        FloatingPointCounter(label: "u_total", factory: metrics).increment(by: Double.nan)
        Recorder(label: "v_seconds", factory: metrics).record(Double.infinity)
        #expect(metrics.exposition().contains("t_total 2\n"))
        #expect(metrics.exposition().contains("u_total 0\n"))
        #expect(metrics.exposition().contains("v_seconds_count 0\n"))
    }

    #if os(Linux)
        @Test(arguments: [
            "process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds",
            "process_start_time_seconds",
        ])
        func exposesTheProcess(name: String) throws {
            let line = try #require(
                PrometheusMetrics().exposition().split(separator: "\n").first { $0.hasPrefix("\(name) ") }
            )
            let value = try #require(Double(line.dropFirst(name.count + 1)))
            #expect(value > 0)
        }
    #endif

    @Test func countsWhatRequestsDo() async throws {
        let daemon = Daemon()
        try await daemon.test { client in
            let id = WriteEndpointTests.id
            let event = #"{"type":"authentication","event_id":"\#(id)","user_id":"ann"}"#
            _ = try await client.post("/v1/events", #"{"events":[\#(event),\#(event),{"type":"x"}]}"#)
            _ = try await client.post("/v1/events", "{oops")
            _ = try await client.get("/nowhere")
            let response = try await client.get("/metrics", key: nil)
            #expect(response.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
            let lines = Set(response.text.split(separator: "\n").map(String.init))
            for line in [
                #"tributary_http_requests_total{route="/v1/events",status="200"} 1"#,
                #"tributary_http_requests_total{route="/v1/events",status="400"} 1"#,
                #"tributary_http_requests_total{route="none",status="404"} 1"#,
                #"tributary_http_request_duration_seconds_count{route="/v1/events"} 2"#,
                #"tributary_http_problems_total{code="malformed_body"} 1"#,
                #"tributary_http_problems_total{code="overloaded"} 0"#,
                #"tributary_ingest_events_accepted_total{stored="database"} 1"#,
                #"tributary_ingest_events_accepted_total{stored="spool"} 0"#,
                #"tributary_ingest_events_duplicate_total 1"#,
                #"tributary_ingest_events_rejected_total{code="unknown_type"} 1"#,
                #"tributary_ingest_batch_events_bucket{le="2"} 0"#,
                #"tributary_ingest_batch_events_bucket{le="5"} 1"#,
                "tributary_ingest_in_flight_bytes 0",
                "tributary_ingest_in_flight_requests 0",
            ] {
                #expect(lines.contains(line), "\(line)")
            }
        }
    }

    @Test func countsConnectionsAndWhatIsNoRequest() async throws {
        let daemon = Daemon()
        let metrics = daemon.metrics
        _ = try await daemon.testLive { port in
            _ = try await RawConnection.run([.send("rubbish\r\n\r\n")], port: port)
            let text = try await RawConnection.run(
                [.send("GET /metrics HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")],
                port: port
            )
            #expect(text.contains(#"tributary_http_requests_total{route="none",status="400"} 1"#))
            #expect(text.contains("tributary_http_connections "))
        }
        #expect(metrics.exposition().contains("tributary_http_connections 0\n"))
    }
}
