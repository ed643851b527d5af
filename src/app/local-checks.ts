/**
 * Composition root of the checks without a service: the product's engines and judges, without store, keys or
 * server.
 */

import { type FacialAuthenticationNumber, facialAuthenticationNumber } from "#contract/facial-authentication";
import { livenessNumber } from "#contract/liveness";
import { version } from "#contract/version";
import { type Decided, decide } from "#features/verification/decide";
import { referenceOf } from "#features/verification/reference";
import { type DecidedDocument, decideDocument } from "#judging/document/decision/decide";
import type { ExtractedDocument } from "#judging/document/decision/extracted-document";
import type { DeclaredType } from "#judging/document/decision/finding";
import { typesOf } from "#judging/document/decision/findings/type";
import type { DocumentPolicy } from "#judging/document/decision/policy";
import {
  portraitPlaceOf,
  recordOf,
  reportedValue,
  type VerificationRecord,
} from "#judging/document/decision/verification-record";
import type { DocumentImages } from "#judging/document/reading/read-document";
import { judgeLiveness, type LivenessJudgement } from "#judging/face/liveness/judge-liveness";
import { scoreAtFmr } from "#judging/face/matching/calibration";
import { type FacialJudgement, judgeComparison } from "#judging/face/matching/judge-comparison";
import type { FaceMeasurement } from "#judging/face/measurement";
import type { ComparisonUse, FacePolicy } from "#judging/face/policy";
import { requireImage } from "#judging/face/service";
import { type Identity, judgeIdentity } from "#judging/face/verify-identity";
import type { Config } from "#machine/config/config";
import { ledger } from "#machine/networks/ledger";
import { modelHashes } from "#machine/networks/model-files";
import { openDocumentModels } from "./document-models.ts";
import { readDocumentPolicy } from "./document-policy.ts";
import { type Engine, openEngine, readEngineFiles } from "./engine.ts";
import { readFacePolicy } from "./face-policy.ts";
import { listAdded } from "./models.ts";

/**
 * The document that the operator expects. A value that is absent is taken from the document, so it cannot
 * differ.
 */
export type Expectation = { readonly country?: string; readonly type?: DeclaredType };

export type ComparedFaces = {
  readonly first: FaceMeasurement;
  readonly second: FaceMeasurement;
  readonly facial: FacialJudgement;
};

export type JudgedFace = { readonly image: FaceMeasurement; readonly liveness: LivenessJudgement };

export type ReadDocument = ExtractedDocument & { readonly record: VerificationRecord };

export type VerifiedPerson = Identity & {
  readonly selfie: FaceMeasurement;
  readonly portrait: FaceMeasurement;
  readonly document: ExtractedDocument &
    Pick<DecidedDocument, "findings" | "decision"> & {
      readonly record: VerificationRecord;
      /** The type that the call names, else the type that was found. */
      readonly type: DeclaredType;
    };
  readonly end: Exclude<Decided, "waiting">;
};

/**
 * Answers questions about images as the service does, and stores nothing. Made by {@link openLocalChecks}.
 */
export type LocalChecks = {
  /** As authenticateFacial with two images. Fails with an image failure of the input `first` or `second`. */
  readonly compare: (first: Uint8Array, second: Uint8Array) => Promise<ComparedFaces>;
  /** As evaluatePassiveLiveness. */
  readonly judge: (image: Uint8Array) => Promise<JudgedFace>;
  /** As extractDocumentData. Fails with an image failure of the input `front` or `back`. */
  readonly read: (images: DocumentImages) => Promise<ReadDocument>;
  /**
   * As a verification of document and selfie, but for the history of the service: no other customer, user,
   * block list or watchlist is asked. Fails with an image failure of the input `front`, `back` or
   * `reference`.
   */
  readonly verify: (
    images: DocumentImages & { readonly selfie: Uint8Array },
    expected: Expectation,
  ) => Promise<VerifiedPerson>;
  readonly facePolicy: FacePolicy;
  readonly documentPolicy: DocumentPolicy;
  /** The least score that matches. */
  readonly thresholdOf: (use: ComparisonUse) => number;
  /** Release, policies and models: two runs with equal settings answer equally. */
  readonly settings: {
    readonly version: string;
    readonly facePolicy: string;
    readonly documentPolicy: string;
    readonly models: Readonly<Record<string, string>>;
  };
  readonly close: () => Promise<void>;
};

/**
 * Opens the engines with the models and policies of the settings. Throws Error as the start of a service
 * does.
 */
