import Postgres
@testable import Storage

extension StorageTesting {
    /// Gives each app a row in each table of what people set. One of two users has a role in every app, the other in
    /// `shop`.
    func storeSettings() async throws {
        for app in try await AppStore(pool: pool).list() {
            _ = try await AppStore(pool: pool).setRules("refs: [utm_campaign]", of: app)
            try await AppStore(pool: pool).declare(AppProperty("plan", of: .person), of: app)
        }
        try await run("insert into reread select app_number, 1, now(), now(), 0 from app")
        try await run(
            """
            insert into question (app_number, name, report, parameter_names, parameter_values)
            select app_number, 'weekly', 'refs', '{}', '{}' from app;
            insert into click_code_use (app_number, click_id) select app_number, gen_random_uuid() from app;
            insert into app_secret (app_number, meta_referrer_key)
            select app_number, decode(repeat('ab', 32), 'hex') from app
            """
        )
        try await run(
            """
            insert into question_schedule (
                app_number, question_number, period, send_day, send_minute, format, target
            )
            select app_number, question_number, 'day', 0, 480, 'csv', 'mail:ann@example.com' from question
            """
        )
        try await run(
            """
            insert into question_run (schedule_number, app_number, period_start, period_end)
            select schedule_number, app_number, current_date, current_date + 1 from question_schedule
            """
        )
        try await run("insert into note (app_number, day, text) select app_number, current_date, 'x' from app")
        try await run(
            """
            insert into shared_page (app_number, question_number, secret_hash, expires_at, created_by)
            select app_number, question_number, decode(md5(app_id), 'hex'), now() + interval '1 day', 'x'
            from question join app using (app_number);
            with made as (
                insert into dashboard_user (email) values ('ann@example.com'), ('bob@example.com')
                returning user_number, email
            )
            insert into dashboard_role (user_number, app_number, role)
            select user_number, app_number, 'viewer'
            from made, app
            where email = 'ann@example.com' or app_id = 'shop';
            insert into dashboard_invitation (token_hash, user_number, app_number, sets_password, created_by)
            select int4send(app_number), min(user_number), app_number, false, 'x'
            from dashboard_role
            group by app_number;
            insert into dashboard_session (session_hash, user_number, app_number)
            select int4send(app_number), min(user_number), app_number from dashboard_role group by app_number
            """
        )
        try await run(
            """
            insert into exchange_rate (app_number, currency, day, numerator, denominator)
            select app_number, 'CHF', current_date, 1, 2 from app;
            insert into cost (app_number, kind, name, starts_on, ends_on, amount, currency)
            select app_number, 'ref', 'x', current_date, current_date + 1, 1, 'USD' from app
            """
        )
        try await run(
            """
            insert into webhook (
                webhook_id, app_number, url, parameter_names, parameter_values, settle, secret, position
            )
            select 'wh_' || app_id, app_number, 'https://example.com', '{}', '{}', '1 day', 'x', 0 from app;
            insert into webhook_event (
                app_number, webhook_id, event_id, occurred_at, received_at, transaction_number
            )
            select app_number, webhook_id, gen_random_uuid(), now(), now(), 1 from webhook;
            insert into webhook_person_key (app_number, key, webhook_id, person)
            select app_number, 'd' || app_id, webhook_id, 'u' || app_id from webhook join app using (app_number);
            insert into webhook_delivery (
                app_number, webhook_id, number, message_id, event_id, occurred_at, body, mentioned
            )
            select app_number, webhook_id, 1, 'msg_1', gen_random_uuid(), now(), '{}', '{}' from webhook
            """
        )
    }
}
