import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSqliteStore, type Store } from "#app/store";
import type { HeadLine } from "#record/transactions/evidence-file";
import { appendHeads } from "#record/transactions/head-file";
import type { ChainHead } from "#record/transactions/store/evidence-store";
import { aTransaction } from "#support/storage/suite";
import { runIdem } from "./harness/run-idem.ts";

const tenants = ["Caja Uno", "Caja Dos"].map((name, at) => ({
  id: randomUUID(),
  name,
  createdAt: new Date(Date.now() + at),
}));
let folder: string;
let file: string;
let store: Store;

const write = async (tenantId: string, count: number): Promise<void> => {
  for (let n = 0; n < count; n++) {
    const evidence = [{ id: randomUUID(), kind: "document_decided", at: new Date(), body: { n } }];
    await store.recordTransaction(aTransaction(tenantId), [], { evidence });
  }
};
const idem = (...args: readonly string[]) => runIdem(["evidence", ...args], { IDEM_DATA: folder });
const headOf = ({ tenantId, seq, hash }: ChainHead): HeadLine => ({
  type: "head",
  format: 1,
  tenantId,
  lastSeq: seq,
  headHash: hash,
  at: Date.now(),
});
/** Changes the file as somebody with the disk can. */
const tamper = (...statements: readonly string[]): void => {
  const sqlite = new Database(file);
  sqlite.exec("drop trigger if exists evidence_no_update; drop trigger if exists evidence_no_delete");
  statements.forEach((statement) => sqlite.exec(statement));
  sqlite.close();
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-evidence-"));
  file = join(folder, "idem.sqlite");
  store = await openSqliteStore({ path: file });
  for (const tenant of tenants) await store.createTenant(tenant);
  await write(tenants[0]!.id, 6);
  await write(tenants[1]!.id, 2);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** Each test starts up to a dozen commands. */
const patient = { timeout: 300_000 };

it(
  "verifies every chain beside a service, and names tenant and entry of what was changed",
  patient,
  async () => {
    const whole = await idem("verify");
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringMatching(/Caja Uno +6 +6 .* whole/) });
    expect(whole.stdout).toMatch(/Caja Dos +2 +2 .* whole/);
    tamper(`update evidence set kind = 'x' where seq = 3 and tenant_id = '${tenants[0]!.id}'`);
    const changed = await idem("verify");
    expect(changed).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("Caja Uno, entry 3, id or kind:"),
    });
    expect(changed.stdout).toMatch(/Caja Dos .* whole/);
    const { code, stdout } = await idem("verify", "--tenant", "Caja Uno", "--json");
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      {
        isWhole: false,
        faultCount: 1,
        tenants: [{ tenant: "Caja Uno", faults: [{ seq: 3, field: "id or kind" }] }],
      },
    ]);
  },
);

it(
  "exports a chain that is verified without a store, and shows with it that the end was cut",
  patient,
  async () => {
    const [one] = tenants;
    const [out, part, copy] = ["all.jsonl", "part.jsonl", "copy.jsonl"].map((name) => join(folder, name));
    expect(await idem("export", "--tenant", "Caja Uno", "--out", out!)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^6 entries, the last is 6, head [0-9a-f]{64}, written to .*all\.jsonl\n$/,
      ),
    });
    expect((await stat(out!)).mode & 0o777).toBe(0o600);
    const offline = (path: string) => runIdem(["evidence", "verify", "--file", path, "--json"]);
    expect(await offline(out!)).toMatchObject({ code: 0, stdout: expect.stringContaining('"isWhole":true') });
    const lines = (await readFile(out!, "utf8")).trimEnd().split("\n");
    expect(lines).toHaveLength(7);

    for (const [change, place] of [
      [lines.slice(0, -1), 5],
      [[...lines.slice(0, 3), ...lines.slice(4)], 3],
      [[...lines.slice(0, 3), lines[4]!, lines[3]!, ...lines.slice(5)], 3],
      [lines.map((line, n) => (n === 4 ? line.replace('{\\"n\\":3}', '{\\"n\\":4}') : line)), 4],
    ] as const) {
      await writeFile(copy!, change.join("\n"));
      const found = await offline(copy!);
      expect(found.code).toBe(1);
      expect(JSON.parse(found.stdout).tenants[0].faults[0]).toMatchObject({ seq: place });
    }
    await writeFile(copy!, lines.slice(1).join("\n"));
    expect(await offline(copy!)).toMatchObject({ code: 1, stderr: expect.stringContaining("line 1") });

    const json = await idem("export", "--tenant", "Caja Uno", "--since", "4", "--out", part!, "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ entries: 2, lastSeq: 6, file: part });
    expect(await offline(part!)).toMatchObject({ code: 0, stdout: expect.stringContaining('"entries":2') });
    expect(await idem("export", "--tenant", "Caja Uno", "--since", "7", "--out", part!)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("ends at entry 6"),
    });

    tamper(
      `delete from evidence_bodies where seq > 4 and tenant_id = '${one!.id}'`,
      `delete from evidence where seq > 4 and tenant_id = '${one!.id}'`,
    );
    expect(await idem("verify")).toMatchObject({ code: 0 });
    expect(await idem("verify", "--against", out!)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("the chain ends at entry 4"),
    });
  },
);

