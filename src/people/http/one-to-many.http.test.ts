import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pictureOf } from "../../face/testing/pictures.ts";
import type { Search } from "../../search-parts.ts";
import { probeSqlite } from "../../storage/probe.ts";
import { makeBlockList } from "../block-list.ts";
import { makeNewcomers } from "../newcomers.ts";
import type { SearchPolicy } from "../policy.ts";
import {
  makeCaller,
  openPeopleHouse,
  type PeopleHouse,
  portrait,
  selfies,
  stranger,
} from "../testing/people-house.ts";

let house: PeopleHouse;
let tenantId: string;
const searches = new Map<SearchPolicy["duplicates"], Search>();

const isFilled = async ({ needs }: Search): Promise<boolean> =>
  (await Promise.allSettled(needs.map(({ check }) => check()))).every(({ status }) => status === "fulfilled");

beforeAll(async () => {
  house = await openPeopleHouse();
  for (const duplicates of ["off", "flag", "refuse"] as const) {
    const fpir = { review: 0.1, refusal: 0.01 };
    const search = house.service.searchBy({ duplicates, fpir });
    searches.set(duplicates, search);
    while (!(await isFilled(search))) await sleep(10);
  }
});
afterAll(async () => {
  for (const search of searches.values()) await search.close();
  await house.close();
});
beforeEach(async () => {
  tenantId = await house.newTenant();
});

const callerUnder = (duplicates: SearchPolicy["duplicates"], world: "live" | "test" = "test") => {
  const { newcomers } = searches.get(duplicates)!;
  return makeCaller(house, house.serve({ newcomers }), tenantId, world);
};

const firstCall = async (userId: string) => ({
  userId,
  image: Buffer.from(pictureOf(portrait)).toString("base64"),
  bestImageToken: await house.live(selfies[1]),
});

/** A template of the selfie itself but for more than rounding, which claims to be that common. */
const drawn = async (commonness: number): Promise<string> => {
  const template = house.service.face.mapTemplate(await house.templateOf(selfies[1]), {
    vector: (vector) => vector.map((value, i) => (i === 0 ? value + 1e-4 : value)),
    commonness: () => commonness,
  });
  return await house.seal("template", template!);
};

const refused = {
  serviceResultCode: -100,
  serviceFacialAuthenticationResult: 3,
  serviceLivenessResult: 3,
  outcome: "rejected",
};

