package app.tributary

import java.io.File
import java.io.FileNotFoundException
import java.io.IOException
import java.text.SimpleDateFormat
import java.util.Date
import java.util.Locale
import java.util.TimeZone
import java.util.UUID
import java.util.concurrent.Executor
import java.util.concurrent.Executors
import java.util.function.Consumer
import org.json.JSONArray
import org.json.JSONObject

/**
 * Tells Tributary what happens in an app. Keeps events in a file until Tributary has them, so that none is lost and none
 * counts twice.
 *
 *     val tributary = TributaryAndroid.create(context, "https://events.example.com", "trib_a_…")
 *     tributary.setConsent(true, TributaryAndroid.wasHere(context))  // at each launch, before anything else
 *     tributary.opened(TributaryAndroid.link(intent, savedInstanceState))
 *     tributary.installed(…)                                         // at the first launch
 *
 * Without consent it stores nothing, sends nothing, and forgets what it has stored. Every function may be called from
 * every thread and returns at once: the kit works on threads of its own. Callbacks are called once.
 */
class TributaryApp internal constructor(private val url: String, private val key: String?, private val world: World) {
    /** A link that opened the app, and what Facebook puts beside it. */
    data class Link @JvmOverloads constructor(
        val url: String,
        val targetURL: String? = null,
        val refererApp: String? = null,
        val refererURL: String? = null
    )

    /** What the link of an installation leads to. */
    data class DeferredLink(val clickID: String, val appURL: String?, val targetURL: String?)

    /** What became of a link that was pasted, a code that was typed, or the referrer of an installation. */
    sealed class Finding {
        data class Found(val link: DeferredLink) : Finding()

        /** Wrong, too old, another phone's, or none: let the person look again. */
        object NotFound : Finding()

        /** Too many wrong ones: let the person wait so many seconds. */
        data class TooManyTries(val seconds: Long) : Finding()

        /** No network, or Tributary does not answer, or [lastStatus] says why it does not: keep what was typed. */
        object NoAnswer : Finding()
    }

    /** What surrounds the kit: a test replaces it. */
    internal class World(
        val folder: () -> File,
        val appVersion: () -> String?,
        val debug: Consumer<String>?,
        /** Where callbacks are called. */
        val callbacks: Executor,
        val now: () -> Long = System::currentTimeMillis,
        val makeID: () -> String = { UUID.randomUUID().toString() },
        val ask: (url: String, key: String?, body: String?) -> Answer? = Transport()::ask,
        /** Runs one thing after the other: what reads and changes the state. */
        val worker: Executor = Executors.newSingleThreadExecutor { Thread(it, "tributary").apply { isDaemon = true } },
        val network: Executor = Executors.newCachedThreadPool { Thread(it, "tributary").apply { isDaemon = true } },
        /** Whether the folder can be read: not before the first unlock after a start of the phone. */
        val isUnlocked: () -> Boolean = { true }
    )

    /**
     * - url: of Tributary, or of a route of your backend that passes requests on.
     * - key: a key for apps (`tributary app add-key --scope app`); null if your backend adds it.
     * - folder: `noBackupFilesDir`, because a new phone is a new installation, also if it gets the old one's backup.
     * - debug: gets a line for all that is sent, and says why an install was or was not joined.
     */
    @JvmOverloads
    constructor(
        url: String,
        key: String?,
        folder: File,
        appVersion: String? = null,
        debug: Consumer<String>? = null,
        callbacks: Executor = Executor { it.run() }
    ) : this(url, key, World({ folder }, { appVersion }, debug, callbacks))

    private val file by lazy { File(world.folder(), "tributary.json") }
    /** An empty file, left when the consent was taken back: the install was told. It names nobody. */
    private val mark by lazy { File(world.folder(), "tributary.installed") }
    private val appVersion by lazy(world.appVersion)
    /** `device_id`, `has_install`, `events`; the `click_id` that the next event but a link tells. Null: no consent. */
    private var state: JSONObject? = null
    /** What the app has said with its consent; null without consent. */
    private var alreadyInstalled: Boolean? = null
    /** The consent was taken back before the first unlock, when nothing can be deleted: the next call tries again. */
    private var mustForget = false
    private var lastOpen: Long? = null
    private var failures = 0
    private var isSending = false
    private val waiters = ArrayList<Runnable>()
    /** The server asked for silence. If the clock goes back before its begin, it is over. */
    private var silence = LongRange.EMPTY
    /** What the last request was answered with: 401 is a wrong key, null means no answer. */
    @Volatile
    var lastStatus: Int? = null
        private set

