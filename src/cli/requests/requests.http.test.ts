import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { RecordingStore } from "#app/recording-store";
import { showTransactionEndpoint } from "#record/transactions/http/transaction.endpoint";
import type { TransactionRecord } from "#record/transactions/record";
import { makeShowTransaction } from "#record/transactions/show-transaction";
import { openRecordingStore } from "#support/app/recording-store";
import { type Harness, startServer } from "#support/http/harness";
import { commands } from "../commands.ts";

const tenantId = randomUUID();
const record: TransactionRecord = {
  id: randomUUID(),
  tenantId,
  keyId: "6f1c2a34",
  environment: "test",
  endpoint: "documentValidation",
  at: new Date("2026-11-26T10:00:00.000Z"),
  result: { code: 9103, reasonCode: 204, others: [] },
  measurements: {
    ms: 812,
    findings: [
      {
        name: "front-picture-poor",
        holds: true,
        code: 204,
        evidence: { shortSidePx: 640, shortSidePxMin: 720 },
      },
    ],
  },
  policyVersion: "document-3",
  models: { facemesh: "ab" },
  tokenHashes: [],
};

let folder: string;
let store: RecordingStore;
let idem: Harness;
let url: string;
let printed: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-requests-"));
  store = await openRecordingStore(join(folder, "idem.sqlite"));
  await store.createTenant({ id: tenantId, name: "Bank", createdAt: new Date(0) });
  await store.recordTransaction(record, [], { evidence: [] });
  idem = startServer({ endpoints: [showTransactionEndpoint(makeShowTransaction(store))] });
  url = await idem.server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await idem.server.app.close();
  await store.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  printed = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const requests = await commands["requests"]!.load();

const run = (key: string, ...args: readonly string[]): Promise<number> => {
  vi.stubEnv("CALL_KEY", key);
  return requests.run([...args, "--url", url, "--key-from", "CALL_KEY"]);
};

describe("idem requests", () => {
  it("prints the record of a call of a running service, with the figures of its findings", async () => {
    expect(await run(idem.makeKey({ tenantId }), record.id)).toBe(0);
    const text = printed.join("");
    expect(text).toContain(`documentValidation ${record.id}`);
    expect(text).toContain("code        9103 Resubmission");
    expect(text).toContain("front-picture-poor  204, shortSidePx 640, shortSidePxMin 720");
  });

  it("prints the record as the service answers it, with --json", async () => {
    expect(await run(idem.makeKey({ tenantId }), record.id, "--json")).toBe(0);
    expect(JSON.parse(printed.join(""))).toMatchObject({
      transactionId: record.id,
      result: record.result,
      measurements: record.measurements,
    });
  });

  it.each([
    ["another tenant", { tenantId: "other" }, record.id, "answered 404"],
    ["another environment", { tenantId, environment: "live" as const }, record.id, "answered 404"],
    ["an unknown call", { tenantId }, randomUUID(), "answered 404"],
    ["a path in place of an id", { tenantId }, "../keys", "answered 404"],
    ["a key without the scope", { tenantId, scopes: ["face" as const] }, record.id, "answered 403"],
  ])("shows nothing of %s", async (_, key, id, message) => {
    await expect(run(idem.makeKey(key), id)).rejects.toThrow(message);
    expect(printed).toEqual([]);
  });

  it("states where an id stands in an answer, and how a request id leads to it, where no call has the id", async () => {
    const asked = run(idem.makeKey({ tenantId }), randomUUID());
    await expect(asked).rejects.toThrow("serviceTransactionId or transactionId in its body");
    await expect(run(idem.makeKey({ tenantId }), "order-1")).rejects.toThrow(
      /No call has the id "order-1"\. .*request id \(header x-request-id, .* log of the service/,
    );
  });

  it("states what to do where no service answers, and without a call", async () => {
    vi.stubEnv("CALL_KEY", "x");
    const nowhere = ["--url", "http://127.0.0.1:9", "--key-from", "CALL_KEY"];
    await expect(requests.run([record.id, ...nowhere])).rejects.toThrow("Start it, or name its address");
    await expect(requests.run(nowhere)).rejects.toThrow("Name one call: idem requests ID");
  });
});