it("finds a cut end, and a removed tenant, by the heads in the data directory", patient, async () => {
  const [, two] = tenants;
  const heads = await store.listChainHeads();
  await appendHeads(join(folder, "evidence-heads.jsonl"), heads.map(headOf));
  expect(await idem("verify")).toMatchObject({ code: 0 });
  await copyFile(file, `${file}.copy`);
  tamper(
    "pragma foreign_keys = off",
    `delete from evidence_bodies where tenant_id = '${two!.id}' or seq = 6`,
    `delete from evidence where tenant_id = '${two!.id}' or seq = 6`,
    `delete from transactions where tenant_id = '${two!.id}'`,
    `delete from tenants where id = '${two!.id}'`,
  );
  const { code, stdout } = await idem("verify");
  expect(code).toBe(1);
  expect(stdout).toContain("Caja Uno, entry 5, head: the chain ends at entry 5");
  expect(stdout).toContain(`${two!.id}, entry 0, head: the chain ends at entry 0`);
});

it("refuses wrong arguments and places in one sentence, and creates nothing", patient, async () => {
  const empty = join(folder, "empty");
  expect(await runIdem(["evidence", "verify"], { IDEM_DATA: empty })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Nothing is stored"),
  });
  await expect(stat(empty)).rejects.toThrow("ENOENT");
  expect(await idem("export", "--tenant", "Caja Uno")).toMatchObject({ code: 2 });
  expect(await idem("verify", "--file", "x", "--tenant", "y")).toMatchObject({ code: 2 });
  expect(await idem("verify", "--file", join(folder, "none"))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cannot be read (ENOENT)"),
  });
  const heads = join(folder, "heads.jsonl");
  await appendHeads(heads, [headOf((await store.listChainHeads())[0]!)]);
  const [held, other] = [
    tenants.find(({ id }) => readFileSync(heads, "utf8").includes(id))!.name,
    tenants.find(({ id }) => !readFileSync(heads, "utf8").includes(id))!.name,
  ];
  const compared = await idem("verify", "--tenant", held, "--against", heads, "--json");
  expect([compared.code, JSON.parse(compared.stdout).tenants[0].headsCompared]).toStrictEqual([0, 1]);
  expect(await idem("verify", "--tenant", other, "--against", heads)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`holds no head of "${other}"`),
  });
  const out = join(folder, "part.jsonl");
  await idem("export", "--tenant", held, "--since", "1", "--out", out);
  await writeFile(heads, JSON.stringify({ ...JSON.parse(await readFile(heads, "utf8")), lastSeq: 0 }));
  expect(await idem("verify", "--file", out, "--against", heads)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`holds no head of "${held}" from entry 1 on`),
  });
  expect(await idem("verify", "--tenant", "Caja Tres")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"Caja Uno", "Caja Dos"'),
  });
});
