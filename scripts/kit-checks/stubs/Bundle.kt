package android.os

class Bundle {
    private val values = HashMap<String, Any?>()

    fun putString(name: String, value: String?) = values.set(name, value)
    fun putBundle(name: String, value: Bundle?) = values.set(name, value)
    fun keySet(): Set<String> = values.keys
    fun get(name: String): Any? = values[name]
    fun getString(name: String): String? = values[name] as? String
    fun getBundle(name: String): Bundle? = values[name] as? Bundle
}
