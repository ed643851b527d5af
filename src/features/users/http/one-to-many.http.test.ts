import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { probeSqlite } from "#app/probe";
import type { Search } from "#app/search";
import { mapTemplate, recogniserOfTemplate } from "#judging/face/matching/template";
import { imageOf } from "#support/face/images";
import { recordedFaceEngine } from "#support/face/recorded-face-engine";
import {
  impostor,
  makeCaller,
  openUserHarness,
  portrait,
  selfies,
  type UserHarness,
} from "#support/users/harness";
import { makeBlockList } from "../block-list.ts";
import { makeDeduplication } from "../deduplication.ts";
import type { SearchPolicy } from "../policy.ts";

let harness: UserHarness;
let tenantId: string;
const searches = new Map<SearchPolicy["duplicates"], Search>();

const isFilled = async ({ needs }: Search): Promise<boolean> =>
  (await Promise.allSettled(needs.map(({ check }) => check()))).every(({ status }) => status === "fulfilled");

beforeAll(async () => {
  harness = await openUserHarness(recordedFaceEngine());
  for (const duplicates of ["off", "flag", "refuse"] as const) {
    const fpir = { review: 0.1, refusal: 0.01 };
    const search = harness.service.searchBy({ duplicates, fpir });
    searches.set(duplicates, search);
    while (!(await isFilled(search))) await sleep(10);
  }
});
afterAll(async () => {
  for (const search of searches.values()) await search.close();
  await harness.close();
});
beforeEach(async () => {
  tenantId = await harness.newTenant();
});

const callerUnder = (duplicates: SearchPolicy["duplicates"], environment: "live" | "test" = "test") => {
  const { deduplication } = searches.get(duplicates)!;
  return makeCaller(harness, harness.serve({ deduplication }), tenantId, environment);
};

const firstCall = async (userId: string) => ({
  userId,
  image: Buffer.from(imageOf(portrait)).toString("base64"),
  bestImageToken: await harness.live(selfies[1]),
});

/** A template equal to the selfie's, except for more than rounding, that claims this cohort score. */
const drawn = async (cohortScore: number): Promise<string> => {
  const template = mapTemplate(await harness.templateOf(selfies[1]), {
    vector: (vector) => vector.map((value, i) => (i === 0 ? value + 1e-4 : value)),
    cohortScore: () => cohortScore,
  });
  return await harness.seal("template", template!);
};

const refused = {
  serviceResultCode: -100,
  serviceFacialAuthenticationResult: 3,
  serviceLivenessResult: 3,
  outcome: "rejected",
};