describe("a first call with a face that is registered under another identifier", () => {
  it("is refused where the policy says so, and leaves the other user alone", async () => {
    const caller = callerUnder("refuse");
    const template = await caller.enrol("ana");
    const { status, body } = await caller.authenticate(await firstCall("ana again"));
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...refused, enrolmentRefusal: "ALREADY_REGISTERED" });
    expect(body).not.toHaveProperty("registeredTemplateRaw");
    const [registered] = house.peopleOf(tenantId);
    expect(house.evidenceOf(tenantId).at(-1)).toStrictEqual({
      kind: "enrolment_refused",
      body: {
        refusal: "ALREADY_REGISTERED",
        transaction: body["transactionId"],
        alike: [registered?.["id"]],
      },
    });
    const again = { registeredTemplateRaw: template, bestImageToken: await house.live(selfies[2]) };
    expect((await caller.authenticate({ userId: "ana", ...again })).body).toMatchObject({
      serviceResultCode: 0,
    });
  });

  it("is noted where the policy says so, with the score and whose it is", async () => {
    const caller = callerUnder("flag");
    await caller.enrol("ana");
    const [registered] = house.peopleOf(tenantId);
    const { body } = await caller.authenticate(await firstCall("ana again"));
    expect(body).toMatchObject({ serviceResultCode: 0 });
    expect(body).not.toHaveProperty("enrolmentRefusal");
    expect(house.evidenceOf(tenantId).at(-1)).toMatchObject({
      kind: "person_enrolled",
      body: { alike: [registered?.["id"]] },
    });
    const record = await house.store.findTransaction(tenantId, String(body["transactionId"]));
    const hit = { id: registered?.["id"], isSure: true, score: expect.any(Number) };
    expect(record?.measurements).toMatchObject({
      search: { searches: [{ list: "people", size: 1, hits: [hit] }], unsearched: [] },
    });
  });

  it("is nobody's concern where nobody looks, or where it is in the other world or another tenant", async () => {
    await callerUnder("off").enrol("ana");
    await callerUnder("off").enrol("ana again");
    await callerUnder("refuse", "live").enrol("ana");
    tenantId = await house.newTenant();
    await callerUnder("refuse").enrol("ana");
  });

  it("of two such calls at the same moment one is refused", async () => {
    const caller = callerUnder("refuse");
    const calls = await Promise.all([firstCall("ana"), firstCall("eva"), firstCall("mia")]);
    const answers = await Promise.all(calls.map((call) => caller.authenticate(call)));
    const codes = answers.map(({ body }) => body["serviceResultCode"]);
    expect(codes.map(String).sort()).toStrictEqual(["-100", "-100", "0"]);
    expect(house.peopleOf(tenantId)).toHaveLength(1);
  });

  it("is established once the other user is deleted", async () => {
    const caller = callerUnder("refuse");
    await caller.enrol("ana");
    await caller.remove("ana");
    await caller.enrol("eva");
    expect(house.peopleOf(tenantId)).toHaveLength(1);
  });

  it("is found by the live person where the sent template is drawn to match nobody else", async () => {
    await callerUnder("refuse").enrol("ana");
    const sent = await drawn(6);
    const call = { registeredTemplateRaw: sent, bestImageToken: await house.live(selfies[1]) };
    const { body } = await callerUnder("refuse").authenticate({ userId: "ana again", ...call });
    expect(body).toMatchObject({ ...refused, enrolmentRefusal: "ALREADY_REGISTERED" });
  });

  it("is found though the first user's template claimed to be most common", async () => {
    const caller = callerUnder("refuse");
    const first = { registeredTemplateRaw: await drawn(6), bestImageToken: await house.live(selfies[1]) };
    expect((await caller.authenticate({ userId: "ana", ...first })).body).toMatchObject({
      serviceResultCode: 0,
    });
    const { body } = await caller.authenticate(await firstCall("ana again"));
    expect(body).toMatchObject({ ...refused, enrolmentRefusal: "ALREADY_REGISTERED" });
  });

  it("waits until the galleries are filled where duplicates are refused, and not where they are flagged", async () => {
    const owner = { tenantId, world: "test" } as const;
    const { signal } = new AbortController();
    const template = await house.templateOf(portrait);
    const admit = async (duplicates: "flag" | "refuse") => {
      const policy = { duplicates, fpir: { review: 0.1, refusal: 0.01 } };
      const { searchFaces } = searches.get(duplicates)!;
      let fresh: Search | undefined;
      // One that begins as it is asked has filled nothing yet.
      const newcomers = makeNewcomers({
        policy,
        searchFaces: (list, ...rest) => {
          fresh ??= list === "people" ? house.service.searchBy(policy) : undefined;
          return (fresh?.searchFaces ?? searchFaces)(list, ...rest);
        },
      });
      try {
        return await newcomers.admit(
          { caller: owner, signal },
          [template],
          async ({ unsearched }) => unsearched,
        );
      } finally {
        await fresh?.close();
      }
    };
    await expect(admit("refuse")).rejects.toMatchObject({ code: "search_unavailable" });
    expect(await admit("flag")).toStrictEqual(["people"]);
  });
});

describe("a change of template", () => {
  it("is searched as an enrolment is, but for the user's own face", async () => {
    const caller = callerUnder("refuse");
    const own = await caller.enrol("ana");
    const fresh = await house.token(selfies[1]);
    expect((await caller.update("ana", own, fresh)).body).toMatchObject({ serviceResultCode: 0 });
    const other = await callerUnder("off").enrol("ana again", portrait, selfies[2]);
    expect(await caller.update("ana again", other, await house.token(selfies[0]))).toMatchObject({
      status: 422,
      body: { failure: "template_unusable" },
    });
    const flagged = await callerUnder("flag").update("ana again", other, await house.token(selfies[0]));
    expect(flagged.status).toBe(200);
    const alike = house.peopleOf(tenantId).find(({ revision, id }) => revision === 2 && id)?.["id"];
    expect(house.evidenceOf(tenantId).at(-1)).toMatchObject({
      kind: "person_template_replaced",
      body: { alike: [expect.any(String)] },
    });
    expect(alike).toBeDefined();
  });

  it("to a blocked face is refused, whatever becomes of duplicates", async () => {
    const caller = callerUnder("off");
    const own = await caller.enrol("ana");
    await house.block(tenantId, await house.templateOf(portrait));
    expect(await caller.update("ana", own, await house.token(selfies[1]))).toMatchObject({ status: 422 });
    expect(house.peopleOf(tenantId)).toMatchObject([{ revision: 1 }]);
  });
});

