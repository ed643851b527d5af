import type { Caller } from "#contract/endpoint";
import type { EvidenceEntry, Step, TokenUse, TransactionRecord } from "./store.ts";

/** A template as it is kept: protected, then sealed under a key of its own, which is sealed under the tenant's. */
export type SealedTemplate = {
  /** Names the template's own key in receipts; a new template has a new key. */
  readonly keyId: string;
  /** The tenant's data key that seals `wrappedKey`. */
  readonly dataKeyId: string;
  /** Which recogniser made the template, as it names itself: templates of different ones are never compared. */
  readonly recogniser: string;
  readonly wrappedKey: Uint8Array;
  readonly sealedTransform: Uint8Array;
  readonly sealedTemplate: Uint8Array;
};

/** A registered user. The caller's own identifier is not stored: `pseudonym` is what a keyed hash makes of it. */
export type Person = SealedTemplate & {
  readonly tenantId: string;
  readonly world: Caller["world"];
  readonly pseudonym: string;
  /** Random; names the person in evidence and tells nothing once the row is gone. */
  readonly id: string;
  /** 1 at enrolment, one more with every new template. */
  readonly revision: number;
  readonly enrolledAt: Date;
  readonly renewedAt: Date;
  /** Failed attempts in a row. */
  readonly failures: number;
  readonly pausedUntil?: Date;
  readonly disabledAt?: Date;
};

export type NewPerson = SealedTemplate &
  Pick<Person, "tenantId" | "world" | "pseudonym" | "id" | "enrolledAt">;

/** Which failures in a row pause a person, for how long, and which disable. */
export type Throttle = {
  readonly pauseFrom: number;
  readonly pauseMs: number;
  readonly disableAt: number;
};

/** One attempt to be this person, judged against the template of `revision`. */
export type Attempt = {
  readonly tenantId: string;
  readonly pseudonym: string;
  readonly revision: number;
  readonly at: Date;
  /** `match` ends a run of failures, `against` adds one, `nothing` was concluded and leaves it. */
  readonly finding: "match" | "against" | "nothing";
  readonly throttle: Throttle;
  /** Written where this attempt is the one that disables. */
  readonly disabling: EvidenceEntry;
};

export type Hold = { readonly pausedUntil?: Date; readonly disabledAt?: Date };

/** `changed`: the template is another one by now, or gone. `held`: too many failures came before. Neither wrote anything. */
export type AttemptAnswer = { readonly kind: "recorded" | "changed" } | ({ readonly kind: "held" } & Hold);

export type NewTemplate = SealedTemplate & Pick<Attempt, "tenantId" | "pseudonym" | "revision" | "at">;

/** Who is deleted, with the key that goes with him: of what the caller read before. */
export type PersonName = Pick<Person, "pseudonym" | "id" | "keyId">;

/** The store's commands for registered users; see `Store`. */
export type PeopleCommands = {
  readonly findPerson: (tenantId: string, pseudonym: string) => Promise<Person | undefined>;
  /** Those of up to 1000 pseudonyms that are registered. */
  readonly listPersonNames: (
    tenantId: string,
    pseudonyms: readonly string[],
  ) => Promise<readonly PersonName[]>;
  /**
   * False, and nothing written, when the pseudonym is registered already, or when a face came to one of the tenant's lists
   * since its evidence went to `searchedAt` (absent: that does not matter). Fails with token_replayed, and with
   * store_unavailable when the tenant's data key was destroyed meanwhile.
   */
  readonly enrolPerson: (
    person: NewPerson,
    record: TransactionRecord,
    uses: readonly TokenUse[],
    step: Step,
    searchedAt?: number,
  ) => Promise<boolean>;
  /** Counts the attempt with its transaction. Fails with token_replayed. */
  readonly recordAttempt: (
    attempt: Attempt,
    record: TransactionRecord,
    uses: readonly TokenUse[],
  ) => Promise<AttemptAnswer>;
  /**
   * Puts a new template in the place of that of `revision`; the old one's key is gone with it. As `recordAttempt`; with
   * `searchedAt` it is `changed` too where a face came to a list since, as with `enrolPerson`.
   */
  readonly replaceTemplate: (
    template: NewTemplate,
    record: TransactionRecord,
    step: Step,
    searchedAt?: number,
  ) => Promise<AttemptAnswer>;
  /** Removes all of `names` and their keys. False, and nothing written, when one of them is not as named any more. */
  readonly deletePeople: (
    tenantId: string,
    names: readonly PersonName[],
    record: TransactionRecord,
    step: Step,
  ) => Promise<boolean>;
  /** Ends pause and disabling. False, and nothing written, when there is no such person of that id. */
  readonly enablePerson: (tenantId: string, personId: string, step: Step) => Promise<boolean>;
  /** Removes up to 1000 people whose tenant's data key was destroyed: nobody can open them. Says how many. */
  readonly purgePeople: () => Promise<number>;
};
