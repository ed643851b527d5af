import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTokenKeyStore } from "./key-store.ts";
import { publishKeys } from "./keys.ts";
import { makeMasterSealer } from "./master-sealer.ts";

const now = new Date("2026-11-21T12:00:00Z");
const sealer = makeMasterSealer(Buffer.alloc(32, 1));
let directory = "";

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "idem-token-keys-"));
});
afterEach(() => rm(directory, { recursive: true }));

describe("the token key store", () => {
  it("makes a pair once and finds it again", async () => {
    const first = await makeTokenKeyStore(directory, sealer).loadOrCreate(now);
    const second = await makeTokenKeyStore(directory, sealer).loadOrCreate(new Date());
    expect(second).toEqual(first);
  });

  it("gives both of two processes that start together the same pair, and leaves no other file", async () => {
    const loads = Array.from({ length: 8 }, () => makeTokenKeyStore(directory, sealer).loadOrCreate(now));
    const kids = new Set((await Promise.all(loads)).map((keys) => keys.current.kid));
    expect(kids.size).toBe(1);
    expect(await readdir(directory)).toEqual(["token-keys.sealed"]);
  });

  it("writes nothing in the open, for its owner only", async () => {
    const keys = await makeTokenKeyStore(directory, sealer).loadOrCreate(now);
    const file = join(directory, "token-keys.sealed");
    expect((await readFile(file)).includes(keys.current.d)).toBe(false);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("keeps the pair before the current one after a rotation", async () => {
    const store = makeTokenKeyStore(directory, sealer);
    const before = await store.loadOrCreate(now);
    const after = await store.rotate(now);
    expect(after.previous).toEqual(before.current);
    expect(await store.loadOrCreate(now)).toEqual(after);
  });

  it("keeps every pair before that too, for templates", async () => {
    const store = makeTokenKeyStore(directory, sealer);
    const first = await store.loadOrCreate(now);
    const second = await store.rotate(now);
    await store.rotate(now);
    const last = await store.rotate(now);
    expect(last.former).toEqual([second.current, first.current]);
    expect(await store.loadOrCreate(now)).toEqual(last);
    expect(publishKeys(last).keys.map(({ kid }) => kid)).toEqual([last.current.kid, last.previous?.kid]);
  });

  it("refuses a file that it did not write, and leaves it as it is", async () => {
    const file = join(directory, "token-keys.sealed");
    await writeFile(file, await sealer.seal(Buffer.from('{"current":{}}')));
    await expect(makeTokenKeyStore(directory, sealer).loadOrCreate(now)).rejects.toThrow(
      "not of this version",
    );
    await expect(readFile(file)).resolves.toBeDefined();
  });

  it("follows a rotation of the master key, after which the former master is not needed", async () => {
    const former = Buffer.alloc(32, 1);
    const next = Buffer.alloc(32, 2);
    const keys = await makeTokenKeyStore(directory, sealer).loadOrCreate(now);
    expect(await makeTokenKeyStore(directory, makeMasterSealer(next, former)).loadOrCreate(now)).toEqual(
      keys,
    );
    expect(await makeTokenKeyStore(directory, makeMasterSealer(next)).loadOrCreate(now)).toEqual(keys);
    const foreign = makeTokenKeyStore(directory, makeMasterSealer(Buffer.alloc(32, 3)));
    await expect(foreign.loadOrCreate(now)).rejects.toThrow("another master key");
  });
});
