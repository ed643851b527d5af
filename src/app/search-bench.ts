/**
 * Composition of `idem bench search`: the product's store, vault, galleries and search, without server and
 * networks.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Descriptors, scoringOf } from "#features/users/gallery/scoring";
import { measuredFalseMatches, scoreForGallery } from "#features/users/gallery-threshold";
import { defaultUserPolicy } from "#features/users/policy";
import { makeTemplateVault } from "#features/users/template-vault";
import { type FaceJudging, makeFaceJudging } from "#judging/face/judging";
import { scoreAtFmr } from "#judging/face/matching/calibration";
import { normaliseTemplate } from "#judging/face/matching/cohort";
import { compare } from "#judging/face/matching/comparison";
import { fuse } from "#judging/face/matching/fusion";
import type { ScoreScale } from "#judging/face/matching/score-scale";
import { mapTemplate, packTemplate, recogniserOf, unpackTemplate } from "#judging/face/matching/template";
import type { Template } from "#judging/face/matching/template-kinds";
import { defaultFacePolicy, withScale } from "#judging/face/policy";
import type { TransactionRecord } from "#record/transactions/record";
import { stepOf, transactionOf } from "#record/transactions/record-call";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { makeRecordingStore } from "./recording-store.ts";
import type { Report } from "./report.ts";
import { openSearch, type Search } from "./search.ts";
import { openSqliteStore } from "./store.ts";

/** The scoring of the bundled pair: the fused score of two cosines. */
export const scoring = scoringOf(fuse);

/** Two faces match from this score on in a one-to-one comparison under the default policy. */
const scoreMin = scoreAtFmr(defaultFacePolicy.comparison.falseMatchRates.selfie);

/** The default policy's threshold in a gallery of `size` faces; `fpir` is one of its two rates. */
export const thresholdFor = (size: number, fpir: number): number =>
  scoreForGallery(measuredFalseMatches, { size, fpir, scoreMin });

export const { fpir: defaultFpir } = defaultUserPolicy.search;

const models = { dlib: "d1".repeat(32), faceres: "fa".repeat(32) };
/** The recogniser name of the templates that are made here. */
export const recogniser = recogniserOf(models);

const blank = (): Uint8Array => {
  const face = { dlib: new Float32Array(128), faceres: new Float32Array(1024) };
  face.dlib[0] = 1;
  return packTemplate(models, face, { recogniser, faces: [face] });
};

/** Packs vectors into a template. The cohort score grows with the handicap, up to 6. */
export const makePackFace = (): ((face: Descriptors) => Uint8Array) => {
  const base = blank();
  return ({ dlib, faceres, handicap }) => {
    const packed = mapTemplate(base, {
      vector: ({ length }) => (length === dlib.length ? dlib : faceres),
      cohortScore: () => Math.min(6, 1.5 + 2 * handicap),
    });
    if (packed === undefined) {
      throw new Error("The blank template is invalid");
    }
    return packed;
  };
};

/** Unpacks a template that was packed here. */
export const readFace = (packed: Uint8Array): Template => {
  const template = unpackTemplate(packed);
  if (template === undefined) {
    throw new Error("A template that was made here is invalid");
  }
  return template;
};

/** The product's score of two templates in a one-to-one comparison. */
export const scoreOf = (a: Template, b: Template, scale?: ScoreScale): number =>
  compare(normaliseTemplate(scale, a), normaliseTemplate(scale, b), scale)?.score ?? Number.NEGATIVE_INFINITY;

/** The judging of the face module. Only its comparison is used here. */
const makeComparing = (scale: ScoreScale | undefined): FaceJudging =>
  makeFaceJudging(
    {
      engine: { measure: refuse },
      policy: scale === undefined ? defaultFacePolicy : withScale(defaultFacePolicy, scale),
      bestImages: { uses: "once", ageMs: 0 },
      onError: () => undefined,
    },
    recogniser,
  );

const refuse = (): never => {
  throw new Error("The search bench measures no image");
};

/** A store in an empty folder with one tenant, and the search over its users. `scale`: of an own cohort. */
export const openSearchHarness = async (folder: string, scale?: ScoreScale) => {
  const sealedStore = await openSqliteStore({ path: join(folder, "idem.sqlite") });
  const master = new Uint8Array(randomBytes(32));
  const keyring = makeKeyring({
    store: sealedStore,
    masters: [masterKeyOf(master)],
    now: () => new Date(),
  });
  const store = makeRecordingStore(sealedStore, keyring);
  const face = makeComparing(scale);
  const vault = makeTemplateVault(keyring, randomUUID);
  const owner = { tenantId: randomUUID(), environment: "test" } as const;
  await store.createTenant({ id: owner.tenantId, name: "bench", createdAt: new Date() });

  return {
    owner,
    store,
    vault,
    /** Enrols a user as the first call does: row, transaction and evidence in one commit. */
    enrol: async (template: Uint8Array): Promise<string> => {
      const at = new Date();
      const id = randomUUID();
      const sealed = await vault.seal({ ...owner, id }, template);
      const pseudonym = await keyring.pseudonym(owner.tenantId, "templates", id);
      const evidence = [{ id: randomUUID(), kind: "person_enrolled", at, body: { person: id } }];
      const user = { ...owner, ...sealed, id, pseudonym, enrolledAt: at };
      await store.enrolUser(user, recordAt(owner.tenantId, at), [], stepOf({ evidence }));
      return id;
    },
    /**
     * Starts to fill the galleries. Calls `onFilled` when all users are in memory, `report` for each error.
     */
    search: (onFilled: (facts: object) => void, report: Report = fail): Search =>
      openSearch({
        masters: [master],
        store,
        report,
        note: (message, facts) => {
          if (message === "The gallery is filled" && facts["list"] === "people") onFilled(facts);
        },
        face,
        vault,
        policy: { ...defaultUserPolicy.search, duplicates: "flag" },
        scoreMin,
        scale,
      }),
    close: store.close,
  };
};

const fail: Report = (_, note, error) => {
  throw new Error(note, { cause: error });
};

const recordAt = (tenantId: string, at: Date): TransactionRecord =>
  transactionOf(
    {
      caller: { tenantId, keyId: "bench", environment: "test" },
      transactionId: randomUUID(),
      receivedAt: at,
    },
    {
      endpoint: "authenticateUser",
      result: { code: 0 },
      measurements: null,
      policyVersion: defaultUserPolicy.version,
    },
  );
