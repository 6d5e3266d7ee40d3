// What the snippets of the pages and the example call, of Android, Google's and Facebook's libraries, OkHttp and an app itself.
import java.io.Closeable

interface SharedPreferences {
    interface Editor {
        fun putBoolean(name: String, value: Boolean): Editor
        fun apply()
    }
    fun getBoolean(name: String, value: Boolean): Boolean
    fun edit(): Editor
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
