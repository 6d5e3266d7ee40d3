package android.content

import android.net.Uri
import java.io.Closeable
import java.io.File

class PackageInfo(val firstInstallTime: Long, val lastUpdateTime: Long, val versionName: String?)
class PackageManager { fun getPackageInfo(name: String, flags: Int) = PackageInfo(0, 0, "3.1") }
interface Cursor : Closeable {
    fun moveToFirst(): Boolean
    fun getString(column: Int): String
    fun getInt(column: Int): Int
    fun getLong(column: Int): Long
}
interface ContentResolver {
    fun query(address: Uri, columns: Array<String>?, where: String?, values: Array<String>?, order: String?): Cursor?
}
abstract class Context {
    val applicationContext: Context get() = this
    val packageManager = PackageManager()
    val packageName = "com.example.shop"
    val noBackupFilesDir = File(".")
    fun <Service> getSystemService(type: Class<Service>): Service? = type.getDeclaredConstructor().newInstance()
    val contentResolver: ContentResolver get() = throw IllegalStateException()
}
