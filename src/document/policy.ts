import type { ReasonCode } from "#contract/reason-code";
import { type AttackPolicy, defaultAttackPolicy } from "./attacks/attack-policy.ts";
import type { FindingName } from "./finding-names.ts";

/** Every number and rule by which a reading is decided; what makes a reading sure is the readers' own. The version goes into each stored decision. */
export type DocumentPolicy = {
  readonly version: string;
  readonly picture: {
    /** Interface, Limits: HD, at least 720 px on the shorter side. */
    readonly shortSidePxMin: number;
    /** Interface, Limits: JPEG quality at least 70. */
    readonly jpegQualityMin: number;
    /** Interface, Limits, of the diagnostic: ground around the document, as a share of its width. */
    readonly marginShareMin: number;
    /** Only where the data could not be read: below these the picture is named as the cause. */
    readonly sharpnessMin: number;
    readonly overexposedShareMax: number;
    readonly brightnessMin: number;
  };
  readonly card: {
    /** A corner farther outside is cut off: a located one, as a share of the frame's shorter side; one that the zone tells, of the document's longer side. */
    readonly outsideShareMax: number;
  };
  readonly resubmission: {
    /** The attempt that is not asked to try again but declined (539): nine resubmissions follow the first attempt. */
    readonly attemptsMax: number;
    /** Days of silence after which what was started or asked again has ended (9104). */
    readonly daysMax: number;
    /**
     * Whether a new start counts as the next attempt of what waits under the same merchant reference. Only for operators
     * who use one reference for one person: else strangers end each other's waiting and use up each other's attempts.
     */
    readonly countsMerchantReference: boolean;
  };
  /** By what traces of attacks are judged. */
  readonly attacks: AttackPolicy;
  readonly velocity: {
    /** Attempts with one number or one caller's reference within `hours`, from which on it is told (107); 0: none is counted. */
    readonly attemptsMax: number;
    readonly hours: number;
  };
  readonly review: {
    /** Minutes for which a person who claims a review has it alone. */
    readonly holdMinutes: number;
    /** Persons who must agree. */
    readonly persons: 1 | 2;
  };
  /** What the portrait is compared with: nothing, or the template that is registered under the caller's reference. */
  readonly reference: "none" | "registeredUser";
  /** Years that a holder must have reached; absent: no age rule. One of 13, 14, 16, 18, 20, 21, 25. */
  readonly ageYearsMin?: keyof typeof ageCodes;
  /** Last day (YYYY-MM-DD) until which an expired document of a country is accepted by decree. */
  readonly expiryGrace: readonly { readonly country: string; readonly acceptedUntil: string }[];
  /** Countries whose documents are served; empty: every country. */
  readonly countries: readonly string[];
  /** Consequence of a finding by its name, where it shall differ from its own; a reason never does more than its table's `alone`. */
  readonly consequences: Readonly<Partial<Record<FindingName, "decline" | "resubmit" | "review" | "ignore">>>;
};

/** Reason code of each configurable age limit (interface, Errors). */
export const ageCodes = {
  13: 530,
  14: 531,
  16: 532,
  18: 533,
  20: 534,
  21: 535,
  25: 536,
} as const satisfies Readonly<Record<number, ReasonCode>>;

/** The policy of a new installation. */
export const defaultDocumentPolicy: DocumentPolicy = {
  version: "document-2",
  picture: {
    shortSidePxMin: 720,
    jpegQualityMin: 70,
    marginShareMin: 0.05,
    sharpnessMin: 0.15,
    overexposedShareMax: 0.4,
    brightnessMin: 40,
  },
  card: { outsideShareMax: 0.02 },
  resubmission: { attemptsMax: 10, daysMax: 7, countsMerchantReference: false },
  review: { holdMinutes: 15, persons: 1 },
  velocity: { attemptsMax: 0, hours: 24 },
  reference: "none",
  attacks: defaultAttackPolicy,
  expiryGrace: [],
  countries: [],
  consequences: {},
};
