import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Store } from "#app/store";
import { openStoreHere } from "#support/app/store-here";
import { anOperationStep, aTransaction } from "#support/storage/suite";
import { UsageError } from "../command.ts";
import { exportDecisions } from "./export.command.ts";

const tenant = { id: randomUUID(), name: "Caja Ñandú", createdAt: new Date(0) };
const day = Date.UTC(2026, 10, 1);
const at = (seconds: number): Date => new Date(day + seconds * 1000);
const range = ["--since", "2026-11-01", "--until", "2026-11-02"];

let folder: string;
let out: string;
let store: Store;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-decisions-"));
  out = join(folder, "out");
  store = await openStoreHere({ path: join(folder, "idem.sqlite") });
  await store.createTenant(tenant);
  vi.stubEnv("IDEM_DATA", folder);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await store.close();
  await rm(folder, { recursive: true });
});

const record = async (seconds: number, change: Parameters<typeof aTransaction>[1]) => {
  const call = aTransaction(tenant.id, { at: at(seconds), result: { facial: 3, liveness: 3 }, ...change });
  await store.recordTransaction(call, [], { evidence: [] });
  return call;
};

/** An operation that expires. */
const expire = async (seconds: number): Promise<string> => {
  const name = `customer-12345678-9-${seconds}`;
  const call = aTransaction(tenant.id, { at: at(0), endpoint: "detokenize" });
  await store.recordTransaction(call, [], { evidence: [], operation: anOperationStep(name) });
  const operation = await store.findOperation({ tenantId: tenant.id, environment: "test" }, name);
  const transactionId = randomUUID();
  const { opening: _, ...step } = anOperationStep(name, {
    transactionId,
    at: at(seconds),
    endpoint: "expiry",
    events: [],
    ending: { state: "EXPIRED", reason: "NO_FURTHER_CALL" },
  });
  expect(await store.expireOperation(operation!, { evidence: [], operation: step })).toBe(true);
  return transactionId;
};

describe("idem export", () => {
  it("writes the decisions of a time in order, calls and expiries, in both formats", async () => {
    const live = await record(2, { environment: "live" });
    const expired = await expire(3);
    const document = await record(4, {
      endpoint: "documentValidation",
      result: { scanReference: tenant.id, attempt: 1, code: 9102, reasonCode: 614, others: [602] },
    });
    await record(5, { endpoint: "detokenize", result: { opened: live.id } });
    await record(-1, {});
    await record(86_400, {});

    expect(await exportDecisions.run([...range, "--format", "csv", "--out", out])).toBe(0);
    expect(await readFile(out, "utf8")).toBe(
      [
        "at,environment,kind,transactionId,subject,attempt,decision,code,reasons,facial,liveness,fields,policyVersion",
        `2026-11-01T00:00:02.000Z,live,identity,${live.id},,,approved,,,Positive,Live,,2026-11`,
        `2026-11-01T00:00:03.000Z,test,expiry,${expired},,,EXPIRED,,NO_FURTHER_CALL,,,,`,
        `2026-11-01T00:00:04.000Z,test,documentValidation,${document.id},${tenant.id},1,Declined,9102,614 602,,,,2026-11`,
        "",
      ].join("\n"),
    );
    expect((await stat(out)).mode & 0o777).toBe(0o600);

    await exportDecisions.run([...range, "--format", "jsonl", "--environment", "test", "--out", out]);
    const lines = (await readFile(out, "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { kind: "expiry", transactionId: expired, code: null, reasons: ["NO_FURTHER_CALL"] },
      { kind: "documentValidation", code: 9102, reasons: [614, 602], subject: tenant.id, attempt: 1 },
    ]);
    expect(await readdir(folder)).not.toContainEqual(expect.stringContaining(".part"));
  });

  it("gives the same file for the same time, over several pages", async () => {
    await Promise.all(Array.from({ length: 1203 }, (_, n) => record(n % 7, {})));
    await Promise.all(Array.from({ length: 5 }, (_, n) => expire(n)));
    const second = join(folder, "second");
    for (const file of [out, second]) {
      await exportDecisions.run([...range, "--format", "jsonl", "--out", file]);
    }
    const text = await readFile(out, "utf8");
    const places = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .map(({ at: time, transactionId }) => `${time} ${transactionId}`);
    expect(new Set(places).size).toBe(1208);
    expect(places).toEqual(places.toSorted());
    expect(await readFile(second, "utf8")).toBe(text);
  });

  it("holds no id of an operation, no key, no token and no application", async () => {
    const call = await record(1, { result: { facial: 3, app: "Branch of Zoë Quill" } });
    await expire(2);
    await exportDecisions.run([...range, "--format", "jsonl", "--out", out]);
    const text = await readFile(out, "utf8");
    for (const hidden of ["customer-12345678", call.keyId, call.tokenHashes[0]!, "Quill"]) {
      expect(text).not.toContain(hidden);
    }
  });

  it.each([
    [["--format", "csv"], "Name the first day: --since"],
    [["--since", "2026-02-30", "--format", "csv"], '--since is "2026-02-30"'],
    [["--since", "2026-11-01T08:00", "--format", "csv"], '--since is "2026-11-01T08:00"'],
    [["--since", "2026-11-02", "--until", "2026-11-02", "--format", "csv"], "which is not after --since"],
    [range, "Name the format: --format csv or --format jsonl"],
    [[...range, "--format", "jsnl"], '--format is "jsnl", not one of: csv, jsonl. Did you mean jsonl?'],
    [[...range, "--format", "csv", "--environment", "prod"], '--environment is "prod"'],
  ])("refuses %j with the value before it opens anything", async (args, message) => {
    const refusal = exportDecisions.run([...args, "--out", out]);
    await expect(refusal).rejects.toThrow(UsageError);
    await expect(refusal).rejects.toThrow(message);
  });

  it("names the tenants where it does not know the wanted one, and a directory without a store", async () => {
    const wish = [...range, "--format", "csv"];
    await expect(exportDecisions.run([...wish, "--tenant", "Caja"])).rejects.toThrow(
      'There is no tenant "Caja". Did you mean Caja Ñandú? Tenants: "Caja Ñandú".',
    );
    vi.stubEnv("IDEM_DATA", join(folder, "none"));
    await expect(exportDecisions.run(wish)).rejects.toThrow("is IDEM_DATA right?");
  });
});
