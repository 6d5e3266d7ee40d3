// What the example imports, as far as it uses it.
declare module "@react-native-async-storage/async-storage" {
  const storage: import("../react-native.js").Modules["storage"];
  export default storage;
}
declare module "@react-native-clipboard/clipboard" {
  const clipboard: { getString(): Promise<string> };
  export default clipboard;
}
declare module "react-native" {
  export const Platform: { OS: "ios" | "android" | "windows" };
  export const Linking: NonNullable<import("../react-native.js").Modules["linking"]>;
  export const AppState: { addEventListener(type: "change" | "blur", listener: (state: string) => void): { remove(): void } };
}
declare module "react-native-play-install-referrer" {
  export interface PlayInstallReferrerInfo { installReferrer: string; installBeginTimestampServerSeconds: string; }
  export const PlayInstallReferrer: {
    getInstallReferrerInfo(done: (info: PlayInstallReferrerInfo | null, error: unknown) => void): void;
  };
}
