import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeDrawFace } from "#evaluation/faces/synthetic-faces";
import { measuredFalseMatches, scoreForGallery } from "#features/users/gallery-threshold";
import { type ScoreScale, valueOfScore } from "#judging/face/matching/score-scale";
import type { TransactionRecord } from "#record/transactions/record";
import { destroyTenantKeys } from "#trust/key-ring/keyring";
import type { Search } from "./search.ts";
import {
  defaultFpir,
  makePackFace,
  openSearchHarness,
  readFace,
  recogniser,
  scoreOf,
} from "./search-bench.ts";

const draw = makeDrawFace(5);
const pack = makePackFace();
const template = (n: number, distance = 0): Uint8Array => pack(draw(2 * n, distance));

let folder: string;
let harness: Awaited<ReturnType<typeof openSearchHarness>>;
let open: Search[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-search-"));
  harness = await openSearchHarness(folder);
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map(({ close }) => close()));
  await harness.close();
  await rm(folder, { recursive: true });
});

const fill = async (): Promise<{ readonly search: Search; readonly facts: object }> => {
  const { promise, resolve } = Promise.withResolvers<object>();
  const search = harness.search(resolve);
  open.push(search);
  return { search, facts: await promise };
};

/** A cohort of drawn faces, with which impostor pairs reach higher scores than with the shipped cohort. */
const own: ScoreScale = {
  recogniser,
  name: "cohort/12345678",
  faces: Array.from({ length: 60 }, (_, n) => draw(2 * n + 1)),
  points: [
    { falseMatchRate: 1e-1, value: 1.1 },
    { falseMatchRate: 1e-2, value: 1.9 },
  ],
};

const find = ({ searchFaces }: Search, probe: Uint8Array) => searchFaces("people", harness.owner, probe);

const record = (): TransactionRecord => ({
  id: randomUUID(),
  tenantId: harness.owner.tenantId,
  keyId: "k",
  environment: "test",
  endpoint: "deleteUsers",
  at: new Date(),
  result: null,
  measurements: null,
  policyVersion: "1",
  models: {},
  tokenHashes: [],
});
const stepOf = (kind: string, user: string) => ({
  evidence: [{ id: randomUUID(), kind, at: new Date(), body: { person: user } }],
});

