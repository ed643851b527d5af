import type { ReasonCode } from "#contract/reason-code";

/** Every number and every rule by which a document is decided. The version goes into each stored decision. */
export type DocumentPolicy = {
  readonly version: string;
  readonly picture: {
    /** Interface, Limits: HD, at least 720 px on the shorter side. */
    readonly shortSidePxMin: number;
    /** Interface, Limits: JPEG quality at least 70. */
    readonly jpegQualityMin: number;
    /** Only where the data could not be read: below these the picture is named as the cause. */
    readonly sharpnessMin: number;
    readonly overexposedShareMax: number;
    readonly brightnessMin: number;
  };
  readonly card: {
    /** Measured: from 1.1 on 64 of 64 located cards were right. */
    readonly scoreTrusted: number;
    /** Measured: from 0.8 on 92 % were right: used together with text or a portrait inside. */
    readonly scoreUsable: number;
    /** A corner farther outside than this share of the frame's shorter side is cut off by the frame. */
    readonly outsideShareMax: number;
  };
  readonly mrz: {
    /** Measured: wrong characters had margins of 0.05 to 1.7 nats, right ones nearly always more than 2.5. */
    readonly marginNatsMin: number;
  };
  /** Years that a holder must have reached; absent: no age rule. One of 13, 14, 16, 18, 20, 21, 25. */
  readonly ageYearsMin?: keyof typeof ageCodes;
  /** Last day (YYYY-MM-DD) until which an expired document of a country is accepted by decree. */
  readonly expiryGrace: readonly { readonly country: string; readonly acceptedUntil: string }[];
  /** Countries whose documents are served; empty: every country. */
  readonly countries: readonly string[];
  /** Consequence of a finding by its name, where it shall differ from the finding's own. */
  readonly consequences: Readonly<Record<string, "decline" | "resubmit" | "review" | "ignore">>;
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
  version: "document-1",
  picture: {
    shortSidePxMin: 720,
    jpegQualityMin: 70,
    sharpnessMin: 0.15,
    overexposedShareMax: 0.4,
    brightnessMin: 40,
  },
  card: { scoreTrusted: 1.1, scoreUsable: 0.8, outsideShareMax: 0.02 },
  mrz: { marginNatsMin: 2 },
  expiryGrace: [],
  countries: [],
  consequences: {},
};
