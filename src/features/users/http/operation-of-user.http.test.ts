import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { RecordingStore } from "#app/recording-store";
import { imageOf } from "#support/face/images";
import { recordedFaceEngine } from "#support/face/recorded-face-engine";
import type { ReadEvent } from "#support/operations/open-operations";
import { impostor, makeCaller, portrait, selfies, useUserHarness } from "#support/users/harness";
import type { UserService } from "../service.ts";

const at = useUserHarness(recordedFaceEngine);

/** The id of the operation of a test. */
let operationId: string;
beforeEach(() => {
  operationId = randomUUID();
});

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const eventsOf = (id = operationId) => at.harness.operations.eventsOf(at.tenantId, id);
const stepsOf = (id = operationId) => at.harness.operations.stepsOf(at.tenantId, id);

/** Name, data and kinds of images of each event, in sequence. */
const listed = (events: readonly ReadEvent[]) =>
  events.map(({ sequence, name, data, assets }) => [sequence, name, data, assets.map(({ type }) => type)]);

const firstCall = async (userId: string, selfie: string = selfies[0]) => ({
  userId,
  image: base64(imageOf(portrait)),
  bestImageToken: await at.harness.live(selfie),
  tracking: { operationId },
});

const similar = { status: "Positive", similarity: expect.any(Number) };

describe("the operation of authenticateUser", () => {
  it("gets the selfie, the comparison and the liveness of a first call, in this order, and their images", async () => {
    expect(await at.caller.authenticate(await firstCall("ana"), "")).toMatchObject({
      body: { serviceResultCode: 0 },
    });
    const events = await eventsOf();
    expect(listed(events)).toEqual([
      [1, "operation_started", { customerId: "ana" }, []],
      [2, "selfie_captured", {}, ["selfie"]],
      [3, "facial_authentication_evaluated", similar, ["id_portrait", "selfie"]],
      [4, "passive_liveness_evaluated", { diagnostic: "Live" }, ["selfie"]],
    ]);
    expect(stepsOf()).toEqual(["authenticateUser"]);
    const [face, selfie] = events[2]!.assets;
    expect(events[1]!.assets).toEqual([selfie]);
    const kept = (asset: ReadEvent["assets"][number] | undefined) =>
      at.harness.operations.imageOf(at.tenantId, asset!);
    expect([base64(await kept(face)), base64(await kept(selfie))]).toEqual(
      [portrait, selfies[0]].map((name) => base64(imageOf(name))),
    );
  });

  it("gets the results of later calls in sequence; the answer of version 2 states the same", async () => {
    const { body: first } = await at.caller.authenticate(await firstCall("ana"));
    const registeredTemplateRaw = first["registeredTemplateRaw"];
    const { body } = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw,
      bestImageToken: await at.harness.live(impostor),
      tracking: { operationId },
    });
    const compared = {
      status: body["serviceFacialAuthenticationLog"],
      similarity: body["serviceFacialSimilarityResult"],
    };
    expect(compared.status).toBe("Negative");
    expect(listed(await eventsOf()).slice(4)).toEqual([
      [5, "selfie_captured", {}, ["selfie"]],
      [6, "facial_authentication_evaluated", compared, ["selfie"]],
      [7, "passive_liveness_evaluated", { diagnostic: body["serviceLivenessLog"] }, ["selfie"]],
    ]);
    expect(stepsOf()).toEqual(["authenticateUserV2", "authenticateUserV2"]);
  });

  it("gets no selfie where a template of another user ends the call, or a template is sent in its place", async () => {
    await at.caller.enrol("ana");
    const { body } = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: await at.harness.token(impostor),
      bestImageToken: await at.harness.live(selfies[1]),
      tracking: { operationId },
    });
    expect(body).toMatchObject({ serviceResultCode: -100 });
    const { body: without } = await at.caller.authenticate({
      userId: "eva",
      registeredTemplateRaw: await at.harness.token(portrait),
      template: await at.harness.token(selfies[1]),
      tracking: { operationId },
    });
    expect(without).toMatchObject({ serviceResultCode: -101, serviceLivenessLog: "None" });
    const none = { diagnostic: "None" };
    expect(listed(await eventsOf())).toEqual([
      [1, "operation_started", { customerId: "ana" }, []],
      [2, "facial_authentication_evaluated", { status: "None", similarity: 0 }, []],
      [3, "passive_liveness_evaluated", none, []],
      [4, "facial_authentication_evaluated", similar, []],
      [5, "passive_liveness_evaluated", none, []],
    ]);
  });

  it("gets the results of an enrolment candidate that is refused", async () => {
    const search = at.harness.service.searchBy({
      duplicates: "refuse",
      fpir: { review: 0.1, refusal: 0.01 },
    });
    onTestFinished(() => search.close());
    const isFilled = async (): Promise<boolean> =>
      (await Promise.allSettled(search.needs.map(({ check }) => check()))).every(
        ({ status }) => status === "fulfilled",
      );
    while (!(await isFilled())) await sleep(10);
    const { deduplication } = search;
    const caller = makeCaller(at.harness, at.harness.serve({ deduplication }), at.tenantId);
    await caller.enrol("ana");
    const { body } = await caller.authenticate(await firstCall("ana again", selfies[1]));
    expect(body).toMatchObject({ enrolmentRefusal: "ALREADY_REGISTERED" });
    expect((await eventsOf()).map(({ name }) => name)).toEqual([
      "operation_started",
      "selfie_captured",
      "facial_authentication_evaluated",
      "passive_liveness_evaluated",
    ]);
  });

  it("stores the images of a call once, also where another call makes it judge again", async () => {
    const { store } = at.harness;
    let isOvertaken = false;
    const enrolUser: RecordingStore["enrolUser"] = async (...args) => {
      // Another call enrols the user between the search and the write.
      if (!isOvertaken) await at.harness.register(at.tenantId, "ana", await at.harness.templateOf(portrait));
      isOvertaken = true;
      return await store.enrolUser(...args);
    };
    const change: Partial<UserService> = { store: { ...store, enrolUser } };
    const caller = makeCaller(at.harness, at.harness.serve(change), at.tenantId);
    const before = await countObjects();
    expect((await caller.authenticate(await firstCall("ana"))).body).toMatchObject({ serviceResultCode: 0 });
    expect(isOvertaken).toBe(true);
    expect((await countObjects()) - before).toBe(2);
    expect(listed(await eventsOf()).slice(1)).toEqual([
      [2, "selfie_captured", {}, ["selfie"]],
      [3, "facial_authentication_evaluated", similar, ["id_portrait", "selfie"]],
      [4, "passive_liveness_evaluated", { diagnostic: "Live" }, ["selfie"]],
    ]);
  });
});

