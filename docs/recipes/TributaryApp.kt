// Tells Tributary what happens in an Android app: copy this file into the app. It needs nothing but Android itself
// (org.json is part of it). docs/app-kits.md explains it.
import java.io.File
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder
import java.text.SimpleDateFormat
import java.util.Date
import java.util.Locale
import java.util.TimeZone
import java.util.UUID
import org.json.JSONArray
import org.json.JSONException
import org.json.JSONObject

/**
 * Keeps events in a file until Tributary has them, so that none is lost and none counts twice.
 *
 *     val tributary = TributaryApp("https://events.example.com", "trib_a_…", context.noBackupFilesDir, "3.1")
 *     tributary.setConsent(true)            // at each launch, before anything else
 *     tributary.opened(intent.dataString)   // at each launch and each link; null: without a link
 *
 * Without consent it stores nothing, sends nothing, and forgets what it has stored. Every function may be called from
 * every thread; those that say so wait for the network, so call them in the background.
 *
 * - url: of Tributary, or of a route of your backend that passes requests on (docs/recipes.md).
 * - key: a key for apps (`tributary app add-key --scope app`); null if your backend adds it.
 * - folder: `noBackupFilesDir`, because a new phone is a new installation, also if it gets the old one's backup.
 */
class TributaryApp(
    private val url: String,
    private val key: String?,
    folder: File,
    private val appVersion: String? = null,
    private val now: () -> Long = System::currentTimeMillis
) {
    /** What the link of an installation leads to. */
    class DeferredLink(val clickID: String, val appURL: String?, val targetURL: String?)

    private class Answer(val status: Int, val text: String, val retryAfter: Long?)

    private val file = File(folder, "tributary.json")
    private val sending = Any()
    /** `device_id`, `has_install`, `events`; the `click_id` that the next event but a link tells. Null: no consent. */
    private var state: JSONObject? = null
    private var lastOpen: Long? = null
    private var failures = 0
    /** What the last request was answered with, for your own tests: 401 is a wrong key, null means no answer. */
    @Volatile
    var lastStatus: Int? = null
        private set
    /** The server asked for silence until then. */
    private var pausedUntil = 0L

    /** Call it at each launch with what the person has chosen. `false` deletes everything that is stored. */
    @Synchronized
    fun setConsent(isGiven: Boolean) {
        if (!isGiven) {
            state = null
            file.delete()
            return
        }
        if (state != null) return
        state = read() ?: JSONObject()
            .put("device_id", UUID.randomUUID().toString()).put("has_install", false).put("events", JSONArray())
        save()
    }

    /** Whether the `install` is still to be told: ask for the pasted link or the code now, if you do. */
    val isFirstLaunch: Boolean
        @Synchronized get() = state?.getBoolean("has_install") == false

    /** The id of this installation; null without consent. Your backend sends it with `user_id` at a login. */
    val deviceID: String?
        @Synchronized get() = state?.getString("device_id")

    /**
     * A link opened the app, or nothing did (null). The first call tells the `install`, too. Call [send] afterwards.
     *
     * - referrer: what Google's install referrer library says, at the first launch: `installReferrer`,
     *   `referrerClickTimestampServerSeconds` and `installBeginTimestampServerSeconds`.
     */
    @Synchronized
    fun opened(link: String?, referrer: String? = null, clickedAt: Long? = null, beganAt: Long? = null) {
        // An install is credited to what was before it.
        if (link != null) add("inbound_link", JSONObject().put("url", link))
        if (isFirstLaunch) {
            val fields = JSONObject().putOpt("install_referrer", referrer)
            // 0 stands for "not known".
            if (clickedAt != null && clickedAt > 0) fields.put("referrer_clicked_at", text(clickedAt * 1000))
            if (beganAt != null && beganAt > 0) fields.put("install_began_at", text(beganAt * 1000))
            state?.put("has_install", true)
            add("install", fields)
        }
        val last = lastOpen
        if (link == null && (last == null || now() - last > VISIT)) add("app_open")
        lastOpen = now()
    }

    /** The dialog for a story ended; pass on cancelled ones, too. `callback` is the URL that the dialog called. */
    fun posted(callback: String, dialog: String = "feed", ref: String? = null) =
        add("feed_post", JSONObject().put("callback_url", callback).put("dialog", dialog).putOpt("ref", ref))

    /**
     * Finds the tap of this installation by what the person has pasted or typed. Call it before [opened] at the first
     * launch: the `install` then names the tap. Later, the next event does. Waits for the network. Null: nothing was
     * found, or nobody answered.
     */
    fun findLinkPasted(text: String): DeferredLink? = findLink("text", text)

    fun findLinkByCode(code: String): DeferredLink? = findLink("code", code)

    private fun findLink(name: String, value: String): DeferredLink? {
        val device = deviceID ?: return null
        if (value.length !in 1..2_000) return null
        var query = "$name=" + URLEncoder.encode(value, "UTF-8")
        if (name == "code") query += "&device_id=$device"
        val answer = answer("/v1/deferred-links?$query", null) ?: return null
        if (answer.status != 200) return null
        try {
            val fields = JSONObject(answer.text)
            val click = fields.getString("click_id")
            synchronized(this) {
                state?.put("click_id", click)
                save()
            }
            fun place(name: String) = if (fields.isNull(name)) null else fields.getString(name)
            return DeferredLink(click, place("app_url"), place("target_url"))
        } catch (noJSON: JSONException) {
            return null
        }
    }

    /** Adds an event. Its id and its time are made now, once; `fields` are those of docs/event-reference.md. */
    @Synchronized
    fun add(type: String, fields: JSONObject = JSONObject()) {
        val state = state ?: return
        val event = JSONObject(fields.toString())
            .put("type", type).put("event_id", UUID.randomUUID().toString()).put("occurred_at", text(now()))
            .put("device_id", state.getString("device_id")).put("platform", "android")
            .putOpt("app_version", appVersion)
        // A link has its own click.
        if (type != "inbound_link") event.putOpt("click_id", state.remove("click_id"))
        val events = state.getJSONArray("events").put(event)
        // A phone that is offline for weeks keeps the newest.
        if (events.length() > EVENT_LIMIT) {
            val first = events.length() - EVENT_LIMIT
            state.put("events", JSONArray((first until events.length()).map { events[it] }))
        }
        save()
    }

    /** Sends what waits. Waits for the network. Call it when the app comes to the foreground, too. */
    fun send() {
        synchronized(sending) {
            while (true) {
                val batch = batch()
                if (batch.isEmpty() || now() < pausedUntil) return
                // By `sent_at`, Tributary sees how wrong the phone's clock is.
                val body = JSONObject().put("sent_at", text(now())).put("events", JSONArray(batch))
                val answer = answer("/v1/events", body.toString())
                // Stored, or refused for good: 422 if no event of the batch is valid.
                if (answer != null && answer.status in listOf(200, 202, 422)) {
                    failures = 0
                    forget(batch.map { it.getString("event_id") }.toSet())
                    continue
                }
                // No answer, too busy, or a wrong key or address: the events wait, with their ids.
                failures = minOf(failures + 1, 11)
                pausedUntil = now() + 1_000 * (answer?.retryAfter ?: (1L shl failures))
            }
        }
    }

    @Synchronized
    private fun batch(): List<JSONObject> {
        val events = state?.getJSONArray("events") ?: return emptyList()
        return (0 until minOf(events.length(), BATCH_SIZE)).map { JSONObject(events.getJSONObject(it).toString()) }
    }

    @Synchronized
    private fun forget(ids: Set<String>) {
        val state = state ?: return
        val events = state.getJSONArray("events")
        val all = (0 until events.length()).map { events.getJSONObject(it) }
        state.put("events", JSONArray(all.filter { it.getString("event_id") !in ids }))
        save()
    }

    /** Null if nobody answers. A body makes it a POST. */
    private fun answer(path: String, body: String?): Answer? = request(path, body).also { lastStatus = it?.status }

    private fun request(path: String, body: String?): Answer? {
        var connection: HttpURLConnection? = null
        try {
            connection = URL(url + path).openConnection() as HttpURLConnection
            connection.connectTimeout = 20_000
            connection.readTimeout = 20_000
            connection.instanceFollowRedirects = false
            if (key != null) connection.setRequestProperty("Authorization", "Bearer $key")
            if (body != null) {
                val bytes = body.toByteArray()
                connection.requestMethod = "POST"
                connection.doOutput = true
                connection.setFixedLengthStreamingMode(bytes.size)
                connection.setRequestProperty("Content-Type", "application/json")
                connection.outputStream.use { it.write(bytes) }
            }
            val status = connection.responseCode
            val stream = if (status < 400) connection.inputStream else connection.errorStream
            val text = stream?.use { it.readBytes().toString(Charsets.UTF_8) } ?: ""
            return Answer(status, text, connection.getHeaderField("Retry-After")?.toLongOrNull())
        } catch (noAnswer: IOException) {
            return null
        } finally {
            connection?.disconnect()
        }
    }

    private fun read(): JSONObject? =
        try {
            JSONObject(file.readText()).takeIf { it.has("device_id") && it.has("has_install") && it.has("events") }
        } catch (none: IOException) {
            null
        } catch (damaged: JSONException) {
            null
        }

    /** The file is replaced at once, so that a phone that is switched off finds the old one or the new one. */
    private fun save() {
        val next = File(file.path + ".next")
        try {
            next.outputStream().use {
                it.write(state.toString().toByteArray())
                it.fd.sync()
            }
            next.renameTo(file)
        } catch (full: IOException) {
            // The events are in memory, and may still be sent.
        }
    }

    private fun text(time: Long): String {
        val format = SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
        format.timeZone = TimeZone.getTimeZone("UTC")
        return format.format(Date(time))
    }

    private companion object {
        const val EVENT_LIMIT = 1_000
        const val BATCH_SIZE = 100
        /** Another open within half an hour is the same visit. */
        const val VISIT = 1_800_000L
    }
}
