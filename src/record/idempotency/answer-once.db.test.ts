import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CommitCall } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { KeyedCall } from "#machine/http/options";
import { makeRecordCall } from "#record/transactions/record-call";
import {
  aCall,
  type Harness,
  hourMs,
  makeHarness,
  minuteMs,
  openStore,
  written,
} from "#support/idempotency/harness";
import { aTransaction } from "#support/storage/suite";
import { untracked } from "#support/transactions/untracked";
import { destroyTenantKeys } from "#trust/key-ring/keyring";
import { answerBytesMax } from "./answer-once.ts";

let opened: Awaited<ReturnType<typeof openStore>>;
let harness: Harness;
/** Bodies of the handler's runs, in order. */
let runs: string[];

beforeAll(async () => {
  opened = await openStore();
});
afterAll(() => opened.close());
beforeEach(async () => {
  harness = await makeHarness(opened.store);
  runs = [];
});

/** A handler with an effect that is counted, and an answer that differs for every run. */
const run =
  (body = `run ${runs.length + 1}`, isFinal = true) =>
  () => {
    runs.push(body);
    return Promise.resolve({ answer: written(body), isFinal });
  };

const failing = (error: unknown) => () => {
  runs.push("failed");
  return Promise.reject(error);
};

const once = (call: KeyedCall, handler: Parameters<Harness["answerOnce"]>[1]) =>
  harness.answerOnce(call, handler);

/** A handler that records its call through the seam, with a token that may be used once. */
const recording =
  (call: KeyedCall, hash = "ab".repeat(32)) =>
  async (deferCommit?: (commit: CommitCall) => void) => {
    const recordCall = makeRecordCall(harness.store, untracked);
    const { caller, transactionId } = call;
    const receivedAt = harness.clock.now;
    const recorded = { caller, transactionId, receivedAt, ...(deferCommit && { deferCommit }) };
    const entry = { endpoint: "identity", result: { facial: 3 }, measurements: null, policyVersion: "1" };
    await recordCall(recorded, { ...entry, uses: [{ hash, expiresAt: new Date(receivedAt.getTime() + 1) }] });
    return await run()();
  };

const later = (ms: number): void => {
  harness.clock.now = new Date(harness.clock.now.getTime() + ms);
};

