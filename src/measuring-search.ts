/** Composition of `idem bench search`: the product's own store, vault, galleries and search, without server and networks. */
import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { type FaceJudging, makeFaceJudging } from "./face/judging.ts";
import { scoreAtFmr } from "./face/matching/calibration.ts";
import { asSeenBy } from "./face/matching/cohort.ts";
import { compare } from "./face/matching/comparison.ts";
import { fuse } from "./face/matching/fusion.ts";
import type { ScoreScale } from "./face/matching/score-scale.ts";
import {
  mapTemplate,
  packTemplate,
  recogniserOf,
  recogniserOfTemplate,
  unpackTemplate,
} from "./face/matching/template.ts";
import type { Template } from "./face/matching/template-kinds.ts";
import { defaultFacePolicy, withScale } from "./face/policy.ts";
import { type Descriptors, scoringOf } from "./gallery/scoring.ts";
import type { Report } from "./parts.ts";
import { measuredFalseMatches, scoreForGallery } from "./people/false-hits.ts";
import { defaultPeoplePolicy } from "./people/policy.ts";
import { makeTemplateVault } from "./people/template-vault.ts";
import { openSearch, type Search } from "./search-parts.ts";
import { makeKeyring } from "./storage/keyring.ts";
import { masterKeyOf } from "./storage/master-key.ts";
import { openBox, sealBox } from "./storage/sealed-box.ts";
import { openSqliteStore } from "./storage/sqlite-store.ts";
import type { Store, TransactionRecord } from "./storage/store.ts";

/** How a pair's score follows from its cosines. */
export const scoring = scoringOf(fuse);

/** From which score two faces are one person, one compared with one, by the default policy. */
const scoreMin = scoreAtFmr(defaultFacePolicy.comparison.falseMatchRates.selfie);

/** The default policy's threshold among so many faces; `fpir` is one of its two rates. */
export const thresholdFor = (size: number, fpir: number): number =>
  scoreForGallery(measuredFalseMatches, { size, fpir, scoreMin });

export const { fpir: defaultFpir } = defaultPeoplePolicy.search;

const models = { dlib: "d1".repeat(32), faceres: "fa".repeat(32) };
/** Names the recogniser of the templates that are made here. */
export const recogniser = recogniserOf(models);

const blank = (): Uint8Array => {
  const face = { dlib: new Float32Array(128), faceres: new Float32Array(1024) };
  face.dlib[0] = 1;
  return packTemplate(models, face, { recogniser, faces: [face] });
};

/** A template of these vectors. Its commonness is drawn up from the handicap, as far as a face's can be. */
export const makePackFace = (): ((face: Descriptors) => Uint8Array) => {
  const base = blank();
  return ({ dlib, faceres, handicap }) => {
    const packed = mapTemplate(base, {
      vector: ({ length }) => (length === dlib.length ? dlib : faceres),
      commonness: () => Math.min(6, 1.5 + 2 * handicap),
    });
    if (packed === undefined) {
      throw new Error("The blank template is none");
    }
    return packed;
  };
};

/** A template's numbers, read once. */
export const readFace = (packed: Uint8Array): Template => {
  const template = unpackTemplate(packed);
  if (template === undefined) {
    throw new Error("A template that was made here is none");
  }
  return template;
};

/** The score that the product gives two templates, one compared with one. */
export const scoreOf = (a: Template, b: Template, scale?: ScoreScale): number =>
  compare(asSeenBy(scale, a), asSeenBy(scale, b), scale)?.score ?? Number.NEGATIVE_INFINITY;

/** The face room's judging, of which comparing is used here. */
const makeComparing = (store: Store, scale: ScoreScale | undefined): FaceJudging =>
  makeFaceJudging(
    {
      engine: { measure: refuse },
      openToken: refuse,
      store,
      policy: scale === undefined ? defaultFacePolicy : withScale(defaultFacePolicy, scale),
      bestImageTokenAgeMs: 0,
      onError: () => undefined,
    },
    recogniser,
  );

const refuse = (): never => {
  throw new Error("Nothing is measured or opened here");
};

/** A store in an empty folder with people of one tenant, and the search over it, beside an own cohort where one is given. */
export const openSearchHouse = async (folder: string, scale?: ScoreScale) => {
  const store = await openSqliteStore({ path: join(folder, "idem.sqlite") });
  const master = new Uint8Array(randomBytes(32));
  const keyring = makeKeyring({ store, masters: [masterKeyOf(master)], now: () => new Date() });
  const face = makeComparing(store, scale);
  const vault = makeTemplateVault({
    keyring,
    sealBox,
    openBox,
    face: { mapTemplate, recogniserOf: recogniserOfTemplate },
    newId: randomUUID,
  });
  const owner = { tenantId: randomUUID(), world: "test" } as const;
  await store.createTenant({ id: owner.tenantId, name: "bench", createdAt: new Date() });

  return {
    owner,
    store,
    vault,
    /** One enrolment as a first call commits it: row, transaction and evidence. */
    enrol: async (template: Uint8Array): Promise<string> => {
      const at = new Date();
      const id = randomUUID();
      const sealed = await vault.seal({ tenantId: owner.tenantId, id }, template);
      const pseudonym = await keyring.pseudonym(owner.tenantId, "templates", id);
      const evidence = [{ id: randomUUID(), kind: "person_enrolled", at, body: { person: id } }];
      const person = { ...owner, ...sealed, id, pseudonym, enrolledAt: at };
      await store.enrolPerson(person, recordAt(owner.tenantId, at), [], { events: [], evidence });
      return id;
    },
    /** Begins to fill the galleries; `onFilled` is called when everybody is in, `report` where something is wrong. */
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
        policy: { ...defaultPeoplePolicy.search, duplicates: "flag" },
        scoreMin,
        scale,
      }),
    close: store.close,
  };
};

const fail: Report = (_, note, error) => {
  throw new Error(note, { cause: error });
};

const recordAt = (tenantId: string, at: Date): TransactionRecord => ({
  id: randomUUID(),
  tenantId,
  keyId: "bench",
  world: "test",
  endpoint: "authenticateUser",
  at,
  result: { code: 0 },
  measurements: null,
  policyVersion: defaultPeoplePolicy.version,
  models: {},
  tokenHashes: [],
});
