package android.content

import android.net.Uri
import android.os.Bundle

class Intent(link: String?, val flags: Int = 0) {
    var data: Uri? = link?.let { Uri.parse(it) }
    val dataString: String? get() = data?.toString()
    private val extras = HashMap<String, Bundle?>()

    fun putExtra(name: String, value: Bundle?) = extras.set(name, value)
    fun getBundleExtra(name: String): Bundle? = extras[name]

    companion object {
        const val FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY = 0x00100000
    }
}
