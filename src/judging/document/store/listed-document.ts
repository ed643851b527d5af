import type { Caller } from "#contract/endpoint";

/** An entry of the operator's block list: a keyed hash of the document's number, and a sealed note. */
export type ListedDocument = {
  readonly tenantId: string;
  readonly id: string;
  readonly environment: Caller["environment"];
  readonly number: string;
  readonly sealedNote: Uint8Array;
  readonly at: Date;
  /**
   * True where it was added or changed past the service. A list for the operator names it; no decision takes
   * it.
   */
  readonly isForged?: true;
};
