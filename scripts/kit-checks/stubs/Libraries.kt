// What the snippets of the pages call, of Android, Google's and Facebook's libraries, OkHttp and an app itself.
import android.content.Intent
import android.os.Bundle
import java.io.Closeable
import java.io.File

class RemoteException : Exception()
class PackageInfo(val firstInstallTime: Long, val lastUpdateTime: Long)
class PackageManager { fun getPackageInfo(name: String, flags: Int) = PackageInfo(0, 0) }
class Uri { companion object { fun parse(text: String) = Uri() } }
interface Cursor : Closeable {
    fun moveToFirst(): Boolean
    fun getString(column: Int): String
    fun getInt(column: Int): Int
    fun getLong(column: Int): Long
}
interface ContentResolver {
    fun query(address: Uri, columns: Array<String>?, where: String?, values: Array<String>?, order: String?): Cursor?
}
interface Context {
    val packageManager: PackageManager
    val packageName: String
    val noBackupFilesDir: File
    val contentResolver: ContentResolver
}
interface SharedPreferences {
    interface Editor {
        fun putBoolean(name: String, value: Boolean): Editor
        fun apply()
    }
    fun getBoolean(name: String, value: Boolean): Boolean
    fun edit(): Editor
}
open class Activity {
    val intent: Intent get() = Intent(null)
    fun setIntent(intent: Intent) {}
    open fun onCreate(savedInstanceState: Bundle?) {}
    open fun onNewIntent(intent: Intent) {}
}

// Java's methods have other names than these properties; Kotlin calls both alike.
class ReferrerDetails(
    val installReferrer: String,
    val referrerClickTimestampServerSeconds: Long,
    val installBeginTimestampServerSeconds: Long
)
interface InstallReferrerStateListener {
    fun onInstallReferrerSetupFinished(code: Int)
    fun onInstallReferrerServiceDisconnected()
}
class InstallReferrerClient {
    object InstallReferrerResponse {
        const val OK = 0
        const val SERVICE_UNAVAILABLE = 1
    }
    class Builder { fun build() = InstallReferrerClient() }
    val installReferrer: ReferrerDetails get() = throw RemoteException()
    fun startConnection(listener: InstallReferrerStateListener) {}
    fun endConnection() {}

    companion object { fun newBuilder(context: Context) = Builder() }
}

class FacebookException : RuntimeException()
interface FacebookCallback<R> {
    fun onSuccess(result: R)
    fun onCancel()
    fun onError(error: FacebookException)
}
class Sharer { class Result(val postId: String?) }
class CallbackManager
class ShareDialog { fun registerCallback(manager: CallbackManager, callback: FacebookCallback<Sharer.Result>) {} }

class MediaType
class RequestBody
class Request { class Builder {
    fun url(text: String) = this
    fun header(name: String, value: String) = this
    fun post(body: RequestBody) = this
    fun build() = Request()
} }
class ResponseBody { fun string() = "" }
class Response(val code: Int, val body: ResponseBody) : Closeable { override fun close() {} }
class Call { fun execute() = Response(200, ResponseBody()) }
class OkHttpClient { fun newCall(request: Request) = Call() }
fun String.toMediaType() = MediaType()
fun String.toRequestBody(type: MediaType) = RequestBody()

interface Reporter { fun report(type: String, fields: Map<String, String>) }
