import { type Static, type TSchema, Type } from "typebox";
import { assuranceLevels } from "./liveness.ts";
import { portraitEvidences } from "./portrait-evidence.ts";
import { nullableText, similarity, text, time } from "./wire.ts";

export const transactionExample = "2db602ee-3564-4304-af95-92a52eaae12d";
export const scanReference = text("Reference of the document validation.", {
  "x-name": "ValidatedScanReference",
  maxLength: 128,
  examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"],
});

const personShape = Type.Object(
  {
    firstName: nullableText("identity", "First names.", "ANNA MARIA"),
    lastName: nullableText("identity", "Surnames.", "ERIKSSON"),
    idNumber: nullableText("identity", "National identity number."),
    dateOfBirth: nullableText("identity", "YYYY-MM-DD.", "1974-08-12"),
  },
  { description: "As the document shows them." },
);

const documentShape = Type.Object({
  type: text("Kind of the document.", { examples: ["ID_CARD"] }),
  country: nullableText("document", "Issuing country, ISO 3166-1 alpha-3.", "CHL"),
  number: nullableText("document", "Document number.", "F12345678"),
});

/** A figure of a count; null where nothing was counted. */
const counted = <Figure extends TSchema>(figure: Figure, description: string, example: number) =>
  Type.Union([figure, Type.Null()], { description, examples: [example] });

/** What was counted at the score of a comparison. */
const counts = (rateText: string) => ({
  countedFalseMatchRate: counted(Type.Number({ minimum: 1e-4, maximum: 1 }), rateText, 0.0001),
  countedPairs: counted(
    Type.Integer({ minimum: 1 }),
    "Number of pairs of different persons over which `countedFalseMatchRate` was counted.",
    7_255_541,
  ),
  countedFalseMatchRateWorstGroup: counted(
    Type.Number({ minimum: 1e-4, maximum: 1 }),
    "The same within the demographic group where it is highest, over `countedPairsWorstGroup`.",
    0.01,
  ),
  countedPairsWorstGroup: counted(
    Type.Integer({ minimum: 1 }),
    "Number of pairs within a group over which `countedFalseMatchRateWorstGroup` was counted.",
    44_850,
  ),
});

/** The content of a certificate; its JSON form. */
export const certificateShape = Type.Object({
  environment: Type.Enum(["live", "test"], {
    type: "string",
    description: "Environment of the key that verified. A certificate of test proves nothing about a person.",
    examples: ["live"],
  }),
  serviceTransactionId: Type.String({
    description: "Transaction of the identity call.",
    examples: [transactionExample],
  }),
  codigoVerificacion: Type.String({
    description: "The 16 bytes of the transaction's UUID in URL-safe Base64 without padding.",
    examples: ["LbYC7jVkQwSvlZKlLqrhLQ"],
  }),
  facialAuthenticationResult: Type.Integer({ examples: [3] }),
  facialAuthenticationSimilarity: similarity,
  ...counts(
    "False match rate that was counted at this score or below it, over `countedPairs`. Null where none was counted: " +
      "at a low score, and for an added recogniser or an own cohort.",
  ),
  passiveLivenessResult: Type.Integer({ examples: [3] }),
  livenessLevel: Type.Union([Type.Enum(assuranceLevels, { type: "string" }), Type.Null()], {
    description:
      "What the liveness rests on, as `docs/guides/understand/liveness.md` explains; null where the record states none.",
    examples: ["active-turn"],
  }),
  documentValidationCode: Type.Integer({ examples: [9001] }),
  scanReference,
  verifiedAt: time("UTC time of the identity call."),
  documentDecidedAt: Type.Union([Type.String(), Type.Null()], {
    description: "UTC time of the document's approval; null where it is not kept any more.",
    examples: ["2026-11-21T09:30:04.000Z"],
  }),
  samePersonBy: Type.Enum(["image", "faces"], {
    type: "string",
    description:
      "What joins person and document. image: the identity call compared the selfie with the image of this document. faces: the " +
      "portrait of the document was compared with the selfie.",
    examples: ["image"],
  }),
  documentComparison: Type.Union([Type.Object(counts("The same of this comparison.")), Type.Null()], {
    description:
      "The counts of the comparison of the document's portrait with the selfie, where `samePersonBy` is faces. The counts above and " +
      "`facialAuthenticationSimilarity` are of the identity call alone, whose reference may be another image. Null for image, and " +
      "where the comparison is not kept.",
    examples: [null],
  }),
  portraitEvidence: Type.Union([Type.Enum(portraitEvidences, { type: "string" }), Type.Null()], {
    description:
      "What shows that the portrait belongs to the document, as the token was issued; null where no record that is kept states it.",
    examples: ["print-consistent"],
  }),
  personIsKept: Type.Boolean({
    description:
      "False after the retention of the document validation: `person` and `document` are null then.",
    examples: [true],
  }),
  person: Type.Union([personShape, Type.Null()], {
    examples: [{ firstName: "ANNA MARIA", lastName: "ERIKSSON", idNumber: null, dateOfBirth: "1974-08-12" }],
  }),
  document: Type.Union([documentShape, Type.Null()], {
    examples: [{ type: "ID_CARD", country: "CHL", number: "F12345678" }],
  }),
  provider: text("The provider of the verification.", {
    maxLength: 200,
    examples: ["Example Verification Ltd"],
  }),
  hashes: Type.Object(
    {
      facialAuthenticationHash: Type.Union([Type.String(), Type.Null()], {
        description: "Keyed hash of the identity answer, 128 hexadecimal digits.",
        examples: ["0A".repeat(64)],
      }),
      policyVersion: text("Version of the thresholds.", { examples: ["face-1"] }),
      models: Type.Record(Type.String(), Type.String(), {
        description: "SHA-256 (hex) of the weights of each model.",
        examples: [{ recogniser: "5e".repeat(32) }],
      }),
    },
    { description: "What makes the verification reproducible." },
  ),
  tokenExpiresAt: time("UTC time until which the token opens this certificate."),
  openingsLeft: Type.Integer({
    minimum: 0,
    description:
      "How often the token opens this certificate again, at most: other openings at the same time count too.",
    examples: [9],
  }),
  issuedAt: time("UTC time of this answer."),
});

export type CertificateContent = Static<typeof certificateShape>;