describe("a call under an idempotency key", () => {
  it("runs once, and its retries get the same bytes", async () => {
    const first = await once(aCall(harness), run());
    expect(first).toStrictEqual({ ...written("run 1"), isReplayed: false });
    for (let n = 0; n < 3; n += 1) {
      expect(await once(aCall(harness), run())).toStrictEqual({ ...first, isReplayed: true });
    }
    expect(runs).toStrictEqual(["run 1"]);
    expect(harness.counted).toStrictEqual(["claimed", "answered", "answered", "answered"]);
  });

  it("is another call in another environment, route, tenant and under another key", async () => {
    const { caller } = aCall(harness);
    const other = randomUUID();
    await harness.store.createTenant({ id: other, name: other, createdAt: new Date() });
    const changes: readonly Partial<KeyedCall>[] = [
      {},
      { caller: { ...caller, environment: "live" } },
      { caller: { ...caller, tenantId: other } },
      { route: "detokenize" },
      { key: { kind: "key", value: "K" } },
    ];
    for (const change of changes) await once(aCall(harness, change), run());
    expect(runs).toHaveLength(changes.length);
  });

  it("is the same call under an API key that a renewal made in place of the first one", async () => {
    const call = aCall(harness);
    await once(call, run());
    const renewed = aCall(harness, { caller: { ...call.caller, keyId: "its renewal" } });
    expect(await once(renewed, run())).toMatchObject({ body: "run 1", isReplayed: true });
  });

  it("is refused to every other API key of the tenant: before its end, after it, and with another request", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = once(aCall(harness), async () => {
      await promise;
      return await run()();
    });
    await expect.poll(() => harness.counted).toStrictEqual(["claimed"]);
    const refused = async (change: Partial<KeyedCall> = {}) => {
      const other = once(aCall(harness, { lineage: "another key", ...change }), run());
      await expect(other).rejects.toMatchObject({ code: "idempotency_key_taken" });
    };
    await refused();
    resolve();
    await first;
    await refused();
    await refused({ request: "body 2" });
    expect(runs).toStrictEqual(["run 1"]);
  });

  it.each(["reference", "token"] as const)("under a %s runs for each owner", async (kind) => {
    const key = { kind, value: "v" } as const;
    expect(await once(aCall(harness, { key }), run())).toMatchObject({ isReplayed: false });
    const other = await once(aCall(harness, { key, lineage: "another key" }), run());
    expect(other).toMatchObject({ body: "run 2", isReplayed: false });
    expect(await once(aCall(harness, { key }), run())).toMatchObject({ body: "run 1", isReplayed: true });
  });

  it("judges the right of a retry again: without it neither answer nor conflict leaves", async () => {
    await once(aCall(harness), run());
    const judgeRight = () => Promise.reject(new Failure("key_scope_refused"));
    for (const change of [{}, { request: "body 2" }, { lineage: "another key" }]) {
      const retried = once(aCall(harness, { judgeRight, ...change }), run());
      await expect(retried).rejects.toMatchObject({ code: "key_scope_refused" });
    }
    expect(await once(aCall(harness), run())).toMatchObject({ body: "run 1", isReplayed: true });
  });

  it.each(["with its record", "alone"])(
    "that showed a secret keeps a refusal in its place, stored %s",
    async (how) => {
      const call = aCall(harness);
      const kept = new Failure("idempotency_secret_shown", { keyId: "made" });
      const handler = how === "alone" ? run : () => recording(call);
      const first = await once(call, async (defer) => ({ ...(await handler()(defer)), kept }));
      expect(first).toMatchObject({ status: 200, isReplayed: false });
      const again = { ...call.refuse(kept), isReplayed: true };
      expect(await once(aCall(harness), run())).toStrictEqual(again);
      expect(runs).toHaveLength(1);
    },
  );

  it("is refused with another request, and the first answer stays", async () => {
    await once(aCall(harness), run());
    const reused = once(aCall(harness, { request: "body 2" }), run());
    await expect(reused).rejects.toMatchObject({ code: "idempotency_key_reused" });
    expect(await once(aCall(harness), run())).toMatchObject({ body: "run 1", isReplayed: true });
    expect(runs).toHaveLength(1);
  });

  it("is refused while it runs, until its lease ends", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = once(aCall(harness), async () => {
      await promise;
      return await run()();
    });
    await expect.poll(() => harness.counted).toStrictEqual(["claimed"]);
    later(44_999);
    await expect(once(aCall(harness), run())).rejects.toMatchObject({ code: "idempotency_call_running" });
    resolve();
    await first;
    expect(await once(aCall(harness), run())).toMatchObject({ body: "run 1", isReplayed: true });
  });

  it("is remembered for its time and forgotten afterwards", async () => {
    await once(aCall(harness), run());
    later(24 * hourMs - 1);
    expect(await once(aCall(harness), run())).toMatchObject({ isReplayed: true });
    later(1);
    expect(await once(aCall(harness), run())).toMatchObject({ body: "run 2", isReplayed: false });
    expect(await once(aCall(harness), run())).toMatchObject({ body: "run 2", isReplayed: true });
  });

  it("runs again if its answer is not final", async () => {
    await once(aCall(harness), run("broken", false));
    expect(await once(aCall(harness), run("good"))).toMatchObject({ body: "good", isReplayed: false });
  });

  it("is stored up to the largest answer, and runs again beyond it", async () => {
    for (const [value, length] of [
      ["fits", answerBytesMax],
      ["too large", answerBytesMax + 1],
    ] as const) {
      const change = { key: { kind: "key", value } } as const;
      const body = "x".repeat(length);
      expect((await once(aCall(harness, change), run(body))).body).toBe(body);
      const again = await once(aCall(harness, change), run("again"));
      expect(again.body === body).toBe(length <= answerBytesMax);
    }
  });

  it("leaves neither key, request nor answer readable in the store", async () => {
    const key = { kind: "key", value: "canary-key" } as const;
    await once(aCall(harness, { key, request: "canary-request" }), run("canary-answer"));
    const claimed = await harness.store.claimCall({
      ...aCall(harness).caller,
      name: await harness.keyring.pseudonym(
        harness.tenantId,
        "answers",
        JSON.stringify(["key", "test", "identity", "canary-key"]),
      ),
      request: await harness.keyring.pseudonym(harness.tenantId, "answers", "canary-request"),
      owner: "api key",
      transactionId: randomUUID(),
      now: harness.clock.now,
      leasedUntil: harness.clock.now,
      forgottenBefore: new Date(0),
    });
    const sealed = claimed.kind === "answered" ? Buffer.from(claimed.sealed).toString("latin1") : "canary";
    expect(sealed).not.toContain("canary");
  });
});