describe("a first call with a face that is registered under another identifier", () => {
  it("is refused if the policy refuses duplicates, and the other user stays unchanged", async () => {
    const caller = callerUnder("refuse");
    const template = await caller.enrol("ana");
    const { status, body } = await caller.authenticate(await firstCall("ana again"));
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...refused, enrolmentRefusal: "ALREADY_REGISTERED" });
    expect(body).not.toHaveProperty("registeredTemplateRaw");
    const [registered] = harness.peopleOf(tenantId);
    expect(harness.evidenceOf(tenantId).at(-1)).toStrictEqual({
      kind: "enrolment_refused",
      body: {
        refusal: "ALREADY_REGISTERED",
        transaction: body["transactionId"],
        alike: [registered?.["id"]],
      },
    });
    const again = { registeredTemplateRaw: template, bestImageToken: await harness.live(selfies[2]) };
    expect((await caller.authenticate({ userId: "ana", ...again })).body).toMatchObject({
      serviceResultCode: 0,
    });
  });

  it("is recorded if the policy flags duplicates, with the score and the other user", async () => {
    const caller = callerUnder("flag");
    await caller.enrol("ana");
    const [registered] = harness.peopleOf(tenantId);
    const { body } = await caller.authenticate(await firstCall("ana again"));
    expect(body).toMatchObject({ serviceResultCode: 0 });
    expect(body).not.toHaveProperty("enrolmentRefusal");
    expect(harness.evidenceOf(tenantId).at(-1)).toMatchObject({
      kind: "person_enrolled",
      body: { alike: [registered?.["id"]] },
    });
    const record = await harness.store.findTransaction(tenantId, String(body["transactionId"]));
    const hit = { id: registered?.["id"], isSure: true, score: expect.any(Number) };
    expect(record?.measurements).toMatchObject({
      search: { searches: [{ list: "people", size: 1, hits: [hit] }], unsearched: [] },
    });
  });

  it("is enrolled if duplicates are not searched, or if the face is in the other environment or another tenant", async () => {
    await callerUnder("off").enrol("ana");
    await callerUnder("off").enrol("ana again");
    await callerUnder("refuse", "live").enrol("ana");
    tenantId = await harness.newTenant();
    await callerUnder("refuse").enrol("ana");
  });

  it("is refused in one of two calls at the same moment", async () => {
    const caller = callerUnder("refuse");
    const calls = await Promise.all([firstCall("ana"), firstCall("eva"), firstCall("mia")]);
    const answers = await Promise.all(calls.map((call) => caller.authenticate(call)));
    const codes = answers.map(({ body }) => body["serviceResultCode"]);
    expect(codes.map(String).sort()).toStrictEqual(["-100", "-100", "0"]);
    expect(harness.peopleOf(tenantId)).toHaveLength(1);
  });

  it("is enrolled after the other user is deleted", async () => {
    const caller = callerUnder("refuse");
    await caller.enrol("ana");
    await caller.remove("ana");
    await caller.enrol("eva");
    expect(harness.peopleOf(tenantId)).toHaveLength(1);
  });

  it("is found by the live best image if the sent template is made to match no other user", async () => {
    await callerUnder("refuse").enrol("ana");
    const sent = await drawn(6);
    const call = { registeredTemplateRaw: sent, bestImageToken: await harness.live(selfies[1]) };
    const { body } = await callerUnder("refuse").authenticate({ userId: "ana again", ...call });
    expect(body).toMatchObject({ ...refused, enrolmentRefusal: "ALREADY_REGISTERED" });
  });

  it("is found although the first user's template claimed the highest cohort score", async () => {
    const caller = callerUnder("refuse");
    const first = { registeredTemplateRaw: await drawn(6), bestImageToken: await harness.live(selfies[1]) };
    expect((await caller.authenticate({ userId: "ana", ...first })).body).toMatchObject({
      serviceResultCode: 0,
    });
    const { body } = await caller.authenticate(await firstCall("ana again"));
    expect(body).toMatchObject({ ...refused, enrolmentRefusal: "ALREADY_REGISTERED" });
  });

  it("waits for the galleries if duplicates are refused, not if they are flagged", async () => {
    const owner = { tenantId, environment: "test" } as const;
    const { signal } = new AbortController();
    const template = await harness.templateOf(portrait);
    const search = async (duplicates: "flag" | "refuse") => {
      const policy = { duplicates, fpir: { review: 0.1, refusal: 0.01 } };
      const { searchFaces } = searches.get(duplicates)!;
      let fresh: Search | undefined;
      // A service that starts at the moment of the call has filled no gallery yet.
      const deduplication = makeDeduplication({
        policy,
        searchFaces: (list, ...rest) => {
          fresh ??= list === "people" ? harness.service.searchBy(policy) : undefined;
          return (fresh?.searchFaces ?? searchFaces)(list, ...rest);
        },
      });
      try {
        return await deduplication.deduplicate(
          { caller: owner, signal },
          [template],
          async ({ unsearched }) => unsearched,
        );
      } finally {
        await fresh?.close();
      }
    };
    await expect(search("refuse")).rejects.toMatchObject({ code: "search_unavailable" });
    expect(await search("flag")).toStrictEqual(["people"]);
  });
});

describe("a change of template", () => {
  it("is searched as an enrolment, without the user's own face", async () => {
    const caller = callerUnder("refuse");
    const own = await caller.enrol("ana");
    const fresh = await harness.token(selfies[1]);
    expect((await caller.update("ana", own, fresh)).body).toMatchObject({ serviceResultCode: 0 });
    const other = await callerUnder("off").enrol("ana again", portrait, selfies[2]);
    expect(await caller.update("ana again", other, await harness.token(selfies[0]))).toMatchObject({
      status: 422,
      body: { failure: "template_unusable" },
    });
    const flagged = await callerUnder("flag").update("ana again", other, await harness.token(selfies[0]));
    expect(flagged.status).toBe(200);
    const matchedIds = harness.peopleOf(tenantId).find(({ revision, id }) => revision === 2 && id)?.["id"];
    expect(harness.evidenceOf(tenantId).at(-1)).toMatchObject({
      kind: "person_template_replaced",
      body: { alike: [expect.any(String)] },
    });
    expect(matchedIds).toBeDefined();
  });

  it("to a blocked face is refused under every duplicates policy", async () => {
    const caller = callerUnder("off");
    const own = await caller.enrol("ana");
    await harness.block(tenantId, await harness.templateOf(portrait));
    expect(await caller.update("ana", own, await harness.token(selfies[1]))).toMatchObject({ status: 422 });
    expect(harness.peopleOf(tenantId)).toMatchObject([{ revision: 1 }]);
  });
});

