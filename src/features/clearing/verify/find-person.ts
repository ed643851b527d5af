import { createHash } from "node:crypto";
import { Failure } from "#contract/failure";
import type { VerificationRecord } from "#judging/document/decision/verification-record";
import type { Submission } from "#judging/document/validation/read-submission";
import type { PortraitComparison } from "#judging/face/compare-portrait";
import type { Quad } from "#machine/imaging/image";
import type { Blobs } from "#machine/storage/blobs";
import type { AssetCommands } from "#record/operations/store/asset-store";
import type { OperationCommands } from "#record/operations/store/operation-store";
import type { TransactionRecord } from "#record/transactions/record";
import type { SamePersonBy } from "../store/clearing-token.ts";
import { type DocumentComparison, weakestOf } from "./document-comparison.ts";
import { hasEqualImage, imageHashesOf, judgePerson, type PersonEvidence } from "./judge-person.ts";

export type FindPersonDeps = {
  readonly store: Pick<OperationCommands, "readTimeline"> & Pick<AssetCommands, "findAsset">;
  readonly blobs: Pick<Blobs, "get">;
  /** At the rate of documents. Made by `makeComparePortrait` (judging/face/compare-portrait.ts). */
  readonly compareFaces: (
    document: Uint8Array,
    selfie: Uint8Array,
    signal: AbortSignal,
    area?: Quad,
  ) => Promise<PortraitComparison>;
};

/** The identity call, the document and their operation, if they name one. */
export type Joined = {
  readonly identity: Pick<TransactionRecord, "tenantId" | "environment" | "at" | "measurements">;
  readonly document: Pick<Submission, "front" | "back">;
  /** Where the portrait by which the document was judged is; absent in records of an earlier release. */
  readonly portrait?: VerificationRecord["portrait"];
  readonly operationId: string | undefined;
};

/** What shows that document and identity call are of one person. */
export type FoundPerson = {
  readonly samePersonBy: SamePersonBy;
  /** Where faces show it; of two selfies the weaker one. An equal image was compared by the identity call. */
  readonly comparison?: DocumentComparison;
};

/**
 * Finds what shows that document and identity call are of one person. Fails with clearing_other_person or
 * clearing_person_unproven, and as the engine does. Made by {@link makeFindPerson}.
 */
export type FindPerson = (joined: Joined, signal: AbortSignal) => Promise<FoundPerson>;

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export const makeFindPerson =
  (deps: FindPersonDeps): FindPerson =>
  async (joined, signal) => {
    const images = {
      identityImages: imageHashesOf(joined.identity.measurements),
      documentFront: joined.document.front && sha256(joined.document.front),
    };
    // The comparison costs a network run, so it comes only where it is needed.
    const { faces, comparison }: Compared = hasEqualImage(images)
      ? { faces: "unknown" }
      : await compareKept(deps, joined, signal);
    const judged = judgePerson({ ...images, faces });
    if (judged instanceof Failure) throw judged;
    return { samePersonBy: judged, ...(comparison && { comparison }) };
  };

type Compared = Pick<PersonEvidence, "faces"> & Pick<FoundPerson, "comparison">;

const missing = (reason: string): Compared => ({ faces: { missing: reason } });

/** Compares the sides of the document with the selfie of the identity call, where both are kept. */
const compareKept = async (
  deps: FindPersonDeps,
  { identity, document, portrait, operationId }: Joined,
  signal: AbortSignal,
): Promise<Compared> => {
  if (operationId === undefined) return missing("no operation keeps a selfie of the transaction");
  const { front, back } = document;
  // A back alone could be any photograph beside the document.
  if (front === undefined) return missing("the images of the document are not kept");
  const judged = portrait && document[portrait.image];
  const sides = judged ? [judged] : back === undefined ? [front] : [front, back];
  const selfies = await readSelfies(deps, identity, operationId);
  if (selfies.length === 0) return missing("the operation keeps no selfie of the transaction");
  const answers = [];
  for (const selfie of selfies)
    answers.push(await compareSides(deps, sides, selfie, signal, judged && portrait?.area));
  return joinAnswers(answers);
};

/** Two identity calls of one millisecond leave two selfies: each must be of the person. */
const joinAnswers = (answers: readonly (PortraitComparison | undefined)[]): Compared => {
  const known = answers.filter((answer) => answer !== undefined);
  if (known.some(({ answer }) => answer === "other")) return { faces: "other" };
  if (known.length < answers.length) return { faces: "unknown" };
  const comparison = weakestOf(known);
  return { faces: "same", ...(comparison && { comparison }) };
};

/** The first side that shows a face decides: the front comes before the back. Undefined where none does. */
const compareSides = async (
  { compareFaces }: FindPersonDeps,
  sides: readonly Uint8Array[],
  selfie: Uint8Array,
  signal: AbortSignal,
  area: Quad | undefined,
): Promise<PortraitComparison | undefined> => {
  for (const side of sides) {
    const compared = await compareFaces(side, selfie, signal, area);
    if (compared.answer !== "unknown") return compared;
  }
  return undefined;
};

/** An image has the time of its call. */
const readSelfies = async (
  { store, blobs }: FindPersonDeps,
  { tenantId, environment, at }: Joined["identity"],
  operationId: string,
): Promise<readonly Uint8Array[]> => {
  const timeline = await store.readTimeline({ tenantId, environment }, operationId);
  const ofCall = timeline?.assets.filter(
    ({ type, createdAt }) => type === "selfie" && createdAt.getTime() === at.getTime(),
  );
  const selfies: Uint8Array[] = [];
  for (const { id } of ofCall ?? []) {
    const asset = await store.findAsset(id);
    // The row of an image that was changed past the service can name the object of another person.
    if (asset !== undefined && asset.tenantId === tenantId && asset.isForged !== true) {
      selfies.push(...(await readKept(blobs, tenantId, asset.blobId)));
    }
  }
  return selfies;
};

/** An image that was removed meanwhile, or is damaged, is not there. */
const readKept = async (
  { get }: Pick<Blobs, "get">,
  tenantId: string,
  blobId: string,
): Promise<readonly Uint8Array[]> => {
  try {
    return [await get(tenantId, blobId)];
  } catch (error) {
    if (error instanceof Failure && (error.code === "not_found" || error.code === "stored_damaged"))
      return [];
    throw error;
  }
};
