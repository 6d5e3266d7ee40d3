/** What an event may say: docs/event-reference.md. */
export interface Fields { [name: string]: string | number | boolean | null | undefined | object; }

export interface Options {
  appVersion?: string;
  /** Gets a line for all that is sent, and says why an install was or was not joined: `console.log`. */
  debug?: (line: string) => void;
}

export class TributaryApp {
  /**
   * @param url of Tributary, or of a route of your backend that passes requests on.
   * @param key for apps (`tributary app add-key --scope app --origin …`); null if your backend adds it.
   */
  constructor(url: string, key?: string | null, options?: Options & {
    /** Hosts from which visitors only come back, with all below them, besides the usual ones of payments and logins. */
    nobody?: string[];
  });
  /** On each page, before anything else. `false` deletes all that is stored. */
  setConsent(isGiven: boolean): void;
  /** Tells the visit: a link, once a document, or an open. An app of one page may call it at each route. */
  opened(): void;
  add(type: string, fields?: Fields): Promise<void>;
  posted(callback: string, options?: { dialog?: string; ref?: string }): Promise<void>;
  send(): Promise<void>;
  /** Null without consent. */
  readonly deviceID: string | null;
  /** What the last request was answered with: 401 is a wrong key, null means no answer. */
  readonly lastStatus: number | null;
}
