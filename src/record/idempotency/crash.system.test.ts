import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { makeRecordingStore, type RecordingStore } from "#app/recording-store";
import { openSqliteStore } from "#app/store";
import type { AnswerOnce, RetryKey } from "#machine/http/options";
import { makeRecordCall } from "#record/transactions/record-call";
import type { Point } from "#support/idempotency/die";
import { aCall } from "#support/idempotency/harness";
import { untracked } from "#support/transactions/untracked";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { makeAnswerOnce } from "./answer-once.ts";

const program = fileURLToPath(new URL("../../../test/support/idempotency/die.ts", import.meta.url));

type Left = { readonly store: RecordingStore; readonly tenantId: string; readonly answerOnce: AnswerOnce };

/** Lets a process die at the point, and opens its store a lease later. */
const afterDeathAt = async (
  point: Point,
  look: (left: Left) => Promise<void>,
  kind: RetryKey["kind"] = "key",
): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-die-"));
  const path = join(folder, "idem.sqlite");
  const tenantId = randomUUID();
  const first = await openSqliteStore({ path });
  await first.createTenant({ id: tenantId, name: "t", createdAt: new Date() });
  await first.close();
  const master = randomBytes(32);
  const args = [program, folder, tenantId, master.toString("base64"), point, kind];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
  const sealedStore = await openSqliteStore({ path });
  const clock = (): Date => new Date(Date.now() + 45_000);
  const keyring = makeKeyring({ store: sealedStore, masters: [masterKeyOf(master)], now: clock });
  const store = makeRecordingStore(sealedStore, keyring);
  const answerOnce = makeAnswerOnce({
    store,
    keyring,
    leaseMs: 45_000,
    keptMs: 3_600_000,
    referenceKeptMs: 0,
    tokenKeptMs: 3_600_000,
    clock,
    count: () => undefined,
    onError: (_, error) => {
      throw error;
    },
  });
  await look({ store, tenantId, answerOnce });
  await store.close();
  await rm(folder, { recursive: true });
};

/** A retry in a new process, with the same one-use token. */
const retry = async ({ store, tenantId, answerOnce }: Left) => {
  const call = aCall({ tenantId });
  return await answerOnce(call, async (deferCommit) => {
    const entry = { endpoint: "identity", result: null, measurements: null, policyVersion: "1" };
    const uses = [{ hash: "ab".repeat(32), expiresAt: new Date(Date.now() + 60_000) }];
    const recorded = { ...call, receivedAt: new Date(), ...(deferCommit && { deferCommit }) };
    await makeRecordCall(store, untracked)(recorded, { ...entry, uses });
    return { answer: { status: 200, contentType: "json", body: "the retry's answer" }, isFinal: true };
  });
};

/** A call with the same shared token: the same request again, or another one. */
const callWithToken = async (
  { store, tenantId, answerOnce }: Left,
  { request = "body 1", kind = "identity", operation = "a" } = {},
) => {
  const call = aCall({ tenantId }, { request, route: kind, key: { kind: "token", value: "" } });
  return await answerOnce(call, async (deferCommit) => {
    const entry = { endpoint: kind, result: null, measurements: null, policyVersion: "1" };
    const at = new Date();
    const expiresAt = new Date(at.getTime() + 60_000);
    const shared = { call: kind, environment: "test" as const, operation, at, openUntil: expiresAt };
    const uses = [{ hash: "ab".repeat(32), expiresAt, shared }];
    const recorded = { ...call, receivedAt: at, ...(deferCommit && { deferCommit }) };
    await makeRecordCall(store, untracked)(recorded, { ...entry, uses });
    return { answer: { status: 200, contentType: "json", body: `the answer of ${kind}` }, isFinal: true };
  });
};

const countCalls = async ({ store, tenantId }: Left): Promise<number> =>
  (await store.listTransactions(tenantId, new Date(0))).filter(({ endpoint }) => endpoint === "identity")
    .length;

it("runs the call of a process that died before its commit", async () => {
  await afterDeathAt("before the commit", async (left) => {
    expect(await retry(left)).toMatchObject({ body: "the retry's answer", isReplayed: false });
    expect(await countCalls(left)).toBe(1);
  });
});

it.each(["after the commit", "after the answer"] as const)(
  "returns the answer of a process that died %s, although its token was used",
  async (point) => {
    await afterDeathAt(point, async (left) => {
      expect(await retry(left)).toMatchObject({ body: "the answer", isReplayed: true });
      expect(await countCalls(left)).toBe(1);
    });
  },
);

it("reports the recorded result of a process that died between its own commit and the answer", async () => {
  await afterDeathAt("after the own commit", async (left) => {
    for (let tries = 0; tries < 2; tries += 1) {
      await expect(retry(left)).rejects.toMatchObject({
        code: "idempotency_answer_lost",
        facts: { result: '{"scanReference":"scan"}' },
      });
    }
    expect(await countCalls(left)).toBe(1);
  });
});

const replayed = { code: "token_replayed" };

it("leaves a shared token unused when its call died before the commit", async () => {
  const look = async (left: Left): Promise<void> => {
    expect(await callWithToken(left)).toMatchObject({ body: "the answer of identity", isReplayed: false });
    expect(await countCalls(left)).toBe(1);
  };
  await afterDeathAt("before the commit", look, "token");
});

it.each(["after the commit", "after the answer"] as const)(
  "gives the same request its answer, and the token to no other operation, when its call died %s",
  async (point) => {
    const look = async (left: Left): Promise<void> => {
      expect(await callWithToken(left)).toMatchObject({ body: "the answer", isReplayed: true });
      await expect(callWithToken(left, { request: "body 2" })).rejects.toMatchObject(replayed);
      const other = { kind: "authenticateUser", operation: "b" };
      await expect(callWithToken(left, other)).rejects.toMatchObject(replayed);
      const own = await callWithToken(left, { kind: "authenticateUser" });
      expect(own).toMatchObject({ body: "the answer of authenticateUser", isReplayed: false });
      expect(await countCalls(left)).toBe(1);
    };
    await afterDeathAt(point, look, "token");
  },
);

it("uses a shared token once when its call died between its own commit and the answer", async () => {
  const look = async (left: Left): Promise<void> => {
    await expect(callWithToken(left)).rejects.toMatchObject({ code: "idempotency_answer_lost" });
    await expect(callWithToken(left, { request: "body 2" })).rejects.toMatchObject(replayed);
    expect(await countCalls(left)).toBe(1);
  };
  await afterDeathAt("after the own commit", look, "token");
});
