package android.net

import java.net.URLDecoder
import java.net.URLEncoder

class Uri private constructor(private val text: String) {
    val isHierarchical get() = "://" in text
    fun buildUpon() = Builder(text)
    override fun toString() = text

    class Builder(private val text: String) {
        fun appendQueryParameter(name: String, value: String): Builder {
            val start = text.substringBefore('#')
            val pair = "$name=" + URLEncoder.encode(value, "UTF-8").replace("+", "%20")
            return Builder(start + (if ('?' in start) "&" else "?") + pair + text.drop(start.length))
        }
        fun build() = Uri(text)
    }

    companion object {
        fun parse(text: String) = Uri(text)
        fun decode(text: String): String = URLDecoder.decode(text.replace("+", "%2B"), "UTF-8")
    }
}