describe("a failed call under an idempotency key", () => {
  it("that was refused for good gets the same refusal again", async () => {
    const call = aCall(harness);
    await expect(once(call, failing(new Failure("image_unreadable")))).rejects.toMatchObject({
      code: "image_unreadable",
    });
    expect(await once(aCall(harness), run())).toStrictEqual({
      ...call.refuse(new Failure("image_unreadable")),
      isReplayed: true,
    });
    expect(runs).toStrictEqual(["failed"]);
  });

  it.each(["engine_busy", "user_paused", "request_invalid", "stored_damaged"] as const)(
    "with %s runs again, also with a corrected request",
    async (code) => {
      await expect(once(aCall(harness), failing(new Failure(code)))).rejects.toMatchObject({ code });
      const corrected = await once(aCall(harness, { request: "body 2" }), run("good"));
      expect(corrected).toMatchObject({ body: "good", isReplayed: false });
    },
  );

  it.each([
    new Failure("store_unavailable"),
    new Failure("timed_out"),
    new Failure("shutting_down"),
    new Error("The caller left"),
  ])("with %s and without an effect runs again at once, and only the same request", async (error) => {
    await expect(once(aCall(harness), failing(error))).rejects.toBe(error);
    const other = once(aCall(harness, { request: "body 2" }), run());
    await expect(other).rejects.toMatchObject({ code: "idempotency_key_reused" });
    expect(await once(aCall(harness), run("good"))).toMatchObject({ body: "good", isReplayed: false });
  });

  it("that was committed all the same is never carried out again", async () => {
    const call = aCall(harness);
    const failed = once(call, async () => {
      await recording(call)();
      throw new Failure("timed_out");
    });
    await expect(failed).rejects.toMatchObject({ code: "timed_out" });
    const retried = once(aCall(harness), run());
    await expect(retried).rejects.toMatchObject({
      code: "idempotency_answer_lost",
      facts: { transactionId: call.transactionId, result: '{"facial":3}' },
    });
    expect(runs).toHaveLength(1);
  });

  it("that was committed with measurements which no key opens is never carried out again", async () => {
    const call = aCall(harness);
    const record = aTransaction(harness.tenantId, { id: call.transactionId, result: { facial: 3 } });
    const failed = once(call, async () => {
      await opened.store.recordTransaction(record, [], { evidence: [] });
      throw new Failure("timed_out");
    });
    await expect(failed).rejects.toMatchObject({ code: "timed_out" });
    await expect(harness.store.findTransaction(harness.tenantId, record.id)).rejects.toThrow();
    await expect(once(aCall(harness), run())).rejects.toMatchObject({
      code: "idempotency_answer_lost",
      facts: { transactionId: call.transactionId, result: '{"facial":3}' },
    });
  });
});

describe("a one-use token", () => {
  it("is used by the call, and a retry gets the answer instead of token_replayed", async () => {
    const call = aCall(harness);
    const first = await once(call, recording(call));
    const again = aCall(harness);
    expect(await once(again, recording(again))).toStrictEqual({ ...first, isReplayed: true });
    const other = aCall(harness, { key: { kind: "key", value: "other" } });
    await expect(once(other, recording(other))).rejects.toMatchObject({ code: "token_replayed" });
    const otherAgain = await once(aCall(harness, { key: other.key }), run());
    expect(otherAgain).toMatchObject({ failure: "token_replayed", isReplayed: true });
    expect(await harness.store.findTransaction(harness.tenantId, other.transactionId)).toBeUndefined();
  });

  it("commits with the answer: without the claim nothing is written", async () => {
    const dead = aCall(harness);
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = once(dead, async (deferCommit) => {
      await promise;
      return await recording(dead)(deferCommit);
    });
    await expect.poll(() => harness.counted).toStrictEqual(["claimed"]);
    later(45_000);
    const next = aCall(harness);
    const answer = await once(next, recording(next));
    resolve();
    await expect(slow).rejects.toMatchObject({ code: "idempotency_call_running" });
    expect(await once(aCall(harness), run())).toStrictEqual({ ...answer, isReplayed: true });
  });
});

