import type { Caller } from "#contract/endpoint";
import type { Step } from "./store.ts";

/** A document that the operator knows to be used for fraud: a keyed hash of its number, and why, sealed. */
export type ListedDocument = {
  readonly tenantId: string;
  readonly id: string;
  readonly world: Caller["world"];
  readonly number: string;
  readonly sealedNote: Uint8Array;
  readonly at: Date;
};

/** The store's commands for documents that were met before; see `Store`. */
export type ListedDocumentCommands = {
  /** False, and nothing written, where the number is listed already. */
  readonly listDocument: (document: ListedDocument, step: Step) => Promise<boolean>;
  /** False, and nothing written, where there is none of this id. */
  readonly unlistDocument: (tenantId: string, id: string, step: Step) => Promise<boolean>;
  /** Up to 1000 with ids above `after`, in their order. */
  readonly listListedDocuments: (tenantId: string, after: string) => Promise<readonly ListedDocument[]>;
  readonly isDocumentListed: (tenantId: string, number: string) => Promise<boolean>;
  /** How many decided attempts since `since` left this keyed hash; at most 1000 are counted. */
  readonly countSightings: (tenantId: string, hash: string, since: Date) => Promise<number>;
  /** Forgets up to 1000 sightings from before `before`; says how many. */
  readonly purgeSightings: (before: Date) => Promise<number>;
};
