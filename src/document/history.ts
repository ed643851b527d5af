import type { Caller } from "#contract/endpoint";
import type { Json } from "#storage/store";
import type { RegistryAnswer } from "./outside/civil-registry.ts";
import type { PepMatches } from "./outside/pep-list.ts";

/** Whether somebody was found: surely, perhaps, or not; `unknown` where the portrait shows no face that could be known. */
export type FaceSighting = "sure" | "possible" | "none" | "unknown";

/**
 * The document's portrait and the template that is registered under the caller's reference; `unnamed` without a reference,
 * `unregistered` without a template, `unknown` where one of the two tells no face that could be compared.
 */
export type ReferenceSighting = "same" | "other" | "unknown" | "unnamed" | "unregistered";

/** A number by which a document is listed. */
export type ListedField = "documentNumber" | "personalNumber";

/** What was known before of a document's portrait and number. A question that the operator has not switched on is absent. */
export type DocumentHistory = {
  /** Among the faces that the operator has blocked. */
  readonly blockedFace?: FaceSighting;
  /** Among the registered users, but for the one whose document it is said to be. */
  readonly registeredFace?: {
    readonly sighting: FaceSighting;
    /** Nobody may be registered twice; otherwise it is noted for a person. */
    readonly isForbidden: boolean;
  };
  /** Absent where the policy compares with no registered user. */
  readonly reference?: ReferenceSighting;
  /** By which numbers the operator knows the document from fraud; absent without a sure number. */
  readonly listed?: readonly ListedField[];
  /** Attempts with this number or this caller's reference in the policy's time, this one counted. */
  readonly attempts?: number;
  /** Who of the operator's list of exposed persons could be the holder; `unknown` without a sure name. */
  readonly exposed?: { readonly matches: PepMatches | "unknown"; readonly list: string };
  /** What a civil registry says; absent where none was asked. */
  readonly registry?: RegistryAnswer;
  /** The number belongs to another customer's approved document; `unknown` without a sure number or a customer. */
  readonly numberOfAnother?: boolean | "unknown";
};

/** The document of which the history is asked. */
export type HistoryQuestion = {
  readonly owner: Pick<Caller, "tenantId" | "world">;
  /** Whose document it is said to be, in the caller's words. */
  readonly customer: string | null;
  /** Whether its portrait is compared with what is registered of that customer. */
  readonly wantsReference: boolean;
  /** JPEG of the front's portrait. */
  readonly portrait?: Uint8Array;
  /** A number as its country writes it, of whichever kind the document is said to be; absent where a part is not sure. */
  readonly number?: readonly [country: string, number: string];
  /** The holder's own number, where it is another one or stands in another place. */
  readonly personalNumber?: readonly [country: string, number: string];
  /** The holder as the document names him; absent without a sure surname. What else is not sure is null. */
  readonly person?: {
    readonly lastName: string;
    readonly firstName: string | null;
    /** YYYY-MM-DD. */
    readonly dateOfBirth: string | null;
  };
  readonly signal: AbortSignal;
};

/** A number that becomes a customer's with an approval: keyed hashes that tell neither. */
export type NumberClaim = {
  readonly number: string;
  readonly customer: string;
  /** The customers whose it was when it was asked for. */
  readonly seen: readonly string[];
};

export type KnownHistory = {
  readonly history: DocumentHistory;
  /** Numbers and random ids of the searches, for the decision's record. */
  readonly record: Json;
  /** Keyed hashes by which later attempts are counted. */
  readonly sightings?: readonly string[];
  /** To be kept where the document is approved. */
  readonly claim?: NumberClaim;
};

/** Looks up what is known of a document. Fails with search_unavailable while galleries are filled. */
export type LookUpHistory = (question: HistoryQuestion) => Promise<KnownHistory>;
