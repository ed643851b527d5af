import type { Caller } from "#contract/endpoint";

/** A level of the PAdES baseline (ETSI EN 319 142-1). */
export type SignatureLevel = "B-B" | "B-T" | "B-LT" | "B-LTA";

/** The owner of kept documents: a tenant's environment. */
export type DocumentOwner = Pick<Caller, "tenantId" | "environment">;

/** A kept signed document. Its id is the transaction of its signing. */
export type SignedDocumentRow = DocumentOwner & {
  readonly id: string;
  readonly createdAt: Date;
  /** Length of the newest version. */
  readonly bytes: number;
  /** SHA-256 (hex) of the newest version. */
  readonly sha256: string;
  readonly level: SignatureLevel;
  /** The parts in their order. An extension adds one. */
  readonly blobIds: readonly string[];
  /** Rises with each extension. */
  readonly revision: number;
  readonly extendedAt?: Date;
  /** End of the last time-stamp's certificate; absent without a document time-stamp. */
  readonly provableUntil?: Date;
  /** When the document is extended next; absent where it is not. */
  readonly extendAt?: Date;
};

/** What an extension changes, on the ground of the row with `revision`. */
export type DocumentExtension = Pick<
  SignedDocumentRow,
  "tenantId" | "id" | "revision" | "bytes" | "sha256"
> & {
  readonly blobIds: readonly string[];
  readonly at: Date;
  readonly provableUntil?: Date;
  readonly extendAt?: Date;
};

/** The place of a document in a list: the last one of the page before. */
export type DocumentPlace = Pick<SignedDocumentRow, "createdAt" | "id">;
