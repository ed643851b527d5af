import { type Call, PageError } from "./call.ts";
import type { OwnKey } from "./page-key.ts";
import {
  type PageChallenge,
  type PageState,
  readChallenge,
  readHandoff,
  readPageState,
} from "./page-state.ts";

/** What a page asks of its session. Each call rejects with PageError. */
export type Session = {
  readonly open: (takesOver: boolean) => Promise<PageState>;
  readonly read: () => Promise<PageState>;
  readonly consent: (version: string) => Promise<PageState>;
  readonly challenge: () => Promise<PageChallenge>;
  readonly handOff: () => Promise<{ readonly url: string; readonly code: string }>;
  readonly confirmHandOff: () => Promise<PageState>;
  readonly cancel: () => Promise<void>;
  readonly key: () => Promise<OwnKey>;
  readonly call: Call;
  /** The service's time, in milliseconds since 1970. */
  readonly now: () => number;
};

const endedCodes: ReadonlySet<string> = new Set(["capture_ended", "capture_expired"]);

type SessionDeps = {
  readonly call: Call;
  readonly makeKey: () => Promise<OwnKey>;
  readonly language: string;
  readonly now: () => number;
};

/** A session of this page. Its key is made once and lives as long as the page. */
export const makeSession = ({ call, makeKey, language, now }: SessionDeps): Session => {
  let key: Promise<OwnKey> | undefined;
  const ownKey = (): Promise<OwnKey> => (key ??= makeKey());
  const ask = async (path: string, body: unknown): Promise<PageState> =>
    readPageState(await call(path, body));
  return {
    key: ownKey,
    call,
    now,
    open: async (takesOver) => {
      const { publicKey } = await ownKey();
      const opening = { pageKey: publicKey, language, ...(takesOver && { takeOver: true }) };
      try {
        return await ask("/open", opening);
      } catch (error) {
        // A page that opens after the end, such as a reloaded one, shows the end.
        if (error instanceof PageError && endedCodes.has(error.code)) return ask("", undefined);
        throw error;
      }
    },
    read: () => ask("", undefined),
    consent: (version) => ask("/consent", { version, accepted: true }),
    challenge: async () => readChallenge(await call("/challenge", {})),
    handOff: async () => readHandoff(await call("/handoff", {})),
    confirmHandOff: () => ask("/handoff/confirm", {}),
    cancel: async () => {
      try {
        await call("/cancel", {});
      } catch (error) {
        // The person leaves in any case; a session that cannot be reached expires by itself.
        if (!(error instanceof PageError)) throw error;
      }
    },
  };
};
