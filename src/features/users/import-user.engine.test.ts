import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Search } from "#app/search";
import { Failure } from "#contract/failure";
import { sideBySide } from "#support/face/altered";
import { imageOf } from "#support/face/images";
import {
  impostor,
  makeCaller,
  openUserHarness,
  portrait,
  selfies,
  type UserHarness,
} from "#support/users/harness";
import { type ImportAnswer, makeImportUser } from "./import-user.ts";
import type { UserService } from "./service.ts";

let harness: UserHarness;
let search: Search;
let tenantId: string;

const isFilled = async ({ needs }: Search): Promise<boolean> =>
  (await Promise.allSettled(needs.map(({ check }) => check()))).every(({ status }) => status === "fulfilled");

beforeAll(async () => {
  harness = await openUserHarness();
  search = harness.service.searchBy({ duplicates: "refuse", fpir: { review: 0.1, refusal: 0.01 } });
  while (!(await isFilled(search))) await sleep(10);
});
afterAll(async () => {
  await search.close();
  await harness.close();
});
beforeEach(async () => {
  tenantId = await harness.newTenant();
});

const importUser = (
  userId: string,
  image: Uint8Array,
  change: Partial<UserService> = {},
): Promise<ImportAnswer> =>
  makeImportUser({ ...harness.service, ...change })(
    {
      caller: { tenantId, keyId: "operator", environment: "test" },
      transactionId: randomUUID(),
      receivedAt: new Date(),
      signal: new AbortController().signal,
    },
    userId,
    image,
  );

const established = { kind: "established" };
const refused = (reason: string) => ({ kind: "refused", reason });

describe("an imported user", () => {
  it("is recognised by a live best image afterwards, and its evidence names the import", async () => {
    expect(await importUser("ana", imageOf(portrait))).toEqual(established);
    const caller = makeCaller(harness, harness.serve(), tenantId);
    const { body } = await caller.authenticate({
      userId: "ana",
      image: Buffer.from(imageOf(portrait)).toString("base64"),
      bestImageToken: await harness.live(selfies[0]),
    });
    expect(body).toMatchObject({ serviceResultCode: 0, outcome: "approved" });
    expect(harness.evidenceOf(tenantId)[0]).toMatchObject({
      kind: "person_enrolled",
      body: { origin: "import", transaction: expect.any(String) },
    });
  });

  it("stays as it is when it is imported again, also at the same moment", async () => {
    const all = await Promise.all([1, 2, 3].map(() => importUser("ana", imageOf(portrait))));
    expect(all.map(({ kind }) => kind).toSorted()).toEqual(["established", "registered", "registered"]);
    const [before] = harness.peopleOf(tenantId);
    expect(await importUser("ana", imageOf(impostor))).toEqual({ kind: "registered" });
    expect(harness.peopleOf(tenantId)).toEqual([before]);
  });
});

describe("an import is refused for", () => {
  it("an image that is none, and one without a face", async () => {
    const text = new TextEncoder().encode("no picture");
    expect(await importUser("ana", text)).toEqual(refused("image-unreadable"));
    const { imaging } = harness.engine;
    const data = new Uint8Array(640 * 480 * 3).fill(128);
    const grey = await imaging.encodeJpeg({ width: 640, height: 480, data }, 90);
    expect(await importUser("ana", grey)).toEqual(refused("no-usable-face"));
    expect(harness.peopleOf(tenantId)).toEqual([]);
  });

  it("an image that breaks the engine, and goes on with the next", async () => {
    const face = { ...harness.service.face, measure: () => Promise.reject(new Failure("engine_failed")) };
    expect(await importUser("ana", imageOf(portrait), { face })).toEqual(refused("not-measured"));
    expect(await importUser("ana", imageOf(portrait))).toEqual(established);
  });

  it("an image in which a second face counts, and not one of a face beside it that is far smaller", async () => {
    const { imaging } = harness.engine;
    const [left, other] = [await imaging.open(imageOf(portrait)), await imaging.open(imageOf(impostor))];
    // The second image at a share of the first one's height.
    const beside = async (share: number): Promise<Uint8Array> => {
      const height = Math.round(left.height * share);
      const small = await imaging.resize(other, Math.round((other.width * height) / other.height), height);
      const right = {
        width: small.width,
        height: left.height,
        data: new Uint8Array(small.width * left.height * 3),
      };
      right.data.set(small.data);
      return await imaging.encodeJpeg(sideBySide(left, right), 92);
    };
    expect(await importUser("ana", await beside(1))).toEqual(refused("several-faces"));
    expect(await importUser("ana", await beside(0.2))).toEqual(established);
  });

  it("a blocked face", async () => {
    await harness.block(tenantId, await harness.templateOf(portrait));
    expect(await importUser("ana", imageOf(portrait))).toEqual(refused("face-blocked"));
    expect(await importUser("bea", imageOf(impostor))).toEqual(established);
  });

  it("a face that is registered under another userId, only where duplicates are refused", async () => {
    expect(await importUser("ana", imageOf(portrait))).toEqual(established);
    const { deduplication } = search;
    expect(await importUser("eva", imageOf(portrait), { deduplication })).toEqual(refused("face-registered"));
    expect(await importUser("eva", imageOf(portrait))).toEqual(established);
  });
});
