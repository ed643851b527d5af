import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { portrait, selfies, stranger, usePeopleHouse } from "../testing/people-house.ts";

const at = usePeopleHouse();

describe("DELETE /services/authenticateUser", () => {
  it("deletes in one step, says what it did, and leaves a receipt and no key", async () => {
    await at.caller.enrol("ana");
    await at.caller.enrol("eva");
    const before = at.house.peopleOf(at.tenantId);
    const keys = at.house
      .query(`select hex(wrapped_key) as key from people where tenant_id = '${at.tenantId}'`)
      .map(({ key }) => ({ key: String(key) }));
    const answer = await at.caller.remove("ana", "nobody", "eva", "ana");
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      timestamp: expect.any(String),
      transactionId: expect.any(String),
      serviceResultCode: 0,
      serviceResultLog: "[authenticateUser] Service executed ok: 2 deleted, 1 not found",
      deletedUserIds: ["ana", "eva"],
      notFoundUserIds: ["nobody"],
    });
    expect(at.house.peopleOf(at.tenantId)).toEqual([]);
    const receipts = at.house.evidenceOf(at.tenantId).filter(({ kind }) => kind === "person_deleted");
    expect(new Set(receipts.map(({ body }) => body.destroyedKey))).toEqual(
      new Set(before.map(({ key_id: keyId }) => keyId)),
    );
    expect(receipts).toHaveLength(2);
    for (const { body } of receipts) {
      expect(body.transaction).toBe(answer.body["transactionId"]);
    }
    // In no byte of the database or of its log any more.
    for (const file of [at.house.file, `${at.house.file}-wal`]) {
      const bytes = await readFile(file);
      for (const row of keys) {
        expect(bytes.includes(Buffer.from(row.key, "hex"))).toBe(false);
      }
    }
    expect((await at.caller.remove("ana")).body).toMatchObject({ deletedUserIds: [] });
    await at.caller.enrol("ana");
  });

  it("leaves each of two calls that meet with its own part", async () => {
    await at.caller.enrol("ana");
    const answers = await Promise.all([at.caller.remove("ana"), at.caller.remove("ana")]);
    const deleted = answers.flatMap(({ body }) => body["deletedUserIds"]);
    expect(deleted).toEqual(["ana"]);
    expect(at.house.evidenceOf(at.tenantId).filter(({ kind }) => kind === "person_deleted")).toHaveLength(1);
  });
});

describe("what is written down", () => {
  it("names nobody: neither log nor file holds an identifier, a template or a token", async () => {
    const userId = "17.432.123-K Peñaloza";
    const registered = await at.caller.enrol(userId);
    await at.caller.update(userId, registered, await at.house.token(selfies[1]));
    await at.caller.authenticate({
      userId,
      registeredTemplateRaw: registered,
      bestImageToken: await at.house.live(stranger),
    });
    await at.caller.remove(userId);
    const log = at.server.lines.join("\n");
    const [database, journal] = await Promise.all([
      readFile(at.house.file),
      readFile(`${at.house.file}-wal`),
    ]);
    const template = Buffer.from(await at.house.templateOf(portrait));
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
