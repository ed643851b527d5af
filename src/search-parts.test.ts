import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeDrawFace } from "./cli/synthetic-faces.ts";
import { type ScoreScale, valueOfScore } from "./face/matching/score-scale.ts";
import {
  defaultFpir,
  makePackFace,
  openSearchHouse,
  readFace,
  recogniser,
  scoreOf,
} from "./measuring-search.ts";
import { measuredFalseMatches, scoreForGallery } from "./people/false-hits.ts";
import type { Search } from "./search-parts.ts";
import { destroyTenantKeys } from "./storage/keyring.ts";
import type { TransactionRecord } from "./storage/store.ts";

const draw = makeDrawFace(5);
const pack = makePackFace();
const template = (n: number, distance = 0): Uint8Array => pack(draw(2 * n, distance));

let folder: string;
let house: Awaited<ReturnType<typeof openSearchHouse>>;
let open: Search[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-search-"));
  house = await openSearchHouse(folder);
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map(({ close }) => close()));
  await house.close();
  await rm(folder, { recursive: true });
});

const fill = async (): Promise<{ readonly search: Search; readonly facts: object }> => {
  const { promise, resolve } = Promise.withResolvers<object>();
  const search = house.search(resolve);
  open.push(search);
  return { search, facts: await promise };
};

/** A cohort of drawn faces, beside which strangers reach higher scores than beside the one that ships. */
const own: ScoreScale = {
  recogniser,
  name: "cohort/12345678",
  faces: Array.from({ length: 60 }, (_, n) => draw(2 * n + 1)),
  points: [
    { falseMatchRate: 1e-1, value: 1.1 },
    { falseMatchRate: 1e-2, value: 1.9 },
  ],
};

const find = ({ searchFaces }: Search, probe: Uint8Array) => searchFaces("people", house.owner, probe);

const record = (): TransactionRecord => ({
  id: randomUUID(),
  tenantId: house.owner.tenantId,
  keyId: "k",
  world: "test",
  endpoint: "deleteUsers",
  at: new Date(),
  result: null,
  measurements: null,
  policyVersion: "1",
  models: {},
  tokenHashes: [],
});
const stepOf = (kind: string, person: string) => ({
  events: [],
  evidence: [{ id: randomUUID(), kind, at: new Date(), body: { person } }],
});

