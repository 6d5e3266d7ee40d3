plugins {
    id("com.android.library") version "8.7.3"
    id("org.jetbrains.kotlin.android") version "2.0.21"
    `maven-publish`
}

group = "app.tributary"
version = "0.1.0"

android {
    namespace = "app.tributary"
    compileSdk = 35
    defaultConfig { minSdk = 26 }
    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_1_8
        targetCompatibility = JavaVersion.VERSION_1_8
    }
    kotlinOptions { jvmTarget = "1.8" }
    publishing { singleVariant("release") }
}

publishing {
    publications.register<MavenPublication>("release") {
        artifactId = "android"
        afterEvaluate { from(components["release"]) }
    }
}
