package com.example.shop;

import android.content.Context;
import app.tributary.TributaryAndroid;
import app.tributary.TributaryApp;

/** The same from Java. */
final class JavaActivity {
    static void begin(Context context) {
        TributaryApp tributary = TributaryAndroid.create(context, "https://events.example.com", "trib_a_…");
        tributary.setConsent(true, TributaryAndroid.wasHere(context));
        tributary.opened(new TributaryApp.Link("https://go.example.com/sale"));
        tributary.isFirstLaunch(isFirst -> { if (isFirst) tributary.installed(); });
        tributary.findLinkByCode("7K3M 9QX2", finding -> {
            if (finding instanceof TributaryApp.Finding.Found) tributary.add("app_open");
        });
        tributary.send();
    }
}
