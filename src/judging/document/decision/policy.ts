import type { PortraitEvidence } from "#contract/portrait-evidence";
import type { ReasonCode } from "#contract/reason-code";
import { type AttackPolicy, defaultAttackPolicy } from "./attacks/attack-policy.ts";
import type { FindingName } from "./finding-names.ts";

/**
 * Every threshold and rule that decides a reading. The confidence of a reading is the readers' own. Each
 * stored decision has the version.
 */
export type DocumentPolicy = {
  readonly version: string;
  readonly image: {
    /** Interface, Limits: HD, at least 720 px on the shorter side. */
    readonly shortSidePxMin: number;
    /** Interface, Limits: JPEG quality at least 70. */
    readonly jpegQualityMin: number;
    /** Interface, Limits, of the diagnostic: margins around the document, as a share of its width. */
    readonly marginShareMin: number;
    /** Only where the data could not be read: beyond these limits the image is the cause. */
    readonly sharpnessMin: number;
    readonly overexposedShareMax: number;
    readonly brightnessMin: number;
  };
  readonly card: {
    /**
     * A corner farther outside the image is cut off. For a located outline a share of the frame's shorter
     * side, for a document located by its MRZ a share of the document's longer side.
     */
    readonly outsideShareMax: number;
    /** A smaller face is no portrait of an ID-1 card but a ghost; a share of the card's longer side. */
    readonly faceShareMin: number;
  };
  readonly resubmission: {
    /**
     * The attempt that is declined instead of resubmitted (539): nine resubmissions follow the first attempt.
     */
    readonly attemptsMax: number;
    /** Days without a submission after which a validation or a resubmission has ended (9104). */
    readonly daysMax: number;
    /**
     * Whether a new start counts as the next attempt of the validation that waits under the same merchant
     * reference. Only for operators who use one reference for one person: otherwise different people end each
     * other's validations and use up each other's attempts.
     */
    readonly countsMerchantReference: boolean;
  };
  /** Thresholds for the traces of attacks. */
  readonly attacks: AttackPolicy;
  readonly velocity: {
    /**
     * Attempts with one number or one caller's reference that are allowed within `hours` (107); 0: none is
     * counted.
     */
    readonly attemptsMax: number;
    readonly hours: number;
  };
  readonly review: {
    /** Minutes for which a claimed review is reserved. */
    readonly holdMinutes: number;
    /** Number of reviewers who must agree. */
    readonly persons: 1 | 2;
  };
  /**
   * The least evidence that the portrait belongs to the document, for an approval; `unproven`: none is asked
   * for.
   */
  readonly portraitEvidenceMin: PortraitEvidence;
  /** The reference of the portrait: none, or the template that is registered under the caller's reference. */
  readonly reference: "none" | "registeredUser";
  /** Least age of a holder in years; absent: no age rule. One of 13, 14, 16, 18, 20, 21, 25. */
  readonly ageYearsMin?: keyof typeof ageCodes;
  /** Published specimens in addition to the shipped list: document numbers, and texts of an MRZ (508). */
  readonly specimens: { readonly numbers: readonly string[]; readonly mrzTexts: readonly string[] };
  /** Last day (YYYY-MM-DD) until which an expired document of a country is accepted by decree. */
  readonly expiryGrace: readonly { readonly country: string; readonly acceptedUntil: string }[];
  /** Countries whose documents are served; empty: every country. */
  readonly countries: readonly string[];
  /**
   * Overrides of a finding's consequence, by its name. A reason never does more than its `alone` in the
   * table.
   */
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
  version: "document-6",
  image: {
    shortSidePxMin: 720,
    jpegQualityMin: 70,
    marginShareMin: 0.05,
    sharpnessMin: 0.15,
    overexposedShareMax: 0.4,
    brightnessMin: 40,
  },
  card: { outsideShareMax: 0.02, faceShareMin: 0.11 },
  resubmission: { attemptsMax: 10, daysMax: 7, countsMerchantReference: false },
  review: { holdMinutes: 15, persons: 1 },
  velocity: { attemptsMax: 0, hours: 24 },
  portraitEvidenceMin: "unproven",
  reference: "none",
  attacks: defaultAttackPolicy,
  specimens: { numbers: [], mrzTexts: [] },
  expiryGrace: [],
  countries: [],
  consequences: {},
};
