import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { recordedFaceEngine } from "#support/face/recorded-face-engine";
import { impostor, portrait, selfies, useUserHarness } from "#support/users/harness";

const at = useUserHarness(recordedFaceEngine);

describe("DELETE /services/authenticateUser", () => {
  it("deletes in one step, reports each user, and leaves a receipt and no key", async () => {
    await at.caller.enrol("ana");
    await at.caller.enrol("eva");
    const before = at.harness.peopleOf(at.tenantId);
    const keys = at.harness
      .query(`select hex(wrapped_key) as key from users where tenant_id = '${at.tenantId}'`)
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
    expect(at.harness.peopleOf(at.tenantId)).toEqual([]);
    const receipts = at.harness.evidenceOf(at.tenantId).filter(({ kind }) => kind === "person_deleted");
    expect(new Set(receipts.map(({ body }) => body.destroyedKey))).toEqual(
      new Set(before.map(({ key_id: keyId }) => keyId)),
    );
    expect(receipts).toHaveLength(2);
    for (const { body } of receipts) {
      expect(body.transaction).toBe(answer.body["transactionId"]);
    }
    // No byte of the database or of its log holds it any more.
    for (const file of [at.harness.file, `${at.harness.file}-wal`]) {
      const bytes = await readFile(file);
      for (const row of keys) {
        expect(bytes.includes(Buffer.from(row.key, "hex"))).toBe(false);
      }
    }
    expect((await at.caller.remove("ana")).body).toMatchObject({ deletedUserIds: [] });
    await at.caller.enrol("ana");
  });

  it("gives each of two simultaneous calls its own part", async () => {
    await at.caller.enrol("ana");
    const answers = await Promise.all([at.caller.remove("ana"), at.caller.remove("ana")]);
    const deleted = answers.flatMap(({ body }) => body["deletedUserIds"]);
    expect(deleted).toEqual(["ana"]);
    expect(at.harness.evidenceOf(at.tenantId).filter(({ kind }) => kind === "person_deleted")).toHaveLength(
      1,
    );
  });
});

describe("the stored data", () => {
  it("names no user: neither log nor file holds an identifier, a template or a token", async () => {
    const userId = "17.432.123-K Peñaloza";
    const registered = await at.caller.enrol(userId);
    await at.caller.update(userId, registered, await at.harness.token(selfies[1]));
    await at.caller.authenticate({
      userId,
      registeredTemplateRaw: registered,
      bestImageToken: await at.harness.live(impostor),
    });
    await at.caller.remove(userId);
    const log = at.server.lines.join("\n");
    const [database, journal] = await Promise.all([
      readFile(at.harness.file),
      readFile(`${at.harness.file}-wal`),
    ]);
    const template = Buffer.from(await at.harness.templateOf(portrait));
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