describe("a search over a store", () => {
  it.each([
    ["the bundled pair as it ships", undefined],
    ["an own cohort with points", own],
  ])(
    "finds whom a comparison with every template finds, with the very score, by %s",
    async (_name, scale) => {
      await house.close();
      house = await openSearchHouse(await mkdtemp(join(folder, "own-")), scale);
      const templates = Array.from({ length: 300 }, (_, n) => template(n));
      const ids = await Promise.all(templates.map(house.enrol));
      const { search, facts } = await fill();
      expect(facts).toMatchObject({ faces: 300, unopened: 0 });
      for (let n = 0; n < 30; n++) {
        const probe = template(n, 1.2);
        const { hits, scoreMin, size } = await find(search, probe);
        expect(size).toBe(300);
        const query = readFace(probe);
        const all = templates.map((one, i) => ({ id: ids[i], score: scoreOf(readFace(one), query, scale) }));
        const expected = all.filter(({ score }) => score >= scoreMin).sort((a, b) => b.score - a.score);
        expect(hits.map(({ id }) => id)).toStrictEqual(expected.map(({ id }) => id));
        hits.forEach(({ score }, i) => expect(score).toBeCloseTo(expected[i]!.score, 4));
      }
    },
  );

  it("asks beside an own cohort for the value that strangers of a whole list reach as seldom", async () => {
    await house.close();
    house = await openSearchHouse(await mkdtemp(join(folder, "own-")), own);
    for (let n = 0; n < 40; n++) await house.enrol(template(n));
    const { search } = await fill();
    const { scoreMin } = await find(search, template(1));
    const wanted = { size: 40, fpir: defaultFpir.review, scoreMin: 0 };
    expect(valueOfScore(own.points ?? [], scoreMin)).toBeCloseTo(
      scoreForGallery(measuredFalseMatches, wanted),
      1,
    );
  });

  it("meets whoever came, changed or went since it was filled, by whichever process", async () => {
    const { search } = await fill();
    const id = await house.enrol(template(1));
    expect((await find(search, template(1, 0.5))).hits.map((hit) => hit.id)).toStrictEqual([id]);
    const [person] = await house.store.findFaces("people", house.owner.tenantId, [id]);
    const { tenantId, pseudonym = "" } = person!;
    const sealed = await house.vault.seal({ tenantId, id }, template(2));
    await house.store.replaceTemplate(
      { ...sealed, tenantId, pseudonym, revision: 1, at: new Date() },
      record(),
      stepOf("person_template_replaced", id),
    );
    expect((await find(search, template(1, 0.5))).hits).toStrictEqual([]);
    expect((await find(search, template(2, 0.5))).hits.map((hit) => hit.id)).toStrictEqual([id]);
    const names = await house.store.listPersonNames(tenantId, [pseudonym]);
    await house.store.deletePeople(tenantId, names, record(), stepOf("person_deleted", id));
    expect(await find(search, template(2, 0.5))).toMatchObject({ size: 0, hits: [] });
  });

  it("counts for the metrics what it holds and what searches took", async () => {
    await house.enrol(template(1));
    const { search } = await fill();
    await find(search, template(1, 0.5));
    const values = Object.fromEntries(
      search.gauges.flatMap(({ name, read }) =>
        read().map(({ labels, value }) => [
          labels?.["list"] === undefined ? name : `${name} ${labels["list"]}`,
          value,
        ]),
      ),
    );
    expect(values).toStrictEqual({
      "idem_gallery_faces blocked": 0,
      "idem_gallery_faces people": 1,
      "idem_gallery_unopened blocked": 0,
      "idem_gallery_unopened people": 0,
      "idem_gallery_filled blocked": 1,
      "idem_gallery_filled people": 1,
      idem_gallery_search_runs: 1,
      idem_gallery_search_seconds: expect.any(Number),
    });
    expect(values["idem_gallery_search_seconds"]).toBeGreaterThan(0);
  });

  it("forgets a tenant whose keys were destroyed, also before its rows are gone", async () => {
    await house.enrol(template(1));
    const { search } = await fill();
    await destroyTenantKeys(house.store, house.owner.tenantId, new Date());
    expect(await find(search, template(1, 0.5))).toMatchObject({ size: 0, hits: [] });
    const { facts } = await fill();
    expect(facts).toMatchObject({ faces: 0, unopened: 1 });
  });

  it("passes over a template of another recogniser and one that is damaged, and says how many", async () => {
    await house.enrol(template(1));
    for (const damage of [{ recogniser: "another" }, { sealedTemplate: new Uint8Array(40) }]) {
      const owner = { ...house.owner, id: randomUUID() };
      const sealed = { ...(await house.vault.seal(owner, template(2))), ...damage };
      const person = { ...owner, ...sealed, pseudonym: randomUUID(), enrolledAt: new Date() };
      await house.store.enrolPerson(person, record(), [], stepOf("person_enrolled", owner.id));
    }
    const { search, facts } = await fill();
    expect(facts).toMatchObject({ faces: 1, unopened: 2 });
    expect((await find(search, template(2, 0.5))).hits).toStrictEqual([]);
  });

  it.each([
    ["another recogniser's", { recogniser: "another" }],
    ["damaged", { sealedTemplate: new Uint8Array(40) }],
  ])(
    "tells the operator at the start of a blocked face that is %s, and what to do",
    async (_what, damage) => {
      const owner = { ...house.owner, id: randomUUID() };
      const sealed = { ...(await house.vault.seal(owner, template(2))), ...damage };
      const face = { ...owner, ...sealed, sealedNote: new Uint8Array(1), at: new Date() };
      const evidence = [{ id: randomUUID(), kind: "face_blocked", at: new Date(), body: { face: owner.id } }];
      await house.store.blockFaces(owner.tenantId, [face], { events: [], evidence });
      const told: unknown[] = [];
      const search = house.search(
        () => undefined,
        (...report) => told.push(report),
      );
      open.push(search);
      await search.begun;
      expect(told).toMatchObject([
        ["search", expect.stringContaining("idem people blocked"), { message: "1 cannot be compared" }],
      ]);
    },
  );

  it("refuses to answer before it is filled", async () => {
    const search = house.search(() => undefined);
    open.push(search);
    await expect(find(search, template(1))).rejects.toMatchObject({ code: "search_unavailable" });
  });
});
