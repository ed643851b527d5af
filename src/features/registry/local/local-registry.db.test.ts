import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eraseTenant } from "#app/storage";
import { type LocalHarness, openLocalHarness } from "#support/registry/local-harness";
import { aQuestion, describeRegistry, knownPersons } from "#support/registry/registry-suite";
import type { LocalSettings } from "../settings/settings.ts";
import type { RegistryOwner } from "../store/registry-person.ts";
import { type ImportDeps, importPersons, type ListedPerson } from "./import-persons.ts";
import { makeLocalRegistry } from "./local-registry.ts";
import { makePersonKeys } from "./person-keys.ts";
import type { PersonFault, RefusedRow } from "./read-person.ts";

const settings: LocalSettings = { connector: "local", legalBasis: "Law 81" };
const place = { environment: "test", country: "ECU" } as const;
const { signal } = new AbortController();

async function* listed(...rows: readonly object[]): AsyncGenerator<ListedPerson> {
  for (const [at, row] of rows.entries()) yield { line: at + 2, cells: { ...row } };
}

type Import = { readonly photos?: Readonly<Record<string, Uint8Array>>; readonly owner?: RegistryOwner };

const importInto = async (
  harness: LocalHarness,
  rows: AsyncIterable<ListedPerson>,
  { photos = {}, owner = harness.owner }: Import = {},
) => {
  const refused: (readonly [number, RefusedRow])[] = [];
  const replaced: (readonly [number, number])[] = [];
  let prepared = 0;
  const deps: ImportDeps = {
    store: harness.store,
    keys: harness.keys,
    readNumber: (text) => (/^\d{10}$/.test(text) ? text : undefined),
    readPhoto: (name) => Promise.resolve<Uint8Array | PersonFault>(photos[name] ?? "photo-missing"),
    preparePhoto: (bytes) => {
      prepared++;
      return Promise.resolve(bytes);
    },
    width: 3,
    clock: () => new Date(),
    onRefused: (line, one) => refused.push([line, one]),
    onReplaced: (line, byLine) => replaced.push([line, byLine]),
    onProgress: () => undefined,
  };
  return { counts: await importPersons(rows, owner, deps), refused, replaced, prepared: () => prepared };
};

const rowOf = (number: keyof typeof knownPersons): object => ({
  ...knownPersons[number].fields,
  ...("photo" in knownPersons[number] && { photo: `${number}.jpg` }),
});
const photos = { "1710034065.jpg": knownPersons["1710034065"].photo };

describeRegistry("local", async () => {
  const harness = await openLocalHarness();
  await importInto(harness, listed(rowOf("1710034065"), rowOf("0926687856")), { photos });
  const { store, keys, owner, run } = harness;
  const hash = await keys.hashOf(owner, "1710034065");
  const row = await store.findRegistryPerson(owner, hash);
  const write = (sealed: Uint8Array): void =>
    run("update registry_persons set sealed = ? where hash = ?", sealed, hash);
  return {
    registry: makeLocalRegistry(settings, place, { store, keys }),
    tenantId: owner.tenantId,
    breakDown: () =>
      Promise.resolve(
        write(row?.sealed.map((byte, at) => (at === 50 ? byte ^ 1 : byte)) ?? new Uint8Array()),
      ),
    repair: () => Promise.resolve(write(row?.sealed ?? new Uint8Array())),
    codes: ["stored_damaged"],
    close: harness.close,
  };
});

