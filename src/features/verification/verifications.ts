/** Reading and changing verifications: each change is made to the revision that was read. */
import { Failure } from "#contract/failure";
import type { VerificationState } from "#contract/verification";
import type { Blobs } from "#machine/storage/blobs";
import type { Step, TransactionRecord } from "#record/transactions/record";
import type { VerificationSeal } from "./sealed-verification.ts";
import type { VerificationChange, VerificationRow } from "./store/verification-row.ts";
import type { VerificationCommands } from "./store/verification-store.ts";
import {
  objectsOf,
  type VerificationContent,
  type VerificationFacts,
  type VerificationOwner,
} from "./verification.ts";

/** What every use case of this module has. */
export type VerificationDeps = {
  readonly store: VerificationCommands;
  readonly seal: VerificationSeal;
  readonly blobs: Blobs;
  readonly newId: () => string;
  readonly clock: () => Date;
};

export type Verification = VerificationFacts & { readonly content: VerificationContent };

/** The verification of a row, opened. */
export const openRow = async (
  { seal }: Pick<VerificationDeps, "seal">,
  { sealed, blobIds: _blobIds, settledAt: _settledAt, ...facts }: VerificationRow,
): Promise<Verification> => ({ ...facts, content: await seal.open(facts, sealed) });

/** Fails with not_found, also for a verification of another tenant or environment. */
export const getVerification = async (
  deps: Pick<VerificationDeps, "store" | "seal">,
  of: VerificationOwner,
  id: string,
): Promise<Verification> => {
  const row = await deps.store.findVerification(of, id);
  if (row === undefined) throw new Failure("not_found");
  return await openRow(deps, row);
};

/** What a change makes of a verification. `settled` is present at its end. */
export type Changed = {
  readonly content: VerificationContent;
  readonly state: VerificationState;
  readonly waitsFor?: string | undefined;
  readonly settled?: { readonly at: Date; readonly record: TransactionRecord | undefined };
};

/** A change with its step, as it commits. */
export type PreparedChange = { readonly change: VerificationChange; readonly step: Step };

/** Seals a change. The rows of its objects follow from the former and the new content. */
export const prepareChange = async (
  { seal, clock }: Pick<VerificationDeps, "seal" | "clock">,
  verification: Verification,
  { content, state, waitsFor, settled }: Changed,
  step: Step = { evidence: [] },
): Promise<PreparedChange> => {
  const { tenantId, id, revision } = verification;
  const known = new Set(objectsOf(verification.content).map((object) => object.id));
  const holds = objectsOf(content);
  const kept = new Set(holds.map((object) => object.id));
  const createdAt = clock();
  return {
    change: {
      tenantId,
      id,
      revision,
      state,
      sealed: await seal.seal(verification, content),
      blobIds: [...kept],
      waitsFor,
      added: holds
        .filter((object) => !known.has(object.id))
        .map((object) => ({ ...object, tenantId, kind: "verification", createdAt })),
      removed: [...known].filter((object) => !kept.has(object)),
      ...(settled && { settled }),
    },
    step,
  };
};

/** The verification after a committed change. */
export const after = (verification: Verification, { content, state }: Changed): Verification => ({
  ...verification,
  content,
  state,
  revision: verification.revision + 1,
});
