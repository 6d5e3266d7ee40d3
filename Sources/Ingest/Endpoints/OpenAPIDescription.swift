/// `GET /openapi.yaml`. Tests hold it against ``Route``, ``ProblemCode`` and `Rejection.Code`.
enum OpenAPIDescription {
    static let text = #"""
        openapi: 3.1.0
        info:
          title: Tributary
          version: '1'
          summary: Takes events about inbound links, feed posts, installs and conversions; answers reports about them.
          description: |
            Every path that takes GET takes HEAD as well. Errors are problem documents (RFC 9457) with a stable `code`;
            each `code` always comes with the same status. 429 and 503 carry `Retry-After`. Every answer carries
            `X-Request-Id`, which names the request in the daemon's log. Under any other path the answer is 404, `not_found`.
          license:
            name: Apache License 2.0
            identifier: Apache-2.0
        servers:
          - url: /
        tags:
          - name: events
            description: Writing, with a write key.
          - name: reports
            description: Reading, with a read key.
          - name: daemon
            description: For operators; without a key.
        paths:
          /v1/events:
            post:
              tags: [events]
              operationId: storeEvents
              summary: Store one event or a batch
              description: |
                Valid events are stored even when others of the batch are rejected. An `event_id` is stored once for each
                app, so a batch can be sent again safely when its answer was lost.
              security:
                - key: []
              parameters:
                - $ref: '#/components/parameters/contentEncoding'
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      oneOf:
                        - $ref: '#/components/schemas/Event'
                        - $ref: '#/components/schemas/Batch'
                        - type: array
                          items:
                            $ref: '#/components/schemas/Event'
                          minItems: 1
                          maxItems: 5000
                    examples:
                      link:
                        value:
                          type: inbound_link
                          user_id: u-1
                          url: 'fb123://authorize#target_url=https%3A%2F%2Fshop.example%2F%3Fref%3Dspring'
                      batch:
                        value:
                          sent_at: '2026-11-21T10:00:05Z'
                          events:
                            - { type: install, device_id: d-1, platform: ios }
                            - { type: conversion, user_id: u-1, name: purchase, value: '9.90', currency: EUR }
                  application/x-ndjson:
                    schema:
                      type: string
                      description: An event a line.
              responses:
                '200':
                  $ref: '#/components/responses/Stored'
                '202':
                  $ref: '#/components/responses/Spooled'
                '400':
                  $ref: '#/components/responses/BadRequest'
                '401':
                  $ref: '#/components/responses/Unauthorized'
                '403':
                  $ref: '#/components/responses/Forbidden'
                '405':
                  $ref: '#/components/responses/MethodNotAllowed'
                '408':
                  $ref: '#/components/responses/RequestTimeout'
                '413':
                  $ref: '#/components/responses/TooLarge'
                '414':
                  $ref: '#/components/responses/TargetTooLong'
                '415':
                  $ref: '#/components/responses/Unsupported'
                '422':
                  $ref: '#/components/responses/NoValidEvent'
                '429':
                  $ref: '#/components/responses/RateLimited'
                '431':
                  $ref: '#/components/responses/HeadersTooLarge'
                '503':
                  $ref: '#/components/responses/TryAgain'
          /v1/inbound-links:
            post:
              tags: [events]
              operationId: storeInboundLinks
              summary: Store inbound links
              description: As `/v1/events`, with `type` being `inbound_link` unless it is said.
              security:
                - key: []
              parameters:
                - $ref: '#/components/parameters/contentEncoding'
              requestBody:
                $ref: '#/components/requestBodies/ImpliedType'
              responses:
                '200':
                  $ref: '#/components/responses/Stored'
                '202':
                  $ref: '#/components/responses/Spooled'
                '400':
                  $ref: '#/components/responses/BadRequest'
                '401':
                  $ref: '#/components/responses/Unauthorized'
                '403':
                  $ref: '#/components/responses/Forbidden'
                '405':
                  $ref: '#/components/responses/MethodNotAllowed'
                '408':
                  $ref: '#/components/responses/RequestTimeout'
                '413':
                  $ref: '#/components/responses/TooLarge'
                '414':
                  $ref: '#/components/responses/TargetTooLong'
                '415':
                  $ref: '#/components/responses/Unsupported'
                '422':
                  $ref: '#/components/responses/NoValidEvent'
                '429':
                  $ref: '#/components/responses/RateLimited'
                '431':
                  $ref: '#/components/responses/HeadersTooLarge'
                '503':
                  $ref: '#/components/responses/TryAgain'
          /v1/feed-posts:
            post:
              tags: [events]
              operationId: storeFeedPosts
              summary: Store feed posts
              description: As `/v1/events`, with `type` being `feed_post` unless it is said.
              security:
                - key: []
              parameters:
                - $ref: '#/components/parameters/contentEncoding'
              requestBody:
                $ref: '#/components/requestBodies/ImpliedType'
              responses:
                '200':
                  $ref: '#/components/responses/Stored'
                '202':
                  $ref: '#/components/responses/Spooled'
                '400':
                  $ref: '#/components/responses/BadRequest'
                '401':
                  $ref: '#/components/responses/Unauthorized'
                '403':
                  $ref: '#/components/responses/Forbidden'
                '405':
                  $ref: '#/components/responses/MethodNotAllowed'
                '408':
                  $ref: '#/components/responses/RequestTimeout'
                '413':
                  $ref: '#/components/responses/TooLarge'
                '414':
                  $ref: '#/components/responses/TargetTooLong'
                '415':
                  $ref: '#/components/responses/Unsupported'
                '422':
                  $ref: '#/components/responses/NoValidEvent'
                '429':
                  $ref: '#/components/responses/RateLimited'
                '431':
                  $ref: '#/components/responses/HeadersTooLarge'
                '503':
                  $ref: '#/components/responses/TryAgain'
          /v1/reports/{name}:
            get:
              tags: [reports]
              operationId: getReport
              summary: Run a report
              description: |
                The parameters are those of `tributary report NAME` on the command line, without the dashes. A report is
                exact: it reflects every event that was answered with 200 before it was asked for.
              security:
                - key: []
                - password: []
              parameters:
                - name: name
                  in: path
                  required: true
                  schema:
                    enum: [channels, refs, funnel, installs, attribution, posts, retention, paths, compare, viral]
                - name: format
                  in: query
                  description: Wins over `Accept`. Default `json`.
                  schema:
                    enum: [csv, json]
                - name: from
                  in: query
                  description: Start of the range, inclusive; a date in the report's time zone, or RFC 3339.
                  schema:
                    type: string
                - name: to
                  in: query
                  description: End of the range, exclusive.
                  schema:
                    type: string
                - name: tz
                  in: query
                  description: Time zone of the report. Default the app's.
                  schema:
                    type: string
                - name: goal
                  in: query
                  description: Of channels, refs, attribution and paths. Only conversions of this name.
                  schema:
                    type: string
                  example: purchase
                - name: lookback
                  in: query
                  description: Of channels, refs, attribution, paths and viral. At most 90 days; default `7d`.
                  schema:
                    type: string
                  example: 7d
                - name: steps
                  in: query
                  description: |
                    Of funnel and compare. Two to eight, separated by commas; several events may serve one step:
                    `install|authentication`.
                  schema:
                    type: string
                  example: "inbound_link,authentication,conversion:purchase"
                - name: window
                  in: query
                  description: Of funnel, installs and compare. At most 90 days; default `7d`.
                  schema:
                    type: string
                  example: 36h
                - name: by
                  in: query
                  description: |
                    Of funnel, installs, retention, attribution, compare and viral: what rows are grouped by, some of
                    `none`, `channel`, `ref`, `referer_app`, `platform`, `day` and `target_url`; of funnel and installs
                    also two: `channel,ref`. Of channels, refs and posts: `day`, `week` or `month`, the periods that are
                    counted each for itself.
                  schema:
                    type: string
                  example: channel
                - name: step-window
                  in: query
                  description: |
                    Of funnel, installs and compare. How long single steps may take: `1:1h,2:3d` is at most an hour from
                    step 1 to step 2, and three days from step 2 to step 3.
                  schema:
                    type: string
                  example: "1:1h"
                - name: order
                  in: query
                  description: Of funnel, installs and compare. Default `sequential`.
                  schema:
                    enum: [sequential, strict, any]
                - name: exclude
                  in: query
                  description: |
                    Of funnel, installs and compare. Events, named like steps and separated by commas, that must not occur
                    between the first and the last event.
                  schema:
                    type: string
                  example: feed_post
                - name: times
                  in: query
                  description: Of funnel and installs. Percentiles and a histogram of the times to the steps.
                  schema:
                    type: boolean
                - name: compare-previous
                  in: query
                  description: Of funnel and installs. Beside the preceding range of the same length, with p-values.
                  schema:
                    type: boolean
                - name: event
                  in: query
                  description: Of attribution.
                  schema:
                    enum: [install, conversion]
                - name: model
                  in: query
                  description: Of attribution. One, several separated by commas, or `all`.
                  schema:
                    type: string
                  example: "last,linear"
                - name: period
                  in: query
                  description: Of retention.
                  schema:
                    enum: [day, week]
                - name: periods
                  in: query
                  description: Of retention. How many.
                  schema:
                    type: integer
                    minimum: 1
                - name: limit
                  in: query
                  description: Of paths. The most paths shown.
                  schema:
                    type: integer
                    minimum: 1
                - name: a
                  in: query
                  description: Of compare, which needs it. A ref or a channel.
                  schema:
                    type: string
                  example: search
                - name: b
                  in: query
                  description: Of compare, which needs it. The other ref or channel, or several separated by commas.
                  schema:
                    type: string
                  example: "bookmarks,story_links"
                - name: If-None-Match
                  in: header
                  description: The `ETag` of an earlier answer.
                  schema:
                    type: string
              responses:
                '200':
                  description: The report.
                  headers:
                    ETag:
                      description: Strong; made of the bytes of the answer.
                      schema:
                        type: string
                    Content-Disposition:
                      description: Of CSV. `attachment`, with a file name.
                      schema:
                        type: string
                    Cache-Control:
                      schema:
                        const: private, no-cache
                  content:
                    application/json:
                      schema: {}
                    text/csv:
                      schema:
                        type: string
                '304':
                  description: The report is what the sender has already.
                '400':
                  $ref: '#/components/responses/BadRequest'
                '401':
                  $ref: '#/components/responses/Unauthorized'
                '403':
                  $ref: '#/components/responses/Forbidden'
                '405':
                  $ref: '#/components/responses/MethodNotAllowed'
                '414':
                  $ref: '#/components/responses/TargetTooLong'
                '429':
                  $ref: '#/components/responses/RateLimited'
                '431':
                  $ref: '#/components/responses/HeadersTooLarge'
                '503':
                  $ref: '#/components/responses/TryAgain'
          /healthz:
            get:
              tags: [daemon]
              operationId: getHealth
              summary: Whether the daemon is alive
              responses:
                '200':
                  description: It is.
                  content:
                    application/json:
                      schema:
                        type: object
                        properties:
                          status:
                            const: ok
                '400':
                  $ref: '#/components/responses/BadRequest'
                '405':
                  $ref: '#/components/responses/MethodNotAllowed'
                '414':
                  $ref: '#/components/responses/TargetTooLong'
                '431':
                  $ref: '#/components/responses/HeadersTooLarge'
          /readyz:
            get:
              tags: [daemon]
              operationId: getReadiness
              summary: Whether events can be stored now
              responses:
                '200':
                  description: They can.
                  content:
                    application/json:
                      schema:
                        type: object
                        properties:
                          status:
                            const: ready
                          details:
                            type: object
                '400':
                  $ref: '#/components/responses/BadRequest'
                '405':
                  $ref: '#/components/responses/MethodNotAllowed'
                '414':
                  $ref: '#/components/responses/TargetTooLong'
                '431':
                  $ref: '#/components/responses/HeadersTooLarge'
                '503':
                  $ref: '#/components/responses/TryAgain'
          /metrics:
            get:
              tags: [daemon]
              operationId: getMetrics
              summary: Metrics in Prometheus' text format 0.0.4
              responses:
                '200':
                  description: The metrics.
                  content:
                    text/plain:
                      schema:
                        type: string
                '400':
                  $ref: '#/components/responses/BadRequest'
                '405':
                  $ref: '#/components/responses/MethodNotAllowed'
                '414':
                  $ref: '#/components/responses/TargetTooLong'
                '431':
                  $ref: '#/components/responses/HeadersTooLarge'
          /openapi.yaml:
            get:
              tags: [daemon]
              operationId: getDescription
              summary: This description
              responses:
                '200':
                  description: The description.
                  content:
                    application/yaml:
                      schema:
                        type: object
                '400':
                  $ref: '#/components/responses/BadRequest'
                '405':
                  $ref: '#/components/responses/MethodNotAllowed'
                '414':
                  $ref: '#/components/responses/TargetTooLong'
                '431':
                  $ref: '#/components/responses/HeadersTooLarge'
        components:
          securitySchemes:
            key:
              type: http
              scheme: bearer
              description: A key of one app, for writing or for reading.
            password:
              type: http
              scheme: basic
              description: |
                For spreadsheets and BI tools. A read key as the password; the user name is not looked at.
          parameters:
            contentEncoding:
              name: Content-Encoding
              in: header
              description: The body has at most 8 MiB as sent and 32 MiB once decompressed.
              schema:
                enum: [gzip, identity, '']
          requestBodies:
            ImpliedType:
              required: true
              content:
                application/json:
                  schema:
                    oneOf:
                      - $ref: '#/components/schemas/Event'
                      - $ref: '#/components/schemas/Batch'
                      - type: array
                        items:
                          $ref: '#/components/schemas/Event'
                        minItems: 1
                        maxItems: 5000
                application/x-ndjson:
                  schema:
                    type: string
                    description: An event a line.
                application/x-www-form-urlencoded:
                  schema:
                    description: One event; `ref` may be repeated.
                    $ref: '#/components/schemas/Event'
          headers:
            RetryAfter:
              description: Seconds to wait before the next try.
              schema:
                type: integer
                minimum: 1
          responses:
            Stored:
              description: All that was accepted is committed in PostgreSQL.
              content:
                application/json:
                  schema:
                    $ref: '#/components/schemas/Receipt'
            Spooled:
              description: The database is away. The events are on disk, fsynced, and will be delivered.
              content:
                application/json:
                  schema:
                    $ref: '#/components/schemas/Receipt'
            BadRequest:
              description: The request, its body as a whole, or a parameter is malformed.
              content:
                application/problem+json:
                  schema:
                    $ref: '#/components/schemas/Problem'
            Unauthorized:
              description: No key, or an unknown, revoked or expired one.
              headers:
                WWW-Authenticate:
                  schema:
                    type: string
              content:
                application/problem+json:
                  schema:
                    $ref: '#/components/schemas/Problem'
            Forbidden:
              description: A read key where a write key is needed, or the other way round.
              headers:
                WWW-Authenticate:
                  schema:
                    type: string
              content:
                application/problem+json:
                  schema:
                    $ref: '#/components/schemas/Problem'
            MethodNotAllowed:
              description: The path is for other methods.
              headers:
                Allow:
                  schema:
                    type: string
              content:
                application/problem+json:
                  schema:
                    $ref: '#/components/schemas/Problem'
            RequestTimeout:
              description: The body took too long to arrive.
              content:
                application/problem+json:
                  schema:
                    $ref: '#/components/schemas/Problem'
            TooLarge:
              description: More bytes, events or values than a batch may have.
              content:
                application/problem+json:
                  schema:
                    $ref: '#/components/schemas/Problem'
            TargetTooLong:
              description: The request's target is too long.
              content:
                application/problem+json:
                  schema:
                    $ref: '#/components/schemas/Problem'
            Unsupported:
              description: Another media type or content encoding than those that are understood.
              content:
                application/problem+json:
                  schema:
                    $ref: '#/components/schemas/Problem'
            NoValidEvent:
              description: Every event of the batch was rejected. They are kept as dead letters.
              content:
                application/problem+json:
                  schema:
                    $ref: '#/components/schemas/Problem'
            RateLimited:
              description: The key's requests come too fast.
              headers:
                Retry-After:
                  $ref: '#/components/headers/RetryAfter'
                RateLimit:
                  schema:
                    type: string
                RateLimit-Policy:
                  schema:
                    type: string
              content:
                application/problem+json:
                  schema:
                    $ref: '#/components/schemas/Problem'
            HeadersTooLarge:
              description: The header fields are too many or too large.
              content:
                application/problem+json:
                  schema:
                    $ref: '#/components/schemas/Problem'
            TryAgain:
              description: Nothing can be stored or read now. The same request may be sent again.
              headers:
                Retry-After:
                  $ref: '#/components/headers/RetryAfter'
              content:
                application/problem+json:
                  schema:
                    $ref: '#/components/schemas/Problem'
          schemas:
            Batch:
              type: object
              additionalProperties: false
              required: [events]
              properties:
                events:
                  type: array
                  items:
                    $ref: '#/components/schemas/Event'
                  minItems: 1
                  maxItems: 5000
                sent_at:
                  type: string
                  format: date-time
                  description: |
                    The sender's clock as it sends. Where it differs from the time of receipt by more than 5 s, each
                    `occurred_at` is shifted by the difference.
                app_id:
                  type: string
                  description: Must be the key's app.
            Event:
              type: object
              additionalProperties: false
              description: |
                At most 32 KiB. At least one of `user_id`, `device_id`, `click_id`, save for `feed_post` and `link_click`.
              properties:
                type:
                  enum: [inbound_link, feed_post, link_click, install, authentication, conversion]
                event_id:
                  type: string
                  format: uuid
                  description: Made by the client. Without it, the event cannot be retried safely.
                app_id:
                  type: string
                  description: Must be the key's app.
                occurred_at:
                  type: string
                  format: date-time
                  description: Default the time of receipt.
                sent_at:
                  type: string
                  format: date-time
                  description: As in a batch, for an event that is sent alone.
                user_id:
                  type: string
                  minLength: 1
                  maxLength: 256
                device_id:
                  type: string
                  minLength: 1
                  maxLength: 256
                click_id:
                  type: string
                  minLength: 1
                  maxLength: 256
                platform:
                  enum: [ios, android, web, desktop]
                properties:
                  type: object
                  description: Free data, at most 4 KiB.
                url:
                  type: string
                  description: The raw link; of inbound_link, link_click and install.
                target_url:
                  type: string
                ref:
                  oneOf:
                    - type: string
                      description: Separated by commas.
                    - type: array
                      items:
                        type: string
                        maxLength: 256
                      maxItems: 16
                channel:
                  enum: [search, bookmarks, requests, story_attribution, story_links, other, unattributed]
                referer_app:
                  type: string
                referer_url:
                  type: string
                authenticated:
                  type: boolean
                deferred:
                  type: boolean
                clicked_at:
                  type: string
                  format: date-time
                post_id:
                  type: string
                paid:
                  type: boolean
                callback_url:
                  type: string
                  description: The raw callback of a dialog; of feed_post.
                dialog:
                  enum: [feed, share]
                  default: feed
                outcome:
                  enum: [posted, cancelled, failed, unconfirmed]
                link:
                  type: string
                  description: The URL that the story was posted with.
                composer:
                  enum: [feed_dialog, share_dialog, open_graph, stories, request_dialog]
                action_type:
                  type: string
                object_id:
                  type: string
                error_code:
                  type: [integer, string]
                  description: A whole number, also as a string.
                error_message:
                  type: string
                limit_ad_tracking:
                  type: boolean
                name:
                  type: string
                  description: Of conversion, which needs it.
                value:
                  type: [string, number]
                  description: |
                    With `currency`, or neither. What is smaller than a millionth is rounded, halves away from zero.
                currency:
                  type: string
                  pattern: '^[A-Za-z]{3}$'
            Receipt:
              type: object
              required: [accepted, duplicates, stored, rejected]
              properties:
                accepted:
                  type: integer
                  description: |
                    Events that are stored now and were not before. With `duplicates` and `rejected` this makes the batch.
                duplicates:
                  type: integer
                  description: |
                    Events that had been stored before. With 202 only the ids that the batch itself repeats: the rest shows at delivery.
                stored:
                  enum: [database, spool]
                event_ids:
                  type: array
                  description: The ids that were made for events without one; absent when none was.
                  items:
                    type: object
                    required: [index, event_id]
                    properties:
                      index:
                        type: integer
                      event_id:
                        type: string
                        format: uuid
                rejected:
                  type: array
                  items:
                    $ref: '#/components/schemas/Rejection'
            Rejection:
              type: object
              required: [index, code, message]
              properties:
                index:
                  type: integer
                  description: Position in the batch, from 0.
                event_id:
                  type: string
                  description: As it was sent.
                code:
                  $ref: '#/components/schemas/RejectionCode'
                field:
                  type: string
                message:
                  type: string
            RejectionCode:
              enum:
                - invalid_json
                - invalid_text
                - not_an_object
                - unknown_field
                - missing_field
                - invalid_type
                - invalid_value
                - unknown_type
                - too_large
                - in_future
                - too_old
                - junk_id
                - app_mismatch
                - login_result
                - not_a_feed_post
                - invalid
                - refused
                - invalid_row
            Problem:
              type: object
              required: [type, title, status, detail, code]
              properties:
                type:
                  type: string
                  description: '`urn:tributary:problem:` and the code.'
                title:
                  type: string
                status:
                  type: integer
                detail:
                  type: string
                code:
                  $ref: '#/components/schemas/ProblemCode'
                field:
                  type: string
                  description: The field, parameter or header at fault.
                allowed:
                  type: array
                  items:
                    type: string
                  description: What could be said instead.
                rejected:
                  type: array
                  items:
                    $ref: '#/components/schemas/Rejection'
                  description: With no_valid_event.
                reasons:
                  type: array
                  items:
                    type: string
                  description: With not_ready.
                details:
                  type: object
                  description: With not_ready.
            ProblemCode:
              oneOf:
        \#(problemCodes)

        """#

    /// A line for each code, from the one table.
    private static let problemCodes = ProblemCode.allCases
        .map { "        - { const: \($0.rawValue), description: '\($0.status): \($0.title)' }" }
        .joined(separator: "\n")
}