describe("a blocked face", () => {
  const block = async (name: string): Promise<string> =>
    await harness.block(tenantId, await harness.templateOf(name), "chargebacks");

  it("is not enrolled while it is blocked, under every duplicates policy", async () => {
    const id = await block(portrait);
    const caller = callerUnder("off");
    const { body } = await caller.authenticate(await firstCall("ana"));
    expect(body).toMatchObject({ ...refused, enrolmentRefusal: "BLACKLISTED_FACE_TEMPLATE" });
    expect(
      harness.evidenceOf(tenantId).map(({ kind, body: { alike: matchedIds } }) => [kind, matchedIds]),
    ).toStrictEqual([
      ["face_blocked", undefined],
      ["enrolment_refused", [id]],
    ]);
    expect(await harness.blockList.unblock(tenantId, id)).toBe(true);
    await caller.enrol("ana");
  });

  it("of another recogniser stops every enrolment until it is unblocked, stops no existing user, and the doctor counts it", async () => {
    const template = await harness.templateOf(portrait);
    const outdated = template.with(20, template[20]! ^ 1);
    const id = await harness.block(tenantId, outdated);
    const recogniser = recogniserOfTemplate(outdated);
    expect((await probeSqlite(harness.file, "none")).blocked).toContainEqual({ recogniser, faces: 1 });
    const caller = callerUnder("off");
    expect(await caller.authenticate(await firstCall("ana"))).toMatchObject({
      status: 503,
      body: { failure: "search_unavailable" },
    });
    expect(harness.peopleOf(tenantId)).toHaveLength(0);
    await callerUnder("off", "live").enrol("ana");
    const known = await harness.templateOf(portrait);
    await harness.register(tenantId, "eva", known);
    const update = caller.update(
      "eva",
      await harness.seal("template", known),
      await harness.token(selfies[1]),
    );
    expect(await update).toMatchObject({ status: 200 });
    await caller.remove("eva");
    await harness.blockList.unblock(tenantId, id);
    await caller.enrol("ana");
  });

  it("is listed once per environment, even if it is blocked again by an image or by its registered template", async () => {
    const id = await block(portrait);
    const template = await harness.templateOf(portrait);
    await harness.register(tenantId, "ana", template);
    const [row] = await harness.store.listFaces("people", tenantId, "", 1);
    const both = ["test", "live"] as const;
    const again = await harness.blockList.block(
      tenantId,
      [
        { environment: "test", template: await harness.service.vault.open(row!) },
        ...both.map((environment) => ({ environment, template })),
      ],
      "again",
    );
    expect(again).toMatchObject([
      { id, environment: "test", isNew: false },
      { id, environment: "test", isNew: false },
      { environment: "live", isNew: true },
    ]);
    expect(
      harness.query(`select environment from blocked_faces where tenant_id = '${tenantId}'`),
    ).toHaveLength(2);
    expect(await block(impostor)).not.toBe(id);
  });

  it("is not opened when a face of another recogniser is blocked", async () => {
    const id = await block(portrait);
    const [face] = await harness.store.listBlocked(tenantId, "");
    await harness.blockList.unblock(tenantId, id);
    await harness.store.blockFaces(tenantId, [{ ...face!, recogniser: "another" }], {
      evidence: [],
    });
    const template = await harness.templateOf(portrait);
    let opened = 0;
    const open: typeof harness.service.vault.open = async (kept) => {
      opened++;
      return await harness.service.vault.open(kept);
    };
    const { block: blockAll } = makeBlockList({
      ...harness.service,
      vault: { ...harness.service.vault, open },
    });
    expect(await blockAll(tenantId, [{ environment: "test", template }], "")).toMatchObject([
      { isNew: true },
    ]);
    expect(opened).toBe(0);
    expect(await blockAll(tenantId, [{ environment: "test", template }], "")).toMatchObject([
      { isNew: false },
    ]);
    expect(opened).toBe(1);
  });

  it("is listed as damaged if its template cannot be opened, and can be blocked again", async () => {
    const id = await block(portrait);
    const [face] = await harness.store.listBlocked(tenantId, "");
    await harness.blockList.unblock(tenantId, id);
    const cut = { ...face!, sealedTemplate: new Uint8Array(40), sealedNote: new Uint8Array(40) };
    await harness.store.blockFaces(tenantId, [cut], { evidence: [] });
    expect(await Array.fromAsync(harness.blockList.list(tenantId))).toMatchObject([
      { id, note: "", isDamaged: true },
    ]);
    const fresh = await block(portrait);
    expect(await Array.fromAsync(harness.blockList.list(tenantId))).toHaveLength(2);
    expect(fresh).not.toBe(id);
  });

  it("stops no other face", async () => {
    await block(impostor);
    await callerUnder("refuse").enrol("ana");
  });

  it("is listed with its note, and the store shows neither in plain bytes", async () => {
    const id = await block(portrait);
    const entries = [];
    for await (const entry of harness.blockList.list(tenantId)) entries.push(entry);
    expect(entries).toMatchObject([{ id, environment: "test", note: "chargebacks" }]);
    const [row] = harness.query(`select hex(sealed_note) as note from blocked_faces where id = '${id}'`);
    expect(Buffer.from(String(row?.["note"]), "hex").toString()).not.toContain("chargebacks");
  });
});