describe("the local registry", () => {
  let harness: LocalHarness;
  let owner: RegistryOwner;
  beforeAll(async () => {
    harness = await openLocalHarness();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    owner = await harness.newOwner();
  });
  const ask = (number: string, of = owner) =>
    makeLocalRegistry(settings, place, harness).ask(aQuestion(number, of.tenantId), signal);
  const put = (rows: AsyncIterable<ListedPerson>, change: Import = {}) =>
    importInto(harness, rows, { owner, photos, ...change });

  it("does not call a person unknown before an import", async () => {
    await expect(ask("1710034065")).rejects.toMatchObject({ code: "upstream_failed" });
    await put(listed(rowOf("0926687856")));
    expect(await ask("1710034065")).toEqual({ kind: "unknown" });
    await expect(ask("1710034065", await harness.newOwner())).rejects.toMatchObject({
      code: "upstream_failed",
    });
  });

  it("holds no number, name or photo in the clear", async () => {
    await put(listed(rowOf("1710034065")));
    const files = readdirSync(harness.folder).map((name) => readFileSync(join(harness.folder, name)));
    const stored = Buffer.concat(files);
    for (const value of [
      "1710034065",
      "ÑUSTA PRUEBA",
      "CALLE FICTICIA 12",
      knownPersons["1710034065"].photo,
    ]) {
      expect(stored.includes(typeof value === "string" ? value : Buffer.from(value))).toBe(false);
    }
  });

  it("is filled in transactions of some 1 MB, so that no photo waits for the copy of all", async () => {
    const written: number[] = [];
    const store = {
      ...harness.store,
      putRegistryPersons: (...args: Parameters<LocalHarness["store"]["putRegistryPersons"]>) => {
        written.push(args[1].reduce((sum, one) => sum + (one.sealedPhoto?.length ?? 0), 0));
        return harness.store.putRegistryPersons(...args);
      },
    };
    const rows = Array.from({ length: 12 }, (_, at) => ({
      documentNumber: String(1_000_000_000 + at),
      photo: "large.jpg",
    }));
    const bytes = 400_000;
    const large = { "large.jpg": new Uint8Array(bytes) };
    const { counts } = await importInto({ ...harness, store }, listed(...rows), { owner, photos: large });
    expect(counts).toMatchObject({ added: 12, refused: 0 });
    expect(written.length).toBeGreaterThan(1);
    expect(Math.max(...written)).toBeLessThan(1024 * 1024 + 2 * bytes);
    expect(await ask("1000000011")).toMatchObject({ kind: "person" });
    written.length = 0;
    const small = { "large.jpg": new Uint8Array(1_000) };
    const again = await importInto({ ...harness, store }, listed(...rows), { owner, photos: small });
    expect(again.counts).toMatchObject({ changed: 12 });
    expect(written).toHaveLength(1);
  });

  it("opens no person and no photo in the row of another", async () => {
    await put(listed(rowOf("1710034065"), { documentNumber: "0926687856", photo: "1710034065.jpg" }));
    const [one, other] = [
      await harness.keys.hashOf(owner, "1710034065"),
      await harness.keys.hashOf(owner, "0926687856"),
    ];
    harness.run(
      "update registry_photos set sealed = (select sealed from registry_photos where hash = ?) where hash = ?",
      other,
      one,
    );
    await expect(ask("1710034065")).rejects.toMatchObject({ code: "stored_damaged" });
    expect(await ask("0926687856")).toMatchObject({ kind: "person" });
  });

  it("is gone after an erasure, and takes persons again", async () => {
    await put(listed(rowOf("1710034065")));
    await eraseTenant(harness.store, owner.tenantId);
    expect(await harness.store.countRegistryPersons(owner.tenantId)).toEqual([]);
    await expect(ask("1710034065")).rejects.toMatchObject({ code: "upstream_failed" });
    // A key ring forgets a destroyed key within two seconds; a process that starts now has no such memory.
    const keys = makePersonKeys(harness.makeKeyring());
    await importInto({ ...harness, keys }, listed(rowOf("1710034065")), { owner, photos });
    const registry = makeLocalRegistry(settings, place, { store: harness.store, keys });
    expect(await registry.ask(aQuestion("1710034065", owner.tenantId), signal)).toMatchObject({
      kind: "person",
    });
  });

  describe("an import", () => {
    it("goes on where it was interrupted, and decodes no photo again", async () => {
      const rows = Array.from({ length: 600 }, (_, n) => ({
        documentNumber: String(1_000_000_000 + n),
        photo: "p",
      }));
      const [photo, other] = [new Uint8Array([1]), new Uint8Array([2])];
      async function* interrupted(): AsyncGenerator<ListedPerson> {
        for await (const row of listed(...rows)) {
          if (row.line > 400) throw new Error("killed");
          yield row;
        }
      }
      await expect(put(interrupted(), { photos: { p: photo } })).rejects.toThrow("killed");
      const second = await put(listed(...rows), { photos: { p: photo } });
      expect(second.counts).toEqual({ added: 350, changed: 0, unchanged: 250, repeated: 0, refused: 0 });
      expect(second.prepared()).toBe(350);
      const third = await put(listed(...rows), { photos: { p: photo } });
      expect(third.counts).toMatchObject({ added: 0, unchanged: 600 });
      expect(third.prepared()).toBe(0);
      const changed = await put(listed(rows[0]!, { ...rows[1]!, city: "Quito" }), { photos: { p: other } });
      expect(changed.counts).toMatchObject({ changed: 2, unchanged: 0 });
      expect(await ask("1000000000")).toMatchObject({ person: { photo: other } });
      expect(await ask("1000000001")).toMatchObject({ person: { fields: { city: "Quito" } } });
    });

    it("reports each bad row by line and column, and writes the others", async () => {
      const { counts, refused } = await put(
        listed(
          { documentNumber: "1710034065" },
          { documentNumber: "171" },
          { firstName: "ANA" },
          { documentNumber: "0926687856", dateOfBirth: "01/02/1990" },
          { documentNumber: "0926687856", photo: "none.jpg" },
          { documentNumber: "1710034065", city: "Quito" },
        ),
      );
      expect(counts).toEqual({ added: 1, changed: 0, unchanged: 0, repeated: 1, refused: 4 });
      expect(refused).toEqual([
        [3, { fault: "number-wrong", column: "documentNumber" }],
        [4, { fault: "number-missing", column: "documentNumber" }],
        [5, { fault: "date-wrong", column: "dateOfBirth" }],
        [6, { fault: "photo-missing", column: "photo" }],
      ]);
      expect(await ask("1710034065")).toMatchObject({ person: { fields: { city: "Quito" } } });
      expect(await ask("0926687856")).toEqual({ kind: "unknown" });
    });

    it("names the line of a number that comes again with other content, and not of one with the same", async () => {
      const { counts, replaced } = await put(
        listed(
          { documentNumber: "1710034065", city: "Quito" },
          { documentNumber: "0926687856", city: "Loja" },
          { documentNumber: "1710034065", city: "Quito" },
          { documentNumber: "1710034065", city: "Manta" },
        ),
      );
      expect(counts).toEqual({ added: 2, changed: 0, unchanged: 0, repeated: 2, refused: 0 });
      expect(replaced).toEqual([[4, 5]]);
      expect(await ask("1710034065")).toMatchObject({ person: { fields: { city: "Manta" } } });
    });

    it("ends with a failure that is no matter of a row", async () => {
      const failing: ImportDeps["preparePhoto"] = () => Promise.reject(new Error("the disk is gone"));
      const work = importPersons(listed({ documentNumber: "1710034065", photo: "p" }), owner, {
        store: harness.store,
        keys: harness.keys,
        readNumber: (text) => text,
        readPhoto: () => Promise.resolve(new Uint8Array([1])),
        preparePhoto: failing,
        width: 2,
        clock: () => new Date(),
        onRefused: () => undefined,
        onReplaced: () => undefined,
        onProgress: () => undefined,
      });
      await expect(work).rejects.toThrow("the disk is gone");
      expect(await harness.store.countRegistryPersons(owner.tenantId)).toEqual([]);
    });
  });
});