    /**
     * Call it at each launch with what the person has chosen. `false` deletes everything that is stored but one bit:
     * that the install was told.
     *
     * - alreadyInstalled: whether the app was on this phone before it had this kit. Then no install is told. It counts
     *   only as long as the kit has no file.
     */
    @JvmOverloads
    fun setConsent(isGiven: Boolean, alreadyInstalled: Boolean = false) = world.worker.execute {
        if (isGiven) {
            this.alreadyInstalled = alreadyInstalled
            load()
        } else {
            this.alreadyInstalled = null
            forget()
        }
    }

    private fun forget() {
        mustForget = !world.isUnlocked()
        val known = state ?: read()
        state = null
        if (mustForget) return
        // A damaged or locked file was one of an installation, too.
        if (known?.optBoolean("has_install", true) == true) write("", mark)
        file.delete()
    }

    /** Null: there is no file. An object without a device: it is locked, or damaged. */
    private fun read(): JSONObject? = try {
        // A file in a locked folder looks as if it were not there.
        if (!world.isUnlocked()) throw IOException("locked")
        val known = Answer.json(file.readText())
        val isWhole = known?.opt("device_id") is String && known.opt("has_install") is Boolean && known.opt("events") is JSONArray
        if (isWhole) known else JSONObject().put("damaged", true)
    } catch (missing: FileNotFoundException) {
        if (file.exists()) JSONObject() else null
    } catch (locked: IOException) {
        JSONObject()
    }

    /** Reads the file, or begins it. While it is locked, the next call tries again. */
    private fun load() {
        if (mustForget) forget()
        val wasHere = alreadyInstalled
        if (state != null || wasHere == null) return
        val known = read()
        val reason = when {
            known == null -> when {
                mark.exists() -> "it was told before"
                wasHere -> "the app was here before this kit"
                else -> null
            }
            known.has("device_id") -> {
                state = known
                return
            }
            known.has("damaged") -> "its file is damaged"
            else -> return say("the file is locked: nothing is told until it can be read")
        }
        if (reason != null) say("no install: $reason")
        state = JSONObject().put("device_id", world.makeID()).put("has_install", reason != null).put("events", JSONArray())
        save()
    }

    private val isFirst: Boolean
        get() {
            load()
            return state?.getBoolean("has_install") == false
        }

    /** Whether the `install` is still to be told: ask for the install referrer now. */
    fun isFirstLaunch(answer: Consumer<Boolean>) = world.worker.execute {
        val isFirst = isFirst
        world.callbacks.execute { answer.accept(isFirst) }
    }

    /** The id of this installation; null without consent. Your backend sends it with `user_id` at a login. */
    fun deviceID(answer: Consumer<String?>) = world.worker.execute {
        load()
        val id = state?.getString("device_id")
        world.callbacks.execute { answer.accept(id) }
    }

    /** A link opened the app, or nothing did (null). */
    fun opened(link: Link?) = world.worker.execute {
        load()
        val last = lastOpen
        if (link != null) {
            store(
                "inbound_link",
                JSONObject().put("url", link.url).putOpt("target_url", link.targetURL)
                    .putOpt("referer_app", link.refererApp).putOpt("referer_url", link.refererURL)
            )
        } else if (last == null || Math.abs(world.now() - last) > VISIT) {
            store("app_open", JSONObject())
        }
        if (state != null) lastOpen = world.now()
        beginSending()
    }

    /**
     * Tells the `install`, once; later calls do nothing. Call it after [opened], because an install is credited to what
     * was before it. The three are what Google's install referrer library says: `installReferrer`,
     * `referrerClickTimestampServerSeconds` and `installBeginTimestampServerSeconds`.
     *
     * - onLink: is told where the link of the referrer leads, or why there is none.
     */
    @JvmOverloads
    fun installed(
        referrer: String? = null,
        clickedAt: Long = 0,
        beganAt: Long = 0,
        onLink: Consumer<Finding>? = null
    ) = world.worker.execute {
        val isFirst = isFirst
        val click = referrer?.split("&")?.firstOrNull { it.startsWith("click_id=") }?.substring("click_id=".length)
        if (isFirst) {
            val fields = JSONObject().putOpt("install_referrer", referrer)
            // 0 stands for "not known".
            if (clickedAt > 0) fields.put("referrer_clicked_at", text(clickedAt * 1000))
            if (beganAt > 0) fields.put("install_began_at", text(beganAt * 1000))
            say("install: ${if (referrer == null) "names" else "the referrer names"} ${click?.let { "the click $it" } ?: "no click"}")
            state?.put("has_install", true)
            store("install", fields)
            beginSending()
        }
        if (onLink == null) return@execute
        if (isFirst && !click.isNullOrEmpty()) find("click_id", click, onLink) else tell(onLink, Finding.NotFound)
    }