/** The stored objects, which need no row. */
const countObjects = async (): Promise<number> => {
  const folder = path.dirname(at.harness.file);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && !entry.name.startsWith("idem.sqlite")).length;
};

describe("the operation of a change of a user", () => {
  it("gets a step without an event, for each answer of updateUserTemplate and for a deletion", async () => {
    const old = await at.caller.enrol("ana");
    const fresh = await at.harness.token(selfies[1]);
    const other = await at.harness.token(impostor);
    const codes: unknown[] = [];
    for (const [userId, from] of [
      ["ana", other],
      ["ana", old],
      ["nobody", old],
    ] as const) {
      const { body } = await at.caller.update(userId, from, fresh, { operationId });
      codes.push(body["serviceResultCode"]);
    }
    expect(codes).toEqual([-100, 0, -103]);
    const tracking = { operationId };
    await at.caller.call("DELETE", "/services/authenticateUser", { userIds: ["ana"], tracking });
    expect(stepsOf()).toEqual([...Array(3).fill("updateUserTemplate"), "deleteUsers"]);
    expect(listed(await eventsOf())).toEqual([[1, "operation_started", { customerId: "ana" }, []]]);
  });

  it("names no customer where a deletion opens it", async () => {
    const tracking = { operationId };
    await at.caller.call("DELETE", "/services/authenticateUser", { userIds: ["ana", "eva"], tracking });
    expect(listed(await eventsOf())).toEqual([[1, "operation_started", { customerId: operationId }, []]]);
  });
});

describe("an operation", () => {
  const rows = (table: string): number =>
    at.harness.query(`select 1 from ${table} where tenant_id = '${at.tenantId}'`).length;

  it("that has ended takes no call: 409, and nothing is stored", async () => {
    const template = await at.caller.enrol("ana");
    await at.caller.update("nobody", template, template, { operationId });
    at.harness.operations.finish(at.tenantId, operationId);
    const tables = ["users", "transactions", "token_uses", "operation_steps", "events", "assets", "evidence"];
    const before = tables.map(rows);
    const [user] = at.harness.peopleOf(at.tenantId);
    const tracking = { operationId };
    const bestImageToken = await at.harness.live(impostor);
    const answers = [
      await at.caller.authenticate(await firstCall("eva")),
      await at.caller.authenticate({
        userId: "ana",
        registeredTemplateRaw: template,
        bestImageToken,
        tracking,
      }),
      await at.caller.update("ana", template, await at.harness.token(selfies[1]), { tracking }),
      await at.caller.update("nobody", template, template, { tracking }),
      await at.caller.call("DELETE", "/services/authenticateUser", { userIds: ["ana"], tracking }),
    ];
    for (const { status, body } of answers) {
      expect([status, body["failure"]]).toEqual([409, "operation_finished"]);
    }
    expect(tables.map(rows)).toEqual(before);
    expect(at.harness.peopleOf(at.tenantId)).toEqual([user]);
    // The capture was not used up.
    const again = { userId: "ana", registeredTemplateRaw: template, bestImageToken };
    expect((await at.caller.authenticate(again)).status).toBe(200);
  });

  it("is opened by no call without tracking", async () => {
    const template = await at.caller.enrol("ana");
    await at.caller.update("ana", template, await at.harness.token(selfies[1]));
    await at.caller.remove("ana");
    expect([rows("transactions"), rows("operations"), rows("blobs")]).toEqual([3, 0, 0]);
  });

  it("has the user's own name as its customer: to 36 characters as it is, a longer one as a UUID of its hash", async () => {
    const template = await at.harness.token(portrait);
    const ids: unknown[] = [];
    for (const userId of ["ñ".repeat(36), "ñ".repeat(37), "ñ".repeat(37), "ñ".repeat(38)]) {
      const id = randomUUID();
      await at.caller.update(userId, template, template, { operationId: id });
      ids.push((await eventsOf(id))[0]?.data["customerId"]);
    }
    const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(ids).toEqual(["ñ".repeat(36), uuid, ids[1], uuid]);
    expect(ids[3]).not.toBe(ids[1]);
  });
});
