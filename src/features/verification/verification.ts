/** A verification: the row that the store reads, and the sealed rest. */
import { type Static, Type } from "typebox";
import { captureLevels } from "#contract/capture";
import { documentTypesV2 } from "#contract/document-type";
import type { Caller } from "#contract/endpoint";
import { assuranceLevels } from "#contract/liveness";
import {
  ageAnswers,
  birthReadings,
  nextSteps,
  type VerificationState,
  verificationDecisions,
  verificationFlows,
  verificationReasons,
} from "#contract/verification";

const optional = Type.Optional;
/** Milliseconds since 1970. */
const moment = Type.Integer();
/** `sha256` and `dataKeyId` are absent in a verification of an earlier release. */
const image = Type.Object({
  id: Type.String(),
  bytes: Type.Integer(),
  sha256: optional(Type.String()),
  dataKeyId: optional(Type.String()),
});

/** Sealed: it names the person, the images and what was found. */
export const verificationContent = Type.Object({
  flow: Type.Enum([...verificationFlows]),
  customerId: optional(Type.String()),
  userId: optional(Type.String()),
  age: optional(Type.Integer()),
  level: optional(Type.Enum([...captureLevels])),
  expected: optional(Type.Object({ country: Type.String(), type: Type.Enum([...documentTypesV2]) })),
  captureSessionId: optional(Type.String()),
  /** Whether the caller's own selfie is a token that a capture session made. */
  isAttested: optional(Type.Boolean()),
  /** The transaction that created it. */
  createdBy: Type.String(),
  /**
   * Transactions of the steps, chosen before the first step runs: a transaction exists once, so that a step
   * that was cut off after its commit is found, and is never made again.
   */
  transactions: Type.Object({
    start: Type.String(),
    face: Type.String(),
    decision: Type.String(),
  }),
  /**
   * Images as they were sent: tokens, or open images. Absent while a capture is awaited, and after the end.
   */
  images: optional(
    Type.Object({ selfie: optional(image), front: optional(image), back: optional(image), at: moment }),
  ),
  /** The started document validation. */
  scanReference: optional(Type.String()),
  /** What the face step found, or the failure that ended it. */
  face: optional(
    Type.Union([
      Type.Object({
        facial: Type.Integer(),
        liveness: Type.Integer(),
        assurance: Type.Enum([...assuranceLevels]),
        similarity: Type.Union([Type.Number(), Type.Null()]),
        falseMatchRate: Type.Union([Type.Number(), Type.Null()]),
      }),
      Type.Object({ refused: Type.Enum([...verificationReasons]) }),
    ]),
  ),
  end: optional(
    Type.Object({
      decision: Type.Enum([...verificationDecisions]),
      reasons: Type.Array(Type.Enum([...verificationReasons])),
      nextStep: Type.Enum([...nextSteps]),
      at: moment,
      /** The answer to the age that was asked for: no birth date. */
      age: optional(
        Type.Object({
          answer: Type.Enum([...ageAnswers]),
          birth: Type.Enum([...birthReadings]),
          isApproved: Type.Boolean(),
          day: Type.String(),
        }),
      ),
    }),
  ),
});

export type VerificationContent = Static<typeof verificationContent>;
export type VerificationImages = NonNullable<VerificationContent["images"]>;
export type FaceFinding = NonNullable<VerificationContent["face"]>;
export type VerificationEnd = NonNullable<VerificationContent["end"]>;

/** The tenant and environment of a verification: verifications of others do not exist for it. */
export type VerificationOwner = Pick<Caller, "tenantId" | "environment">;

/** What the store knows of a verification beside its sealed content. The row is also the job. */
export type VerificationFacts = VerificationOwner & {
  readonly id: string;
  /** The key that created it; records of its steps name it. */
  readonly keyId: string;
  readonly operationId: string;
  readonly state: VerificationState;
  /** Counts the changes: a change applies only to the revision that was read. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly attempts: number;
  readonly deaths?: number;
};

/** The objects that a content holds. */
export const objectsOf = ({ images }: VerificationContent): readonly Static<typeof image>[] =>
  [images?.selfie, images?.front, images?.back].flatMap((object) => (object === undefined ? [] : [object]));
