import AsyncStorage from "@react-native-async-storage/async-storage";
import Clipboard from "@react-native-clipboard/clipboard";
import { AppState, Linking, Platform } from "react-native";
import { PlayInstallReferrer, type PlayInstallReferrerInfo } from "react-native-play-install-referrer";
import { TributaryApp } from "@tributary/app/react-native";

export const tributary = new TributaryApp("https://events.example.com", "trib_a_…", {
  platform: Platform.OS === "ios" ? "ios" : "android",
  storage: AsyncStorage, linking: Linking, appState: AppState, clipboard: Clipboard,
  referrer: () => new Promise((done, fail) =>
    PlayInstallReferrer.getInstallReferrerInfo((info: PlayInstallReferrerInfo | null, error: unknown) =>
      error ? fail(error) : done(info))),
  debug: console.log,
});

/** Call it once, when the app begins. `wasHere`: your app has stored something before this launch. */
export async function begin(hasConsented: boolean, wasHere: boolean, open: (place: string) => void) {
  await tributary.setConsent(hasConsented, { alreadyInstalled: wasHere });
  await tributary.start({
    onDeferredLink: (finding) => { if (finding.kind === "found" && finding.link.appURL) open(finding.link.appURL); },
  });
}