describe("the store of answers", () => {
  it("that fails while an answer is stored does not fail a committed call, and a retry is not carried out", async () => {
    const call = aCall(harness);
    const outage = new Failure("store_unavailable");
    const store = { ...harness.store, keepAnswer: () => Promise.reject(outage) };
    const answer = await harness.make({ store })(call, () => recording(call)());
    expect(answer).toMatchObject({ body: "run 1", isReplayed: false });
    expect(harness.errors).toStrictEqual([outage]);
    await expect(once(aCall(harness), run())).rejects.toMatchObject({ code: "idempotency_call_running" });
    later(45_000);
    await expect(once(aCall(harness), run())).rejects.toMatchObject({ code: "idempotency_answer_lost" });
  });

  it("that does not answer refuses the call before it runs", async () => {
    const outage = new Failure("store_unavailable");
    const store = { ...harness.store, claimCall: () => Promise.reject(outage) };
    await expect(harness.make({ store })(aCall(harness), run())).rejects.toBe(outage);
    expect(runs).toStrictEqual([]);
  });

  it("opens no answer of an erased tenant: a retry is a new call", async () => {
    const call = aCall(harness);
    await once(call, run());
    const { name, sealed } = await storedAnswer();
    await destroyTenantKeys(harness.store, harness.tenantId, harness.clock.now);
    // Processes keep a destroyed key for two seconds.
    later(2_000);
    const opening = harness.keyring.open(
      harness.tenantId,
      "answers",
      sealed,
      `answer ${name} ${call.transactionId}`,
    );
    await expect(opening).rejects.toMatchObject({ code: "not_found" });
    expect(await once(aCall(harness), run())).toMatchObject({ body: "run 2", isReplayed: false });
  });

  it("has lost an answer that was changed", async () => {
    const call = aCall(harness);
    await once(call, run());
    const { name, sealed } = await storedAnswer();
    await harness.store.forgetIdempotentCalls(harness.tenantId, new Date(harness.clock.now.getTime() + 1));
    const claim = await claimOfKey();
    await harness.store.claimCall({ ...claim, transactionId: call.transactionId });
    await harness.store.keepAnswer({
      tenantId: harness.tenantId,
      name,
      transactionId: call.transactionId,
      sealed: sealed.map((byte, at) => (at === sealed.length - 1 ? byte ^ 1 : byte)),
    });
    await expect(once(aCall(harness), run())).rejects.toMatchObject({
      code: "idempotency_answer_lost",
      facts: { transactionId: call.transactionId },
    });
  });
});

const claimOfKey = async () => ({
  ...aCall(harness).caller,
  name: await harness.keyring.pseudonym(
    harness.tenantId,
    "answers",
    JSON.stringify(["key", "test", "identity", "k"]),
  ),
  request: await harness.keyring.pseudonym(harness.tenantId, "answers", "body 1"),
  owner: "api key",
  transactionId: randomUUID(),
  now: harness.clock.now,
  leasedUntil: harness.clock.now,
  forgottenBefore: new Date(0),
});

const storedAnswer = async () => {
  const claim = await claimOfKey();
  const claimed = await harness.store.claimCall(claim);
  if (claimed.kind !== "answered") throw new Error(`The call is ${claimed.kind}`);
  return { ...claim, sealed: claimed.sealed };
};

describe("a call under the caller's own reference", () => {
  const reference = (request = "body 1") =>
    aCall(harness, { key: { kind: "reference", value: "order-1" }, request });

  it("is a retry if the request is equal, and another call otherwise", async () => {
    expect(await once(reference(), run())).toMatchObject({ body: "run 1", isReplayed: false });
    expect(await once(reference("body 2"), run())).toMatchObject({ body: "run 2", isReplayed: false });
    expect(await once(reference(), run())).toMatchObject({ body: "run 1", isReplayed: true });
    expect(await once(reference("body 2"), run())).toMatchObject({ body: "run 2", isReplayed: true });
  });

  it("is forgotten after its own, shorter time", async () => {
    await once(reference(), run());
    later(10 * minuteMs - 1);
    expect(await once(reference(), run())).toMatchObject({ isReplayed: true });
    later(1);
    expect(await once(reference(), run())).toMatchObject({ body: "run 2", isReplayed: false });
  });

  it("runs again after a refusal: the same images may be accepted later", async () => {
    await expect(once(reference(), failing(new Failure("transition_refused")))).rejects.toMatchObject({
      code: "transition_refused",
    });
    expect(await once(reference(), run("good"))).toMatchObject({ body: "good", isReplayed: false });
  });

  it("runs every time if the operator sets no time for it", async () => {
    const never = harness.make({ referenceKeptMs: 0 });
    await never(reference(), run());
    await never(reference(), run());
    expect(runs).toHaveLength(2);
  });

  it("does not meet a key with the same text", async () => {
    await once(aCall(harness, { key: { kind: "key", value: "order-1" } }), run());
    expect(await once(reference(), run())).toMatchObject({ body: "run 2", isReplayed: false });
  });
});

describe("simultaneous attempts", () => {
  it("have one effect and one answer, in 100 races of four", async () => {
    const other = harness.make({});
    for (let race = 0; race < 100; race += 1) {
      const key = { kind: "key", value: `race ${race}` } as const;
      const attempts = Array.from({ length: 4 }, async (_, n) => {
        const call = aCall(harness, { key });
        const handler = n % 2 === 0 ? recording(call, key.value) : () => recording(call, key.value)();
        return await (n < 2 ? harness.answerOnce : other)(call, handler);
      });
      const results = await Promise.allSettled(attempts);
      const answers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
      expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
      expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
      expect(refusals.every(({ code }) => code === "idempotency_call_running")).toBe(true);
    }
    expect(runs).toHaveLength(100);
  });
});
