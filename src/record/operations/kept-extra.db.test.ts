import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { EncodedBytes } from "#contract/base64";
import type { Tracking } from "#contract/tracking";
import { readBody } from "#machine/http/read-json";
import { openTrackedStore } from "#support/app/tracked-store";
import { bytesOf } from "#support/operations/open-operations";
import { keptExtraOf } from "./operation-id.ts";

const folder = await mkdtemp(path.join(tmpdir(), "idem-extra-"));
const { store, keyring, operations, recordCall } = await openTrackedStore(folder);
const tenantId = randomUUID();
await store.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** Records a call with this tracking and reads its step. */
const stepOf = async (tracking: Tracking) => {
  const transactionId = randomUUID();
  const caller = { tenantId, keyId: randomUUID(), environment: "test" } as const;
  const call = { caller, transactionId, receivedAt: new Date(), tracking };
  await recordCall(call, { endpoint: "identity", result: 0, measurements: null, policyVersion: "1" });
  const [row] = operations.query("select * from operation_steps where transaction_id = ?", transactionId);
  const [operationId, hash] = [String(row?.["operation_id"]), row?.["extra_hash"]];
  const sealed = bytesOf(row?.["sealed_extra"]);
  const context = { owner: `operation ${operationId}`, environment: "test" } as const;
  const opened = await keyring.open(tenantId, "operations", sealed, context);
  return { operationId, hash, sealed, text: Buffer.from(opened).toString("utf8") };
};

/** A long text as the body of a request hands it on. */
const sentText = (text: string): EncodedBytes => {
  const parts = readBody([Buffer.from(JSON.stringify({ text }))], false);
  const [value] = parts.longValues;
  return new EncodedBytes(value!.head, value!.decoding);
};

describe("the tracking token of a call", () => {
  it.each([["a.b.c"], ["no Base64 !"], ["===="], ["{}"], ["\u0000"], ["ñ😀"], ["A".repeat(65_536)]])(
    "is kept whole and sealed with its step (%#)",
    async (extraData) => {
      const { sealed, text } = await stepOf({ operationId: randomUUID(), extraData });
      expect(text).toBe(extraData);
      if (extraData.length > 4) expect(Buffer.from(sealed).includes(extraData.slice(0, 8))).toBe(false);
    },
  );

  it("is kept to its first 64 KiB, and its hash covers the rest", async () => {
    const operationId = randomUUID();
    const long = ["B", "C"].map((end) => `${"A".repeat(90_003)}${end}`);
    const sent = long.map(sentText);
    const [first, second] = [
      await stepOf({ operationId, extraData: sent[0]! }),
      await stepOf({ operationId, extraData: sent[1]! }),
    ];
    expect([first.text, second.text]).toEqual([long[0]!.slice(0, 65_536), long[0]!.slice(0, 65_536)]);
    expect(first.hash).not.toBe(second.hash);
  });

  it("that is long and no Base64 is kept as any other, and names an operation of its own", async () => {
    for (const length of [20_000, 200_000]) {
      const texts = ["1", "2"].map((end) => `${"certificate.".repeat(length / 12)}${end}`);
      const [first, second] = [
        await stepOf({ extraData: sentText(texts[0]!) }),
        await stepOf({ extraData: sentText(texts[1]!) }),
      ];
      expect(first.operationId).not.toBe(second.operationId);
      expect(first.text.startsWith("certificate.certificate.")).toBe(true);
      if (length < 65_536) expect([first.text, second.text]).toEqual(texts);
    }
  });

  it("names the operation where the call gives no other name", async () => {
    const [first, again, other] = [
      await stepOf({ extraData: "token 1" }),
      await stepOf({ extraData: "token 1" }),
      await stepOf({ extraData: "token 2" }),
    ];
    expect(first.operationId).toBe(again.operationId);
    expect(other.operationId).not.toBe(first.operationId);
    expect(first.operationId).not.toContain("token");
  });

  it("is cut between characters, never inside of one", () => {
    for (const before of [0, 1, 2, 3]) {
      const text = `${"a".repeat(before)}${"😀".repeat(20_000)}`;
      const kept = keptExtraOf(text);
      expect(text.startsWith(kept)).toBe(true);
      expect(65_536 - Buffer.byteLength(kept)).toBeLessThan(4);
    }
  });
});
