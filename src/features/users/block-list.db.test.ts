import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makePackFace } from "#app/search-bench";
import { openSqliteStore, type Store } from "#app/store";
import { makeDrawFace } from "#evaluation/faces/synthetic-faces";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { type BlockList, makeBlockList } from "./block-list.ts";
import { makeTemplateVault } from "./template-vault.ts";

const draw = makeDrawFace(5);
const pack = makePackFace();
const master = masterKeyOf(new Uint8Array(randomBytes(32)));

/** The block list of one process: with its own connection and its own keys in memory. */
const openBlockList = (store: Store): BlockList => {
  const clock = () => new Date();
  const keyring = makeKeyring({ store, masters: [master], now: clock });
  const vault = makeTemplateVault(keyring, randomUUID);
  return makeBlockList({ store, keyring, vault, clock, newId: randomUUID });
};

let folder: string;
let stores: Store[];
let lists: BlockList[];
const tenantId = randomUUID();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-block-"));
  stores = await Promise.all([1, 2].map(() => openSqliteStore({ path: join(folder, "idem.sqlite") })));
  await stores[0]!.createTenant({ id: tenantId, name: "Bank", createdAt: new Date() });
  lists = stores.map(openBlockList);
});
afterEach(async () => {
  await Promise.all(stores.map(({ close }) => close()));
  await rm(folder, { recursive: true });
});

const inBoth = (template: Uint8Array) =>
  (["live", "test"] as const).map((environment) => ({ environment, template }));

it("has one entry for each environment although two processes block one face at once", async () => {
  const template = pack(draw(2));
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => lists[n % 2]!.block(tenantId, inBoth(template), `case ${n}`)),
  );
  expect(
    answers.map((entries) => entries.map(({ isNew }) => isNew)).sort((a, b) => Number(a[0]) - Number(b[0])),
  ).toEqual([...Array.from({ length: 5 }, () => [false, false]), [true, true]]);
  const entries = await Array.fromAsync(lists[0]!.list(tenantId));
  expect(entries.map(({ environment }) => environment).sort()).toEqual(["live", "test"]);
  expect(new Set(answers.flatMap((found) => found.map(({ id }) => id))).size).toBe(2);
  const evidence = await stores[0]!.listEvidence(tenantId, 0);
  expect(evidence.map(({ kind }) => kind)).toEqual(["face_blocked", "face_blocked"]);
});

it("has an entry for each of several faces that are blocked at once", async () => {
  const templates = [4, 6, 8, 10].map((n) => pack(draw(n)));
  const blocked = await Promise.all(
    templates.map((template, n) => lists[n % 2]!.block(tenantId, inBoth(template), "")),
  );
  expect(blocked.flat().every(({ isNew }) => isNew)).toBe(true);
  expect(await Array.fromAsync(lists[1]!.list(tenantId))).toHaveLength(8);
});
