// Tells Tributary what happens in an Android app: copy this file into the app. It needs nothing but Android 5 itself
// (org.json is part of it). docs/app-kits.md explains it.
import android.content.Intent
import android.os.Bundle
import java.io.File
import java.io.FileNotFoundException
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder
import java.text.SimpleDateFormat
import java.util.Date
import java.util.Locale
import java.util.TimeZone
import java.util.UUID
import java.util.concurrent.Executors
import org.json.JSONArray
import org.json.JSONException
import org.json.JSONObject

/**
 * Keeps events in a file until Tributary has them, so that none is lost and none counts twice.
 *
 *     val tributary = TributaryApp("https://events.example.com", "trib_a_…", context.noBackupFilesDir, "3.1")
 *     tributary.setConsent(true, alreadyInstalled = …)     // at each launch, before anything else
 *     tributary.opened(TributaryApp.link(intent, savedInstanceState))
 *     tributary.installed(…)                               // at the first launch
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
    /** A link that opened the app, and what Facebook puts beside it. */
    data class Link(
        val url: String,
        val targetURL: String? = null,
        val refererApp: String? = null,
        val refererURL: String? = null
    )

    /** What the link of an installation leads to. */
    data class DeferredLink(val clickID: String, val appURL: String?, val targetURL: String?)

    /** What became of a link that was pasted, or a code that was typed. */
    sealed class Finding {
        data class Found(val link: DeferredLink) : Finding()

        /** Wrong, too old, or another phone's: let the person look again. */
        object NotFound : Finding()

        /** Too many wrong ones: let the person wait so many seconds. */
        data class TooManyTries(val seconds: Long) : Finding()

        /** No network, or Tributary does not answer, or [lastStatus] says why it does not: keep what was typed. */
        object NoAnswer : Finding()
    }

    private class Answer(val status: Int, val text: String, val retryAfter: Long?)

    private val file = File(folder, "tributary.json")
    /** An empty file, left when the consent was taken back: the install was told. It names nobody. */
    private val mark = File(folder, "tributary.installed")
    private val sending = Any()
    /** Writes the file, because a disk may take longer than the main thread can wait. */
    private val writer = Executors.newSingleThreadExecutor { Thread(it, "tributary").apply { isDaemon = true } }
    /** `device_id`, `has_install`, `events`; the `click_id` that the next event but a link tells. Null: no consent. */
    private var state: JSONObject? = null
    /** What the app has said with its consent; null without consent. */
    private var alreadyInstalled: Boolean? = null
    private var lastOpen: Long? = null
    private var failures = 0
    /** What the last request was answered with, for your own tests: 401 is a wrong key, null means no answer. */
    @Volatile
    var lastStatus: Int? = null
        private set
    /** The server asked for silence until then. */
    private var pausedUntil = 0L

    /**
     * Call it at each launch with what the person has chosen. `false` deletes everything that is stored but one bit:
     * that the install was told.
     *
     * - alreadyInstalled: whether the app was on this phone before it had this kit. Then no install is told. It counts
     *   only as long as the kit has no file.
     */
    @Synchronized
    fun setConsent(isGiven: Boolean, alreadyInstalled: Boolean = false) {
        if (isGiven) {
            this.alreadyInstalled = alreadyInstalled
            load()
            return
        }
        val wasTold = state?.getBoolean("has_install") == true
        state = null
        this.alreadyInstalled = null
        writer.execute {
            if (wasTold) write("", mark)
            file.delete()
        }
        flush()
    }

    /**
     * Reads the file, or begins it. A file that cannot be read is not missing: before the first unlock after a start of
     * the phone it may be locked, and the next call tries again.
     */
    private fun load() {
        if (state != null) return
        val wasTold = (alreadyInstalled ?: return) || mark.exists()
        state = try {
            val known = JSONObject(file.readText())
            // A damaged file was one of an installation, too.
            if (known.has("device_id") && known.has("has_install") && known.has("events")) known else begin(true)
        } catch (damaged: JSONException) {
            begin(true)
        } catch (missing: FileNotFoundException) {
            if (file.exists()) return
            begin(wasTold)
        } catch (locked: IOException) {
            return
        }
        save()
    }

    private fun begin(hasInstall: Boolean) = JSONObject()
        .put("device_id", UUID.randomUUID().toString()).put("has_install", hasInstall).put("events", JSONArray())

    /** Whether the `install` is still to be told: ask for the install referrer now. */
    val isFirstLaunch: Boolean
        @Synchronized get() {
            load()
            return state?.getBoolean("has_install") == false
        }

    /** The id of this installation; null without consent. Your backend sends it with `user_id` at a login. */
    val deviceID: String?
        @Synchronized get() {
            load()
            return state?.getString("device_id")
        }

    /** A link opened the app, or nothing did (null). Call [send] afterwards. */
    @Synchronized
    fun opened(link: Link?) {
        val last = lastOpen
        if (link != null) {
            add(
                "inbound_link",
                JSONObject().put("url", link.url).putOpt("target_url", link.targetURL)
                    .putOpt("referer_app", link.refererApp).putOpt("referer_url", link.refererURL)
            )
        } else if (last == null || now() - last > VISIT) {
            add("app_open")
        }
        lastOpen = now()
    }

    /**
     * Tells the `install`, once; later calls do nothing. Call it after [opened], because an install is credited to what
     * was before it, and [send] afterwards. The three are what Google's install referrer library says:
     * `installReferrer`, `referrerClickTimestampServerSeconds` and `installBeginTimestampServerSeconds`.
     */
    @Synchronized
    fun installed(referrer: String? = null, clickedAt: Long? = null, beganAt: Long? = null) {
        if (!isFirstLaunch) return
        val fields = JSONObject().putOpt("install_referrer", referrer)
        // 0 stands for "not known".
        if (clickedAt != null && clickedAt > 0) fields.put("referrer_clicked_at", text(clickedAt * 1000))
        if (beganAt != null && beganAt > 0) fields.put("install_began_at", text(beganAt * 1000))
        state?.put("has_install", true)
        add("install", fields)
    }

    /** The dialog for a story ended; pass on cancelled ones, too. `callback` is the URL that the dialog called. */
    fun posted(callback: String, dialog: String = "feed", ref: String? = null) =
        add("feed_post", JSONObject().put("callback_url", callback).put("dialog", dialog).putOpt("ref", ref))

    /**
     * Finds the tap of this installation by what the person has pasted or typed. Call it before [installed] at the first
     * launch: the `install` then names the tap. Later, the next event does. Waits for the network.
     */
    fun findLinkPasted(text: String): Finding =
        // A request has room for about as much; the link is one of the words.
        if (text.length <= 2_000) findLink("text", text)
        else findLink("text", text.split(Regex("\\s+")).filter { "click_id" in it }.joinToString(" "))

    fun findLinkByCode(code: String): Finding = findLink("code", code)

    private fun findLink(name: String, value: String): Finding {
        if (value.length !in 1..2_000) return Finding.NotFound
        val device = deviceID ?: return Finding.NoAnswer
        var query = "$name=" + URLEncoder.encode(value, "UTF-8")
        if (name == "code") query += "&device_id=$device"
        val answer = answer("/v1/deferred-links?$query", null) ?: return Finding.NoAnswer
        if (answer.status == 429) return Finding.TooManyTries(answer.retryAfter ?: 60)
        try {
            val fields = JSONObject(answer.text)
            if (answer.status == 404 && fields.optString("code") == "no_link") return Finding.NotFound
            if (answer.status != 200) return Finding.NoAnswer
            val click = fields.getString("click_id")
            synchronized(this) {
                state?.put("click_id", click)
                save()
            }
            fun place(name: String) = if (fields.isNull(name)) null else fields.getString(name)
            return Finding.Found(DeferredLink(click, place("app_url"), place("target_url")))
        } catch (noJSON: JSONException) {
            return Finding.NoAnswer
        }
    }

    /** Adds an event. Its id and its time are made now, once; `fields` are those of docs/event-reference.md. */
    @Synchronized
    fun add(type: String, fields: JSONObject = JSONObject()) {
        load()
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
                if (batch.isEmpty() || now() < pausedUntil) break
                // By `sent_at`, Tributary sees how wrong the phone's clock is.
                val body = JSONObject().put("sent_at", text(now())).put("events", JSONArray(batch))
                val answer = answer("/v1/events", body.toString())
                val done = answer?.let { done(it, batch) } ?: emptySet()
                if (done.isNotEmpty()) {
                    failures = 0
                    forget(done)
                    continue
                }
                // No answer, too busy, or a wrong key or address: the events wait, with their ids.
                failures = minOf(failures + 1, 11)
                pausedUntil = now() + 1_000 * (answer?.retryAfter ?: (1L shl failures))
            }
        }
        flush()
    }

    @Synchronized
    private fun batch(): List<JSONObject> {
        load()
        val events = state?.getJSONArray("events") ?: return emptyList()
        val batch = (0 until minOf(events.length(), BATCH_SIZE)).map { JSONObject(events.getJSONObject(it).toString()) }
        var bytes = 0
        val fitting = batch.takeWhile {
            bytes += it.toString().toByteArray().size + 1
            bytes <= BATCH_BYTES
        }
        return if (fitting.isEmpty()) batch.take(1) else fitting
    }

    /** The ids that are stored, or refused for good. With 422 none of the batch is valid; only what is named counts. */
    private fun done(answer: Answer, batch: List<JSONObject>): Set<String> {
        val ids = batch.map { it.getString("event_id") }
        if (answer.status == 200 || answer.status == 202) return ids.toSet()
        if (answer.status != 422) return emptySet()
        return try {
            val rejected = JSONObject(answer.text).getJSONArray("rejected")
            (0 until rejected.length()).mapNotNull { ids.getOrNull(rejected.getJSONObject(it).getInt("index")) }.toSet()
        } catch (notOurs: JSONException) {
            emptySet()
        }
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

    private fun save() {
        val text = state.toString()
        writer.execute { write(text, file) }
    }

    /** Waits until what was saved is in the file. */
    private fun flush() {
        writer.submit {}.get()
    }

    /** The file is replaced at once, so that a phone that is switched off finds the old one or the new one. */
    private fun write(text: String, file: File) {
        val next = File(file.path + ".next")
        try {
            next.outputStream().use {
                it.write(text.toByteArray())
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

    companion object {
        private const val EVENT_LIMIT = 1_000
        private const val BATCH_SIZE = 100
        private const val BATCH_BYTES = 500_000
        /** Another open within half an hour is the same visit. */
        private const val VISIT = 1_800_000L

        /**
         * The link that opened an activity, with the data of its App Link, which Facebook puts into the extras.
         *
         * Null if none did, or if it was told before: after a rotation the activity gets the same intent again, and from
         * the list of recent apps an old one.
         *
         * - savedInstanceState: of `onCreate`; null in `onNewIntent`.
         */
        fun link(intent: Intent?, savedInstanceState: Bundle? = null): Link? {
            val url = intent?.dataString ?: return null
            if (savedInstanceState != null || intent.flags and Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY != 0) return null
            val data = intent.getBundleExtra("al_applink_data")
            val referer = data?.getBundle("referer_app_link")
            return Link(url, data?.getString("target_url"), referer?.getString("app_name"), referer?.getString("url"))
        }
    }
}