describe("a search over a store", () => {
  it.each([
    ["the bundled pair with the shipped cohort", undefined],
    ["an own cohort with points", own],
  ])(
    "finds the users that a comparison with every template finds, with the same score: %s",
    async (_name, scale) => {
      await harness.close();
      harness = await openSearchHarness(await mkdtemp(join(folder, "own-")), scale);
      const templates = Array.from({ length: 300 }, (_, n) => template(n));
      const ids = await Promise.all(templates.map(harness.enrol));
      const { search, facts } = await fill();
      expect(facts).toMatchObject({ faces: 300, unopened: 0 });
      for (let n = 0; n < 30; n++) {
        const probe = template(n, 1.2);
        const { matches, scoreMin, size } = await find(search, probe);
        expect(size).toBe(300);
        const query = readFace(probe);
        const all = templates.map((one, i) => ({ id: ids[i], score: scoreOf(readFace(one), query, scale) }));
        const expected = all.filter(({ score }) => score >= scoreMin).sort((a, b) => b.score - a.score);
        expect(matches.map(({ id }) => id)).toStrictEqual(expected.map(({ id }) => id));
        matches.forEach(({ score }, i) => expect(score).toBeCloseTo(expected[i]!.score, 4));
      }
    },
  );

  it("uses, with an own cohort, the value that impostor pairs of a whole list reach as rarely", async () => {
    await harness.close();
    harness = await openSearchHarness(await mkdtemp(join(folder, "own-")), own);
    for (let n = 0; n < 40; n++) await harness.enrol(template(n));
    const { search } = await fill();
    const { scoreMin } = await find(search, template(1));
    const wanted = { size: 40, fpir: defaultFpir.review, scoreMin: 0 };
    expect(valueOfScore(own.points ?? [], scoreMin)).toBeCloseTo(
      scoreForGallery(measuredFalseMatches, wanted),
      1,
    );
  });

  it("sees users enrolled, changed or deleted since it was filled, by any process", async () => {
    const { search } = await fill();
    const id = await harness.enrol(template(1));
    expect((await find(search, template(1, 0.5))).matches.map((match) => match.id)).toStrictEqual([id]);
    const [user] = await harness.store.findFaces("people", harness.owner.tenantId, [id]);
    const { tenantId, pseudonym = "" } = user!;
    const sealed = await harness.vault.seal(user!, template(2));
    await harness.store.replaceTemplate(
      { ...sealed, tenantId, pseudonym, revision: 1, at: new Date() },
      record(),
      stepOf("person_template_replaced", id),
    );
    expect((await find(search, template(1, 0.5))).matches).toStrictEqual([]);
    expect((await find(search, template(2, 0.5))).matches.map((match) => match.id)).toStrictEqual([id]);
    const names = await harness.store.listUserNames(tenantId, [pseudonym]);
    await harness.store.deleteUsers(tenantId, names, record(), stepOf("person_deleted", id));
    expect(await find(search, template(2, 0.5))).toMatchObject({ size: 0, matches: [] });
  });

  it("counts faces, unopened faces and search times for the metrics", async () => {
    await harness.enrol(template(1));
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

  it("forgets a tenant whose keys were destroyed, even before its rows are removed", async () => {
    await harness.enrol(template(1));
    const { search } = await fill();
    await destroyTenantKeys(harness.store, harness.owner.tenantId, new Date());
    expect(await find(search, template(1, 0.5))).toMatchObject({ size: 0, matches: [] });
    const { facts } = await fill();
    expect(facts).toMatchObject({ faces: 0, unopened: 1 });
  });

  it("skips templates that are damaged or of another recogniser, and counts them", async () => {
    await harness.enrol(template(1));
    for (const damage of [{ recogniser: "another" }, { sealedTemplate: new Uint8Array(40) }]) {
      const owner = { ...harness.owner, id: randomUUID() };
      const sealed = { ...(await harness.vault.seal(owner, template(2))), ...damage };
      const user = { ...owner, ...sealed, pseudonym: randomUUID(), enrolledAt: new Date() };
      await harness.store.enrolUser(user, record(), [], stepOf("person_enrolled", owner.id));
    }
    const { search, facts } = await fill();
    expect(facts).toMatchObject({ faces: 1, unopened: 2 });
    expect((await find(search, template(2, 0.5))).matches).toStrictEqual([]);
  });

  it.each([
    ["of another recogniser", { recogniser: "another" }],
    ["damaged", { sealedTemplate: new Uint8Array(40) }],
  ])(
    "reports a blocked face that is %s to the operator at the start, with the next step",
    async (_what, damage) => {
      const owner = { ...harness.owner, id: randomUUID() };
      const sealed = { ...(await harness.vault.seal(owner, template(2))), ...damage };
      const face = { ...owner, ...sealed, sealedNote: new Uint8Array(1), at: new Date() };
      const evidence = [{ id: randomUUID(), kind: "face_blocked", at: new Date(), body: { face: owner.id } }];
      await harness.store.blockFaces(owner.tenantId, [face], { evidence });
      const reports: unknown[] = [];
      const search = harness.search(
        () => undefined,
        (...report) => reports.push(report),
      );
      open.push(search);
      await search.begun;
      expect(reports).toMatchObject([
        ["search", expect.stringContaining("idem users blocked"), { message: "1 cannot be compared" }],
      ]);
    },
  );

  it("refuses to answer before it is filled", async () => {
    const search = harness.search(() => undefined);
    open.push(search);
    await expect(find(search, template(1))).rejects.toMatchObject({ code: "search_unavailable" });
  });
});
