import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { RecordingStore } from "#app/recording-store";
import type { Caller } from "#contract/endpoint";
import type { AssuranceLevel } from "#contract/liveness";
import type { PortraitEvidence } from "#contract/portrait-evidence";
import type { VerificationStatus } from "#contract/verification-code";
import type { VerificationRecord } from "#judging/document/decision/verification-record";
import type { Sealing } from "#judging/document/validation/sealed";
import { countedUnder } from "#judging/face/countable-rate";
import { fmrAtScore } from "#judging/face/matching/calibration";
import type { Blobs } from "#machine/storage/blobs";
import type { TrackCall } from "#record/transactions/operation-step";
import type { TransactionRecord } from "#record/transactions/record";
import { stepOf } from "#record/transactions/record-call";

export type TestOwner = Pick<Caller, "tenantId" | "environment">;

export type FillParts = {
  readonly store: RecordingStore;
  readonly blobs: Pick<Blobs, "put">;
  readonly sealing: Sealing;
  readonly trackCall: TrackCall;
  readonly now: () => Date;
};

/** An image as far as a hash shows: its bytes are compared, and never decoded. */
export const anImage = (): Uint8Array => new Uint8Array(randomBytes(64));

const recordOf = (status: VerificationStatus): VerificationRecord => ({
  status,
  reason: null,
  reasonCode: null,
  otherReasonCodes: [],
  decidedAt: "2026-11-21T09:30:04.000Z",
  document: { type: "ID_CARD", country: "CHL", number: "F12345678", issued: null, expires: null },
  person: {
    firstName: "ANNA MARÍA <b>",
    lastName: "ERIKSSON",
    nationality: "CHL",
    sex: "F",
    dateOfBirth: "1974-08-12",
    yearOfBirth: "1974",
    idNumber: "12345678-5",
  },
});

type TestCall = { readonly operation: string; readonly at: Date; readonly selfie?: Uint8Array | undefined };

/** The step of a call in an operation. */
const stepOfCall = async (
  { trackCall }: FillParts,
  of: TestOwner,
  transactionId: string,
  endpoint: string,
  { operation, at, selfie }: TestCall,
) => {
  const call = {
    caller: { ...of, keyId: "key" },
    transactionId,
    receivedAt: at,
    tracking: { operationId: operation },
  };
  return stepOf({
    operation: await trackCall(call, endpoint, { images: { ...(selfie && { selfie }) } }),
  });
};

const aRecord = (of: TestOwner, id: string, endpoint: string, at: Date): TransactionRecord => ({
  ...of,
  id,
  keyId: "key",
  endpoint,
  at,
  result: {},
  measurements: null,
  policyVersion: countedUnder.scale,
  models: countedUnder.models,
  tokenHashes: ["ab".repeat(32)],
});

export type TestIdentity = Partial<Pick<TransactionRecord, "endpoint" | "result" | "policyVersion">> & {
  readonly reference?: Uint8Array;
  readonly operation?: string;
  readonly selfie?: Uint8Array;
  /** The level of assurance of its liveness; absent: not recorded. */
  readonly level?: AssuranceLevel;
};

/** An identity call as the face module records it. Returns its transaction. */
export const identifyIn = async (
  parts: FillParts,
  { tenantId, environment }: TestOwner,
  { reference, operation, selfie, endpoint = "identity", level, ...stated }: TestIdentity,
): Promise<string> => {
  const of = { tenantId, environment };
  const hashes = reference && [createHash("sha256").update(reference).digest("hex")];
  const record: TransactionRecord = {
    ...aRecord(of, randomUUID(), endpoint, parts.now()),
    result: { facial: 3, liveness: 3 },
    ...stated,
    measurements: {
      comparison: { score: 5.5, similarity: 0.99214232, falseMatchRate: fmrAtScore(5.5) },
      ...(level && { liveness: { assurance: level } }),
      ...(hashes && { imageHashes: hashes }),
    },
  };
  const step =
    operation === undefined
      ? stepOf()
      : await stepOfCall(parts, of, record.id, "identity", { operation, at: record.at, selfie });
  await parts.store.recordTransaction(record, [], step);
  return record.id;
};

export type TestDocument = {
  readonly images?: readonly Uint8Array[];
  readonly status?: VerificationStatus;
  readonly operation?: string;
  readonly portraitEvidence?: PortraitEvidence;
};

const storeImages = async ({ blobs, now }: FillParts, tenantId: string, images: readonly Uint8Array[]) => {
  const stored = [];
  for (const image of images) {
    const { id, bytes } = await blobs.put(tenantId, image);
    stored.push({ id, tenantId, kind: "document-front", bytes, createdAt: now() });
  }
  return stored;
};

/** A document validation as the document module stores it. Returns its reference. */
export const validateIn = async (
  parts: FillParts,
  of: TestOwner,
  { images = [anImage()], status = "Approved", operation, portraitEvidence }: TestDocument,
): Promise<string> => {
  const { store, sealing, now } = parts;
  const [id, call, at] = [randomUUID(), randomUUID(), now()];
  const stored = await storeImages(parts, of.tenantId, images);
  const step =
    operation === undefined
      ? stepOf()
      : await stepOfCall(parts, of, call, "startValidation", { operation, at });
  const input = {
    keyId: "key",
    country: "CHL",
    type: "ID_CARD" as const,
    merchantReference: null,
    frontBlobId: stored[0]?.id ?? randomUUID(),
    backBlobId: stored[1]?.id ?? null,
    ...(step.operation && { operation: { id: step.operation.operationId, call, assets: [] } }),
  };
  const sealedInput = await sealing.sealInput({ ...of, id }, input);
  const blobIds = stored.map((blob) => blob.id);
  await store.createValidation(
    { id, ...of, version: 2, createdAt: at, sealedInput, blobIds },
    stored,
    aRecord(of, call, "startValidation", at),
    step,
  );
  if (status !== "Submitted")
    await decide(parts, of, id, { ...recordOf(status), ...(portraitEvidence && { portraitEvidence }) });
  return id;
};

const decisions = ["Approved", "Declined", "Resubmission", "Review"] as const;

const decide = async (
  { store, sealing, now }: FillParts,
  of: TestOwner,
  id: string,
  record: VerificationRecord,
): Promise<void> => {
  const { tenantId } = of;
  const worker = randomUUID();
  await store.leaseValidations({
    worker,
    limit: 50,
    leaseMs: 60_000,
    now: now(),
    isAlone: false,
    running: [],
    endsLeases: true,
    deathsAllowed: 3,
    deathsMax: 3,
  });
  const decision = decisions.find((one) => one === record.status);
  const sealedRecord = await sealing.sealRecord({ ...of, id }, record);
  const finished = { tenantId, id, revision: 0, worker, status: "DONE", at: now(), sealedRecord } as const;
  await store.finishValidation({ ...finished, ...(decision && { decision }) }, stepOf());
};
