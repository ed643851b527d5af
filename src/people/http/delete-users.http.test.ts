import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  makeCaller,
  openPeopleHouse,
  type PeopleHouse,
  portrait,
  selfies,
  stranger,
} from "../testing/people-house.ts";

let house: PeopleHouse;
let server: ReturnType<PeopleHouse["serve"]>;
let tenantId: string;
let caller: ReturnType<typeof makeCaller>;

beforeAll(async () => {
  house = await openPeopleHouse();
  server = house.serve();
});
afterAll(() => house.close());
beforeEach(async () => {
  tenantId = await house.newTenant();
  caller = makeCaller(house, server, tenantId);
  house.clock.aheadMs = 0;
});

describe("DELETE /services/authenticateUser", () => {
  it("deletes in one step, says what it did, and leaves a receipt and no key", async () => {
    await caller.enrol("ana");
    await caller.enrol("eva");
    const before = house.peopleOf(tenantId);
    const keys = house
      .query(`select hex(wrapped_key) as key from people where tenant_id = '${tenantId}'`)
      .map(({ key }) => ({ key: String(key) }));
    const answer = await caller.remove("ana", "nobody", "eva", "ana");
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      timestamp: expect.any(String),
      transactionId: expect.any(String),
      serviceResultCode: 0,
      serviceResultLog: "[authenticateUser] Service executed ok: 2 deleted, 1 not found",
      deletedUserIds: ["ana", "eva"],
      notFoundUserIds: ["nobody"],
    });
    expect(house.peopleOf(tenantId)).toEqual([]);
    const receipts = house.evidenceOf(tenantId).filter(({ kind }) => kind === "person_deleted");
    expect(new Set(receipts.map(({ body }) => body.destroyedKey))).toEqual(
      new Set(before.map(({ key_id: keyId }) => keyId)),
    );
    expect(receipts).toHaveLength(2);
    for (const { body } of receipts) {
      expect(body.transaction).toBe(answer.body["transactionId"]);
    }
    // In no byte of the database or of its log any more.
    for (const file of [house.file, `${house.file}-wal`]) {
      const bytes = await readFile(file);
      for (const row of keys) {
        expect(bytes.includes(Buffer.from(row.key, "hex"))).toBe(false);
      }
    }
    expect((await caller.remove("ana")).body).toMatchObject({ deletedUserIds: [] });
    await caller.enrol("ana");
  });

  it("leaves each of two calls that meet with its own part", async () => {
    await caller.enrol("ana");
    const answers = await Promise.all([caller.remove("ana"), caller.remove("ana")]);
    const deleted = answers.flatMap(({ body }) => body["deletedUserIds"]);
    expect(deleted).toEqual(["ana"]);
    expect(house.evidenceOf(tenantId).filter(({ kind }) => kind === "person_deleted")).toHaveLength(1);
  });
});

describe("what is written down", () => {
  it("names nobody: neither log nor file holds an identifier, a template or a token", async () => {
    const userId = "17.432.123-K Peñaloza";
    const registered = await caller.enrol(userId);
    await caller.update(userId, registered, await house.token(selfies[1]));
    await caller.authenticate({
      userId,
      registeredTemplateRaw: registered,
      bestImageToken: await house.live(stranger),
    });
    await caller.remove(userId);
    const log = server.lines.join("\n");
    const [database, journal] = await Promise.all([readFile(house.file), readFile(`${house.file}-wal`)]);
    const template = Buffer.from(await house.templateOf(portrait));
    for (const secret of [userId, registered.slice(0, 40), "login-1"]) {
      expect(log).not.toContain(secret);
      expect(database.includes(secret)).toBe(false);
      expect(journal.includes(secret)).toBe(false);
    }
    for (const bytes of [database, journal]) {
      expect(bytes.includes(template.subarray(100, 132))).toBe(false);
    }
  });
});