export const openLocalChecks = async (config: Config): Promise<LocalChecks> => {
  const files = await readEngineFiles(config);
  const facePolicy = await readFacePolicy(config, files.added);
  const documentPolicy = await readDocumentPolicy(config);
  const models = await openDocumentModels(config);
  const engine = openEngine(config, files, () => undefined, models);
  await engine.pool.ready;
  const added = listAdded(files.added).map(({ name, sha256 }) => [name, sha256] as const);
  return {
    compare: makeCompare(engine, facePolicy),
    judge: async (image) => {
      const measured = await engine.face.measure(image, { liveness: true });
      return { image: measured, liveness: judgeLiveness(measured, facePolicy.liveness) };
    },
    read: makeRead(engine, documentPolicy),
    verify: makeVerify(engine, facePolicy, documentPolicy),
    facePolicy,
    documentPolicy,
    thresholdOf: (use) => scoreAtFmr(facePolicy.comparison.falseMatchRates[use]),
    settings: {
      version,
      facePolicy: facePolicy.version,
      documentPolicy: documentPolicy.version,
      models: {
        ...modelHashes(ledger),
        ...(models.own && { "own-document-models": models.own.sha256 }),
        ...Object.fromEntries(added),
      },
    },
    close: () => engine.pool.close(),
  };
};

const makeCompare =
  ({ face }: Engine, { comparison }: FacePolicy): LocalChecks["compare"] =>
  async (a, b) => {
    const [first, second] = await Promise.all([
      face.measure(a, { template: true }),
      face.measure(b, { template: true }),
    ]);
    requireImage("first", first);
    requireImage("second", second);
    return { first, second, facial: judgeComparison(first, second, comparison, { use: "selfie" }) };
  };

/**
 * The type that the fields show. An unclear MRZ names no type, because it may be print that was taken for an
 * MRZ.
 */
const typeFound = (fields: ExtractedDocument["fields"]): DeclaredType | undefined => {
  const { mrz, ...others } = fields;
  return typesOf({ fields: mrz?.summary.clear === true ? fields : others })[0];
};

/** The declaration of a call; what the operator did not name is what was found. */
const declaredOf = (
  { fields }: ExtractedDocument,
  { back }: DocumentImages,
  { country, type }: Expectation,
): { readonly country: string; readonly type: DeclaredType } => ({
  country: country ?? reportedValue(fields, "issuer") ?? "",
  type: type ?? typeFound(fields) ?? (back === undefined ? "PASSPORT" : "ID_CARD"),
});

const makeDecide =
  ({ document, collectFields }: Engine, policy: DocumentPolicy) =>
  async (images: DocumentImages, expected: Expectation): Promise<VerifiedPerson["document"]> => {
    const at = new Date();
    const { type } = expected;
    const reading = await document.read(images, { ...(type && { type }), attacks: true });
    const extracted = { reading, fields: await collectFields(reading, at) };
    const declared = declaredOf(extracted, images, expected);
    const { findings, decision, portraitEvidence } = decideDocument(extracted, declared, at, policy);
    return {
      ...extracted,
      findings,
      decision,
      record: {
        ...recordOf(extracted.fields, declared.type, decision, at),
        ...portraitPlaceOf(reading),
        portraitEvidence,
      },
      type: declared.type,
    };
  };

const makeRead = (engine: Engine, policy: DocumentPolicy): LocalChecks["read"] => {
  const decideOne = makeDecide(engine, policy);
  return async (images) => {
    const { reading, fields, record } = await decideOne(images, {});
    return { reading, fields, record };
  };
};

const facialNumber = ({ result }: FacialJudgement): FacialAuthenticationNumber =>
  facialAuthenticationNumber[result];

const makeVerify = (
  engine: Engine,
  facePolicy: FacePolicy,
  documentPolicy: DocumentPolicy,
): LocalChecks["verify"] => {
  const decideOne = makeDecide(engine, documentPolicy);
  return async ({ selfie, ...images }, expected) => {
    const [document, best] = await Promise.all([
      decideOne(images, expected),
      engine.face.measure(selfie, { template: true, liveness: true }),
    ]);
    const reference = referenceOf({ status: "DONE", record: document.record });
    // Without a portrait, measures the front, only to show what it has. The front is no reference.
    const { image, part } = reference ?? { image: "front", part: {} };
    const first = await engine.face.measure(images[image] ?? images.front, { template: true, ...part });
    requireImage("reference", first);
    const judged = judgeIdentity(facePolicy, first, best);
    const { liveness } = judged;
    const facial: FacialJudgement =
      reference === undefined ? { result: "NoneBecauseInvalidExtractions" } : judged.facial;
    const end = decide({
      flow: "document_and_selfie",
      face: {
        facial: facialNumber(facial),
        liveness: livenessNumber[liveness.result],
        assurance: liveness.assurance,
        similarity: facial.comparison?.similarity ?? null,
        falseMatchRate: facial.comparison?.falseMatchRate ?? null,
      },
      document: document.decision.status,
    });
    if (end === "waiting") throw new Error("A verification without open parts waits for one");
    return { facial, liveness, selfie: best, portrait: first, document, end };
  };
};
