/** Reading and changing capture sessions: each change is made to the revision that was read. */
import { Failure } from "#contract/failure";
import type { Blobs, Keyring } from "#machine/storage/blobs";
import type { Step, TransactionRecord } from "#record/transactions/record";
import { type CaptureContent, type CaptureOwner, type CaptureSession, objectsOf } from "./capture-session.ts";
import type { ConsentTexts } from "./consent/consent-text.ts";
import type { CapturePolicy } from "./policy.ts";
import type { SessionSeal } from "./sealed-session.ts";
import { requireOpen } from "./session-state.ts";
import type { CaptureChange, CaptureRow } from "./store/capture-row.ts";
import type { CaptureCommands } from "./store/capture-store.ts";

/** What every use case of this module has. */
export type CaptureDeps = {
  readonly store: CaptureCommands;
  readonly seal: SessionSeal;
  readonly keyring: Pick<Keyring, "pseudonym">;
  readonly blobs: Blobs;
  readonly policy: CapturePolicy;
  readonly consent: ConsentTexts;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly clock: () => Date;
};

/** The session of a row, opened. */
export const openRow = async (
  { seal }: Pick<CaptureDeps, "seal">,
  { sealed, blobIds: _blobIds, ...facts }: CaptureRow,
): Promise<CaptureSession> => ({ ...facts, content: await seal.open(facts, sealed) });

/** Fails with not_found, also for a session of another tenant or environment. */
export const getSession = async (
  deps: Pick<CaptureDeps, "store" | "seal">,
  of: CaptureOwner,
  id: string,
): Promise<CaptureSession> => {
  const row = await deps.store.findCapture(of, id);
  if (row === undefined) throw new Failure("not_found");
  return await openRow(deps, row);
};

/** What a change makes of a session. */
export type Changed = {
  readonly content: CaptureContent;
  readonly state?: CaptureSession["state"];
  readonly record?: TransactionRecord;
  readonly step?: Step;
} & Pick<CaptureChange, "token" | "failures" | "forgiven">;

const noStep: Step = { evidence: [] };

/** Commits a change of this revision. False, and nothing written, where another change was faster. */
export const commitChange = async (
  { store, seal, clock }: Pick<CaptureDeps, "store" | "seal" | "clock">,
  session: CaptureSession,
  { content, state = session.state, record, step = noStep, token, failures, forgiven }: Changed,
): Promise<boolean> => {
  const { tenantId, id, revision } = session;
  const held = objectsOf(session.content);
  const holds = objectsOf(content);
  const known = new Set(held.map((object) => object.id));
  const kept = new Set(holds.map((object) => object.id));
  const createdAt = clock();
  return await store.changeCapture(
    {
      tenantId,
      id,
      revision,
      state,
      sealed: await seal.seal(session, content),
      blobIds: [...kept],
      added: holds
        .filter((object) => !known.has(object.id))
        .map((object) => ({ ...object, tenantId, kind: "capture", createdAt })),
      removed: [...known].filter((object) => !kept.has(object)),
      token,
      ...(failures && { failures }),
      ...(forgiven !== undefined && { forgiven }),
    },
    record,
    step,
  );
};

/**
 * Changes at once of one session: a page sends one call after the other, and a hostile one gets a failure.
 */
export const attemptsMax = 8;

/**
 * Changes an open session, again from its new state where another change was faster. `change` is pure and may
 * fail. Undefined from it changes nothing. Returns the session as it is then.
 */
export const changeSession = async (
  deps: Pick<CaptureDeps, "store" | "seal" | "clock">,
  of: CaptureOwner,
  id: string,
  change: (session: CaptureSession) => Changed | undefined,
): Promise<CaptureSession> => {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const session = await getSession(deps, of, id);
    requireOpen(session, deps.clock());
    const changed = change(session);
    if (changed === undefined) return session;
    if (await commitChange(deps, session, changed)) return after(session, changed);
  }
  throw new Failure("overloaded");
};

/** The session after a committed change. */
export const after = (
  session: CaptureSession,
  { content, state = session.state }: Changed,
): CaptureSession => ({
  ...session,
  content,
  state,
  revision: session.revision + 1,
});

/** Where a call of a page comes from. */
export type PageCall = {
  readonly owner: CaptureOwner;
  readonly sessionId: string;
  readonly holder: "page" | "handoff";
  /** Absent where it would be that of a proxy (src/machine/http/caller-address.ts). */
  readonly remoteAddress?: string | undefined;
};