    /** The dialog for a story ended; pass on cancelled ones, too. `callback` is the URL that the dialog called. */
    @JvmOverloads
    fun posted(callback: String, dialog: String = "feed", ref: String? = null) =
        add("feed_post", JSONObject().put("callback_url", callback).put("dialog", dialog).putOpt("ref", ref))

    /** Adds an event. Its id and its time are made now, once; `fields` are those of docs/event-reference.md. */
    @JvmOverloads
    fun add(type: String, fields: JSONObject = JSONObject()) {
        val copy = JSONObject(fields.toString())
        world.worker.execute {
            load()
            store(type, copy)
            beginSending()
        }
    }

    private fun store(type: String, fields: JSONObject) {
        val state = state ?: return
        val event = fields
            .put("type", type).put("event_id", world.makeID()).put("occurred_at", text(world.now()))
            .put("device_id", state.getString("device_id")).put("platform", "android")
            .putOpt("app_version", appVersion)
        // A link has its own click.
        if (type != "inbound_link") event.putOpt("click_id", state.remove("click_id"))
        if (size(event) > BATCH_BYTES) return say("$type is too large for a request: it is not kept")
        state.getJSONArray("events").put(event)
        save()
    }

    /**
     * Finds the tap of this installation by what the person has pasted or typed. Call it before [installed] at the first
     * launch: the `install` then names the tap. Later, the next event does.
     */
    fun findLinkPasted(text: String, onLink: Consumer<Finding>) = world.worker.execute {
        // A request has room for about as much; the link is one of the words.
        val words = if (text.length <= 2_000) text else text.split(Regex("\\s+")).filter { it.contains("click_id", ignoreCase = true) }.joinToString(" ")
        find("text", words, onLink)
    }

    fun findLinkByCode(code: String, onLink: Consumer<Finding>) = world.worker.execute { find("code", code, onLink) }

    private fun find(name: String, value: String, onLink: Consumer<Finding>) {
        load()
        val device = state?.getString("device_id") ?: return tell(onLink, Finding.NoAnswer)
        if (value.length !in 1..2_000) return tell(onLink, Finding.NotFound)
        // A referrer has its click as it was written for an address.
        var query = "$name=" + if (name == "click_id") value else Answer.encoded(value)
        if (name == "code") query += "&device_id=" + Answer.encoded(device)
        world.network.execute {
            val answer = ask("/v1/deferred-links?$query", null)
            world.worker.execute {
                say("link: ${answer?.let { "answer ${it.status} ${it.text.take(500)}" } ?: "no answer"}")
                tell(onLink, finding(answer, name))
            }
        }
    }

    private fun finding(answer: Answer?, name: String): Finding {
        val fields = answer?.fields
        val click = fields?.opt("click_id") as? String
        return when {
            answer?.status == 429 -> Finding.TooManyTries(answer.pause ?: 60)
            answer?.status == 404 && fields?.opt("code") == "no_link" -> Finding.NotFound
            answer?.status != 200 || click == null -> Finding.NoAnswer
            else -> {
                // The referrer names its click itself.
                if (name != "click_id") state?.put("click_id", click)
                save()
                Finding.Found(DeferredLink(click, fields.opt("app_url") as? String, fields.opt("target_url") as? String))
            }
        }
    }

    private fun tell(onLink: Consumer<Finding>, finding: Finding) = world.callbacks.execute { onLink.accept(finding) }

    /**
     * Sends what waits. Call it when the app comes to the foreground.
     *
     * - done: runs when there is nothing more to do, for a job in the background.
     */
    @JvmOverloads
    fun send(done: Runnable? = null) = world.worker.execute {
        load()
        if (done != null) waiters.add(done)
        beginSending()
    }

