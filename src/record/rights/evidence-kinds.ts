import type { Session } from "#machine/storage/database";
import type { Step } from "#record/transactions/record";

/**
 * Kinds of evidence about seals: what a first start found, what `idem rights begin` found, and a row that the
 * operator accepted.
 */
export const rightsEvidenceKinds = ["rights_sealed", "rights_sealed_anew", "right_accepted"] as const;

/**
 * Writes entries inside the transaction of the command: `writeStep` over the session that
 * `app/store-commands.ts` makes of this one.
 */
export type WriteStep<Tables> = (session: Session<Tables>, tenantId: string, step: Step) => Promise<void>;