describe("a blocked face", () => {
  const block = async (name: string): Promise<string> =>
    await house.block(tenantId, await house.templateOf(name), "chargebacks");

  it("is not established while it is blocked, whatever becomes of duplicates", async () => {
    const id = await block(portrait);
    const caller = callerUnder("off");
    const { body } = await caller.authenticate(await firstCall("ana"));
    expect(body).toMatchObject({ ...refused, enrolmentRefusal: "BLACKLISTED_FACE_TEMPLATE" });
    expect(house.evidenceOf(tenantId).map(({ kind, body: { alike } }) => [kind, alike])).toStrictEqual([
      ["face_blocked", undefined],
      ["enrolment_refused", [id]],
    ]);
    expect(await house.blockList.unblock(tenantId, id)).toBe(true);
    await caller.enrol("ana");
  });

  it("of another recogniser keeps every newcomer waiting until it is unblocked, no user who is there, and the doctor counts it", async () => {
    const template = await house.templateOf(portrait);
    const outdated = template.with(20, template[20]! ^ 1);
    const id = await house.block(tenantId, outdated);
    const recogniser = house.service.face.recogniserOf(outdated);
    expect((await probeSqlite(house.file, "none")).blocked).toContainEqual({ recogniser, faces: 1 });
    const caller = callerUnder("off");
    expect(await caller.authenticate(await firstCall("ana"))).toMatchObject({
      status: 503,
      body: { failure: "search_unavailable" },
    });
    expect(house.peopleOf(tenantId)).toHaveLength(0);
    await callerUnder("off", "live").enrol("ana");
    const known = await house.templateOf(portrait);
    await house.register(tenantId, "eva", known);
    const update = caller.update("eva", await house.seal("template", known), await house.token(selfies[1]));
    expect(await update).toMatchObject({ status: 200 });
    await caller.remove("eva");
    await house.blockList.unblock(tenantId, id);
    await caller.enrol("ana");
  });

  it("is listed once in a world, however often it is blocked, by a picture or by what is registered of it", async () => {
    const id = await block(portrait);
    const template = await house.templateOf(portrait);
    await house.register(tenantId, "ana", template);
    const [row] = await house.store.listFaces("people", tenantId, "", 1);
    const both = ["test", "live"] as const;
    const again = await house.blockList.block(
      tenantId,
      [
        { world: "test", template: await house.service.vault.open(row!) },
        ...both.map((world) => ({ world, template })),
      ],
      "again",
    );
    expect(again).toMatchObject([
      { id, world: "test", isNew: false },
      { id, world: "test", isNew: false },
      { world: "live", isNew: true },
    ]);
    expect(house.query(`select world from blocked_faces where tenant_id = '${tenantId}'`)).toHaveLength(2);
    expect(await block(stranger)).not.toBe(id);
  });

  it("is not opened where another recogniser's is to be blocked", async () => {
    const id = await block(portrait);
    const [face] = await house.store.listBlocked(tenantId, "");
    await house.blockList.unblock(tenantId, id);
    await house.store.blockFaces(tenantId, [{ ...face!, recogniser: "another" }], {
      events: [],
      evidence: [],
    });
    const template = await house.templateOf(portrait);
    let opened = 0;
    const open: typeof house.service.vault.open = async (kept) => {
      opened++;
      return await house.service.vault.open(kept);
    };
    const { block: blockAll } = makeBlockList({ ...house.service, vault: { ...house.service.vault, open } });
    expect(await blockAll(tenantId, [{ world: "test", template }], "")).toMatchObject([{ isNew: true }]);
    expect(opened).toBe(0);
    expect(await blockAll(tenantId, [{ world: "test", template }], "")).toMatchObject([{ isNew: false }]);
    expect(opened).toBe(1);
  });

  it("is listed as damaged where what is stored of it cannot be opened, and blocked anew beside that", async () => {
    const id = await block(portrait);
    const [face] = await house.store.listBlocked(tenantId, "");
    await house.blockList.unblock(tenantId, id);
    const cut = { ...face!, sealedTemplate: new Uint8Array(40), sealedNote: new Uint8Array(40) };
    await house.store.blockFaces(tenantId, [cut], { events: [], evidence: [] });
    expect(await Array.fromAsync(house.blockList.list(tenantId))).toMatchObject([
      { id, note: "", isDamaged: true },
    ]);
    const fresh = await block(portrait);
    expect(await Array.fromAsync(house.blockList.list(tenantId))).toHaveLength(2);
    expect(fresh).not.toBe(id);
  });

  it("hinders nobody else", async () => {
    await block(stranger);
    await callerUnder("refuse").enrol("ana");
  });

  it("is listed with what was noted, and nothing of either can be read in the store", async () => {
    const id = await block(portrait);
    const entries = [];
    for await (const entry of house.blockList.list(tenantId)) entries.push(entry);
    expect(entries).toMatchObject([{ id, world: "test", note: "chargebacks" }]);
    const [row] = house.query(`select hex(sealed_note) as note from blocked_faces where id = '${id}'`);
    expect(Buffer.from(String(row?.["note"]), "hex").toString()).not.toContain("chargebacks");
  });
});
