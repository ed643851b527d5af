import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Store } from "#app/store";
import { bodiesRemoved } from "#record/transactions/evidence";
import { knownHeadOf } from "#record/transactions/read-chain";
import { verifyEvidence } from "#record/transactions/verify-evidence";
import { openStoreHere } from "#support/app/store-here";
import { aTransaction } from "#support/storage/suite";
import { openEvidenceFile } from "./source.ts";
import { writeExport } from "./write-export.ts";

const tenant = { id: randomUUID(), name: "Caja Ñandú", createdAt: new Date() };
let folder: string;
let out: string;
let store: Store;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-export-"));
  out = join(folder, "chain.jsonl");
  store = await openStoreHere({ path: join(folder, "idem.sqlite") });
  await store.createTenant(tenant);
  for (let n = 0; n < 6; n++) {
    const evidence = [{ id: randomUUID(), kind: "k", at: new Date(1000 + n), body: { n } }];
    await store.recordTransaction(aTransaction(tenant.id), [], { evidence });
  }
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** Removes the bodies of entries 1 to 3, as the tidying does. */
const tidy = () => store.removeBodies(tenant.id, new Date(1003), { id: randomUUID(), at: new Date() });

const verifyFile = async () => {
  const { head, ...source } = await openEvidenceFile(out);
  const known = [knownHeadOf(head, "the head of the file")];
  return await verifyEvidence({ ...source, heads: known }, () => ({ refusal: "none" }));
};

it("holds the whole chain under a head that names its end", async () => {
  const head = await writeExport(store, tenant, 0, out);
  const [line = ""] = (await readFile(out, "utf8")).split("\n");
  expect(JSON.parse(line)).toStrictEqual(head);
  expect(head).toMatchObject({ since: 0, lastSeq: 6, tenant: tenant.name });
  expect(await verifyFile()).toMatchObject({ entries: 6, faultCount: 0, headHash: head.headHash });
  expect(await readdir(folder)).not.toContainEqual(expect.stringContaining(".part"));
});

it("is whole if bodies are removed before or while the entries are read", async () => {
  let removed = 0;
  const listLinks: Store["listLinks"] = async (...args) => {
    removed += await tidy();
    const page = await store.listLinks(...args);
    return page.slice(0, 2);
  };
  await writeExport({ ...store, listLinks }, tenant, 0, out);
  expect(removed).toBe(3);
  expect(await readFile(out, "utf8")).toContain(bodiesRemoved);
  expect(await verifyFile()).toMatchObject({ entries: 7, bodiesRemoved: 3, faultCount: 0 });
});

it("begins after an entry of the chain, and after no other", async () => {
  expect(await writeExport(store, tenant, 6, out)).toMatchObject({ since: 6, lastSeq: 6 });
  expect(await verifyFile()).toMatchObject({ entries: 0, faultCount: 0 });
  await expect(writeExport(store, tenant, 7, out)).rejects.toThrow("ends at entry 6");
});
