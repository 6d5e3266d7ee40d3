import type { Fields, Options } from "./page.js";

/** What the link of an installation leads to. */
export interface DeferredLink { clickID: string; appURL: string | null; targetURL: string | null; }

/** What became of a link that was pasted, a code that was typed, or the referrer of an installation. */
export type Finding =
  | { kind: "found"; link: DeferredLink }
  /** Wrong, too old, another phone's, or none. */
  | { kind: "notFound" }
  | { kind: "tooManyTries"; seconds: number }
  /** No network, or Tributary does not answer, or lastStatus says why it does not: keep what was typed. */
  | { kind: "noAnswer" };

/** What Google's install referrer says. Seconds may be texts; 0 stands for "not known". */
export interface InstallReferrer {
  installReferrer?: string;
  referrerClickTimestampServerSeconds?: number | string;
  installBeginTimestampServerSeconds?: number | string;
}

export interface Modules {
  platform: "ios" | "android";
  /** @react-native-async-storage/async-storage */
  storage: {
    getItem(name: string): Promise<string | null>;
    setItem(name: string, text: string): Promise<unknown>;
    removeItem(name: string): Promise<unknown>;
  };
  /** Linking of react-native */
  linking?: {
    getInitialURL(): Promise<string | null>;
    addEventListener(type: "url", listener: (event: { url: string }) => void): { remove(): void };
  };
  /** AppState of react-native */
  appState?: { addEventListener(type: "change", listener: (state: any) => void): { remove(): void } };
  /** Android: asks Google Play; fails if it does not answer. Null: there is no referrer. */
  referrer?: () => Promise<InstallReferrer | null>;
  /** @react-native-clipboard/clipboard */
  clipboard?: { getString(): Promise<string> };
}

export class TributaryApp {
  constructor(url: string, key: string | null, modules: Modules & Options);
  /** At each launch, before anything else. `alreadyInstalled`: the app was on this phone before it had this kit. */
  setConsent(isGiven: boolean, options?: { alreadyInstalled?: boolean }): Promise<void>;
  /** Tells links, returns and the install by itself. `onDeferredLink` is called once after an install on Android. */
  start(options?: { onDeferredLink?: (finding: Finding) => void }): Promise<() => void>;
  opened(link?: string | null): Promise<void>;
  installed(referrer?: InstallReferrer | null): Promise<Finding>;
  add(type: string, fields?: Fields): Promise<void>;
  posted(callback: string, options?: { dialog?: string; ref?: string }): Promise<void>;
  send(): Promise<void>;
  findLink(what: { pasted: string } | { code: string }): Promise<Finding>;
  /** Reads the clipboard, for a link of this host, however it is written. Call it when the person has tapped a button. */
  findCopiedLink(host: string): Promise<Finding>;
  isFirstLaunch(): Promise<boolean>;
  deviceID(): Promise<string | null>;
  readonly lastStatus: number | null;
}
