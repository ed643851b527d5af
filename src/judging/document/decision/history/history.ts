import type { Caller } from "#contract/endpoint";
import type { Json } from "#contract/json";
import type { ExpectedHistory } from "../../store/validation.ts";
import type { RegistryAnswer, RegistryQuestion } from "../watchlists/civil-registry.ts";
import type { PepMatches } from "../watchlists/pep-list.ts";

/** The result of a face search: `unknown` where the portrait has no face that could be searched. */
export type FaceMatch = "sure" | "possible" | "none" | "unknown";

/**
 * The document's portrait against the template that is registered under the caller's reference; `unnamed`
 * without a reference, `unregistered` without a template, `unknown` where one of the two has no face that
 * could be compared.
 */
export type ReferenceMatch = "same" | "other" | "unknown" | "unnamed" | "unregistered";

/** A number by which a document is listed. */
export type ListedField = "documentNumber" | "personalNumber";

/** The results of the history checks. A check that the operator has not enabled is absent. */
export type DocumentHistory = {
  /** Search among the faces that the operator blocked. */
  readonly blockedFace?: FaceMatch;
  /** Search among the registered users, except the user that the caller named. */
  readonly registeredFace?: {
    readonly match: FaceMatch;
    /** Duplicates are refused; otherwise they are flagged. */
    readonly isForbidden: boolean;
  };
  /** Absent where the policy compares with no registered user. */
  readonly reference?: ReferenceMatch;
  /** The numbers by which the operator listed the document; absent without a reported number. */
  readonly listed?: readonly ListedField[];
  /** Attempts with this number or this caller's reference within the policy's hours, this one included. */
  readonly attempts?: number;
  /** Matches in the operator's list of exposed persons; `unknown` without a reported name. */
  readonly exposed?: { readonly matches: PepMatches | "unknown"; readonly list: string };
  /** The answer of a civil registry; absent where none was queried. */
  readonly registry?: RegistryAnswer;
  /**
   * The number belongs to another customer's approved document; `unknown` without a reported number or a
   * customer.
   */
  readonly numberOfAnother?: boolean | "unknown";
};

/** The input of the history checks. */
export type HistoryQuestion = {
  readonly owner: Pick<Caller, "tenantId" | "environment">;
  /** The customer whose document it is, by the caller's reference. */
  readonly customer: string | null;
  /** What a civil registry receives beside number and name. */
  readonly civil: Pick<RegistryQuestion, "validation" | "isPassport" | "sex" | "documentCode">;
  /** Whether its portrait is compared with the template of that customer. */
  readonly wantsReference: boolean;
  /** JPEG of the front's portrait. */
  readonly portrait?: Uint8Array;
  /**
   * The number as its country writes it, for every declared type; absent where country or number are not
   * reported.
   */
  readonly number?: readonly [country: string, number: string];
  /** The holder's own number, where it is another number or in another place. */
  readonly personalNumber?: readonly [country: string, number: string];
  /**
   * The holder's name and birth date on the document; absent without a reported surname. Other unreported
   * values are null.
   */
  readonly person?: {
    readonly lastName: string;
    readonly firstName: string | null;
    /** YYYY-MM-DD. */
    readonly dateOfBirth: string | null;
  };
  readonly signal: AbortSignal;
};

/** Binds a number to a customer with an approval, as keyed hashes that reveal neither. */
export type NumberClaim = {
  readonly numberHash: string;
  readonly customerHash: string;
  /** The customers of the number at the time of the check. */
  readonly seen: readonly string[];
};

/** The results of the history checks, with their record. */
export type KnownHistory = {
  readonly history: DocumentHistory;
  /** Numbers and random ids of the searches, for the decision's record. */
  readonly record: Json;
  /** Keyed hashes that count later attempts. */
  readonly velocityEvents?: readonly string[];
  /** Stored where the document is approved. */
  readonly claim?: NumberClaim;
  /** The answers of the history checks that must still hold when the decision is stored. */
  readonly expected?: ExpectedHistory;
};

/** Runs the history checks of a document. Fails with search_unavailable while galleries are filled. */
export type LookUpHistory = (question: HistoryQuestion) => Promise<KnownHistory>;