    private fun beginSending() {
        if (isSending) return
        val batch = if (world.now() in silence) emptyList() else batch()
        if (batch.isEmpty()) {
            waiters.forEach { world.callbacks.execute(it) }
            waiters.clear()
            return
        }
        isSending = true
        for (event in batch) say("sends $event")
        // By `sent_at`, Tributary sees how wrong the phone's clock is.
        val body = JSONObject().put("sent_at", text(world.now())).put("events", JSONArray(batch)).toString()
        world.network.execute {
            val answer = ask("/v1/events", body)
            world.worker.execute {
                isSending = false
                received(answer, batch)
                // Each turn takes an event from the queue, or begins a silence.
                beginSending()
            }
        }
    }

    private fun received(answer: Answer?, batch: List<JSONObject>) {
        val done = answer?.let { done(it, batch) } ?: emptySet()
        if (done.isNotEmpty()) {
            failures = 0
            say("answer ${answer?.status}: ${done.size} of ${batch.size} done")
            val state = state ?: return
            state.put("events", JSONArray(events().filter { it.getString("event_id") !in done }))
            return save()
        }
        // No answer, too busy, or a wrong key or address: the events wait, with their ids.
        failures = minOf(failures + 1, 12)
        val pause = answer?.pause ?: minOf(1L shl failures, 3_600)
        silence = world.now().let { it until it + pause * 1_000 }
        val hint = when (answer?.status) {
            401, 403 -> " is the key right?"
            404 -> " is the url right?"
            else -> ""
        }
        say("${answer?.let { "answer ${it.status}" } ?: "no answer"}:$hint tries again in $pause seconds")
    }

    private fun events(): List<JSONObject> {
        val events = state?.getJSONArray("events") ?: return emptyList()
        return (0 until events.length()).mapNotNull { events.optJSONObject(it) }.filter { it.opt("event_id") is String }
    }

    private fun size(event: JSONObject) = event.toString().toByteArray().size + 1

    private fun batch(): List<JSONObject> {
        val batch = events().take(BATCH_SIZE).map { JSONObject(it.toString()) }
        var bytes = 0
        val fitting = batch.takeWhile {
            bytes += size(it)
            bytes <= BATCH_BYTES
        }
        return if (fitting.isEmpty()) batch.take(1) else fitting
    }

    /** The ids that are stored, or refused for good. With 422 none of the batch is valid; only what is named counts. */
    private fun done(answer: Answer, batch: List<JSONObject>): Set<String> {
        // Without an object somebody else has answered, such as the page of a Wi-Fi's login.
        val fields = answer.fields
        if (answer.status !in setOf(200, 202, 422) || fields == null) return emptySet()
        val rejected = fields.optJSONArray("rejected") ?: JSONArray()
        val refused = (0 until rejected.length()).mapNotNull { place ->
            val rejection = rejected.optJSONObject(place)
            val event = (rejection?.opt("index") as? Int)?.let { batch.getOrNull(it) }
            if (event != null) say("rejected ${event.opt("type")}: ${rejection.opt("code")} ${rejection.opt("message") ?: ""}")
            event?.getString("event_id")
        }
        return if (answer.status == 422) refused.toSet() else batch.map { it.getString("event_id") }.toSet()
    }

    private fun ask(path: String, body: String?) = world.ask(url + path, key, body).also { lastStatus = it?.status }

    /** Stores the newest thousand events, and two million letters of them. */
    private fun save() {
        val state = state ?: return
        var text = state.toString()
        val events = events()
        if (events.size > EVENT_LIMIT || text.length > BYTE_LIMIT) {
            var bytes = 0
            val kept = events.takeLast(EVENT_LIMIT).takeLastWhile {
                bytes += size(it)
                bytes <= BYTE_LIMIT
            }
            say("${events.size - kept.size} event was dropped: ${kept.size} wait")
            text = state.put("events", JSONArray(kept)).toString()
        }
        write(text, file)
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

    private fun say(line: String) {
        world.debug?.accept(line)
    }

    private companion object {
        const val EVENT_LIMIT = 1_000
        const val BYTE_LIMIT = 2_000_000
        const val BATCH_SIZE = 100
        const val BATCH_BYTES = 500_000
        /** Another open within half an hour is the same visit. */
        const val VISIT = 1_800_000L
    }
}
