/** A capture session: the row that the store reads, and the sealed rest. */
import { type Static, Type } from "typebox";
import type { CaptureChallenge } from "#contract/capture";
import {
  type CaptureState,
  captureLevels,
  captureResults,
  captureSources,
  captureStepNames,
  captureStepStates,
  documentSides,
} from "#contract/capture";
import { documentAsked } from "#contract/capture-fields";
import type { Caller } from "#contract/endpoint";
import { captureLanguages, guidanceCodes } from "#contract/guidance";

const language = Type.Enum([...captureLanguages]);
const level = Type.Enum([...captureLevels]);
const source = Type.Enum([...captureSources]);
const stepName = Type.Enum([...captureStepNames]);
const side = Type.Enum([...documentSides]);
const optional = Type.Optional;
/** Milliseconds since 1970. */
const moment = Type.Integer();
/** The token that a page holds: its own, or that of a hand-off. */
const holder = Type.Enum(["page", "handoff"]);

/** `sha256` and `dataKeyId` are absent in a session of an earlier release. */
const blob = Type.Object({
  id: Type.String(),
  bytes: Type.Integer(),
  sha256: optional(Type.String()),
  dataKeyId: optional(Type.String()),
});

const answer = Type.Object({
  result: Type.Enum([...captureResults]),
  guidance: Type.Array(Type.Enum([...guidanceCodes])),
  triesLeft: Type.Integer(),
});

const upload = Type.Object({
  id: Type.String(),
  step: stepName,
  side: optional(side),
  bytes: Type.Integer(),
  sha256: Type.String(),
  source,
  holder,
  /** When the page announced it, with the hash of its bytes. */
  at: moment,
  offset: Type.Integer(),
  pieces: Type.Array(blob),
  judging: optional(Type.Object({ until: moment, times: Type.Integer() })),
  answer: optional(answer),
});

const step = Type.Object({
  name: stepName,
  state: Type.Enum([...captureStepStates]),
  refused: Type.Integer(),
  level: optional(level),
  source: optional(source),
  /** Accepted images of a document. */
  sides: Type.Array(Type.Object({ side, image: blob, at: moment })),
});

/** Sealed: it names the person, the page and the images. */
export const captureContent = Type.Object({
  origin: Type.String(),
  returnUrl: optional(Type.String()),
  customerId: optional(Type.String()),
  languages: Type.Array(language),
  language,
  level,
  document: optional(documentAsked),
  consent: optional(Type.Object({ version: Type.String(), language, at: moment })),
  device: optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()]))),
  /** The page that captures. */
  page: optional(Type.Object({ holder, thumbprint: Type.String() })),
  /** The telephone that has opened a hand-off, before its person has confirmed it. */
  phone: optional(Type.Object({ thumbprint: Type.String() })),
  handoff: optional(
    Type.Object({ code: Type.String(), state: Type.Enum(["waiting", "confirmed"]), expiresAt: moment }),
  ),
  challenge: optional(
    Type.Object({
      value: Type.Unsafe<CaptureChallenge>(Type.Object({ id: Type.String() })),
      thumbprint: Type.String(),
      usedBy: optional(Type.String()),
    }),
  ),
  /** Challenges and uploads of this session so far. */
  challenges: Type.Integer(),
  begun: Type.Integer(),
  steps: Type.Array(step),
  uploads: Type.Array(upload),
  /** Tokens for the integrator: objects with their bytes. */
  tokens: Type.Record(Type.String(), blob),
});

export type CaptureContent = Static<typeof captureContent>;
export type CaptureStep = CaptureContent["steps"][number];
export type CaptureUpload = CaptureContent["uploads"][number];
export type UploadAnswer = NonNullable<CaptureUpload["answer"]>;
export type StoredObject = Static<typeof blob>;
export type Holder = Static<typeof holder>;

/** The tenant and environment of a session: sessions of others do not exist for it. */
export type CaptureOwner = Pick<Caller, "tenantId" | "environment">;

/** What the store knows of a session beside its sealed content. */
export type CaptureFacts = CaptureOwner & {
  readonly id: string;
  /** The key that created it; records of its judgements name it. */
  readonly keyId: string;
  readonly operationId: string;
  readonly state: CaptureState;
  /** Grows with each change: of two changes at once one is refused. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

export type CaptureSession = CaptureFacts & { readonly content: CaptureContent };

/** Every object that a session holds. */
export const objectsOf = ({ uploads, steps, tokens }: CaptureContent): readonly StoredObject[] => [
  ...uploads.flatMap(({ pieces }) => pieces),
  ...steps.flatMap(({ sides }) => sides.map(({ image }) => image)),
  ...Object.values(tokens),
];
