package app.tributary

import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.InputStream
import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder
import org.json.JSONException
import org.json.JSONObject
import org.json.JSONTokener

/** What a server has answered, whole. */
internal class Answer(val status: Int, val text: String, private val retryAfter: String?) {
    /** Null if it is no JSON object, and no more. */
    val fields: JSONObject? by lazy { json(text) }
    /** In seconds: a number above 0, and a day at most. */
    val pause: Long? get() = retryAfter?.toDoubleOrNull()?.takeIf { it > 0 }?.coerceIn(1.0, 86_400.0)?.toLong()

    companion object {
        fun encoded(text: String): String = URLEncoder.encode(text, "UTF-8")

        fun json(text: String): JSONObject? = try {
            val reader = JSONTokener(text)
            val value = reader.nextValue()
            if (value is JSONObject && reader.nextClean() == 0.toChar()) value else null
        } catch (wrong: JSONException) {
            null
        } catch (deep: StackOverflowError) {
            null
        }
    }
}

/** Asks over HTTP, and gives up what is slow or large. It follows no redirect. Times are in milliseconds. */
internal class Transport(private val silence: Int = 20_000, private val whole: Int = 60_000) {
    /** Null if no whole answer came. A body makes it a POST. */
    fun ask(url: String, key: String?, body: String?): Answer? {
        val end = System.nanoTime() + whole * 1_000_000L
        var connection: HttpURLConnection? = null
        return try {
            connection = URL(url).openConnection() as HttpURLConnection
            connection.connectTimeout = silence
            connection.readTimeout = silence
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
            val bytes = stream?.use { bytes(it, end) } ?: ByteArray(0)
            // Java's own classes do not tell that an answer was cut.
            val isCut = connection.getHeaderField("Content-Encoding") == null && bytes.size < connection.contentLength
            if (isCut) null else Answer(status, String(bytes, Charsets.UTF_8), connection.getHeaderField("Retry-After"))
        } catch (noAnswer: IOException) {
            null
        } catch (nonsense: RuntimeException) {
            // Of what is no HTTP, the system's classes make more than IOException.
            null
        } finally {
            connection?.disconnect()
        }
    }

    private fun bytes(stream: InputStream, end: Long): ByteArray {
        val all = ByteArrayOutputStream()
        val piece = ByteArray(8_192)
        while (true) {
            val count = stream.read(piece)
            if (count < 0) return all.toByteArray()
            all.write(piece, 0, count)
            if (all.size() > LIMIT || System.nanoTime() > end) throw IOException("too large, or too slow")
        }
    }

    private companion object {
        const val LIMIT = 1_000_000
    }
}
