import { describe, expect, it } from "vitest";
import { canonicalJson } from "#contract/canonical-json";
import { chainStart, hashBody, hashFormerLink, hashLink } from "./evidence.ts";
import type { StoredLink } from "./store/evidence-store.ts";
import { faultsMax, type KnownHead, makeChainVerifier } from "./verify-chain.ts";

const tenantId = "t";
const salt = "0f".repeat(16);

type Entry = { readonly kind?: string; readonly body?: object; readonly isFormer?: boolean };

/** A chain as the store writes it. */
const chainOf = (entries: readonly Entry[], from = 1, start = chainStart): StoredLink[] => {
  let prevHash = start;
  return entries.map(({ kind = "k", body = { n: 1 }, isFormer = false }, index) => {
    const place = { tenantId, seq: from + index, id: `id-${from + index}`, kind, at: 1000 + index, prevHash };
    const text = canonicalJson({ ...body });
    const bodyHash = hashBody(salt, text);
    const hash = isFormer
      ? hashFormerLink({ ...place, body: { ...body } })
      : hashLink({ ...place, bodyHash });
    prevHash = hash;
    return {
      ...place,
      hash,
      ...(!isFormer && { bodyHash }),
      body: { at: place.at, salt: isFormer ? "" : salt, text },
    };
  });
};

const verify = (links: readonly StoredLink[], heads: readonly KnownHead[] = []) => {
  const verifier = makeChainVerifier(heads);
  links.forEach(verifier.take);
  return verifier.end();
};
const placesOf = (links: readonly StoredLink[], heads: readonly KnownHead[] = []) =>
  verify(links, heads).faults.map(({ seq, field }) => [seq, field]);
const headOf = ({ seq, hash }: StoredLink): KnownHead => ({ seq, hash, at: 0, source: "an anchor" });

const five = chainOf(Array.from({ length: 5 }, () => ({})));
const change = (seq: number, changes: Partial<StoredLink>): StoredLink[] =>
  five.map((link) => (link.seq === seq ? { ...link, ...changes } : link));
const other = "ab".repeat(32);
const [, , third] = five;
const withoutBody = (link: StoredLink): StoredLink => {
  const copy = { ...link };
  Reflect.deleteProperty(copy, "body");
  return copy;
};

describe("a chain as it was written", () => {
  it("has no fault, and ends at its head", () => {
    expect(verify(five, five.map(headOf))).toStrictEqual({
      entries: 5,
      lastSeq: 5,
      headHash: five[4]!.hash,
      bodiesRemoved: 0,
      placeOnly: 0,
      faults: [],
      faultCount: 0,
    });
  });

  it("may be empty", () => {
    expect(verify([])).toMatchObject({ entries: 0, lastSeq: 0, headHash: chainStart, faultCount: 0 });
  });

  it("may begin with entries of an earlier release", () => {
    const mixed = chainOf([{ isFormer: true }, { isFormer: true }, {}]);
    expect(verify(mixed)).toMatchObject({ entries: 3, placeOnly: 0, faultCount: 0 });
  });

  it("may be checked from a known end on", () => {
    const verifier = makeChainVerifier([], { seq: 2, hash: five[1]!.hash });
    five.slice(2).forEach(verifier.take);
    expect(verifier.end()).toMatchObject({ entries: 3, lastSeq: 5, faultCount: 0 });
  });
});

describe("an edit of one field is found, and named", () => {
  const body = third!.body!;
  it.each<[string, Partial<StoredLink>, string]>([
    ["id", { id: "x" }, "id or kind"],
    ["kind", { kind: "x" }, "id or kind"],
    ["tenant", { tenantId: "x" }, "id or kind"],
    ["time", { at: 1 }, "time"],
    ["body hash", { bodyHash: other }, "body hash"],
    ["previous hash", { prevHash: other }, "previous hash"],
    ["hash", { hash: other }, "hash"],
    ["body", { body: { ...body, text: '{"n":2}' } }, "body"],
    ["spaces of the body", { body: { ...body, text: '{"n": 1}' } }, "body"],
    ["a body that is no JSON", { body: { ...body, text: "{" } }, "body"],
    ["salt", { body: { ...body, salt: "00".repeat(16) } }, "body"],
    ["time of the body", { body: { ...body, at: 1 } }, "body"],
  ])("%s", (_, changes, field) => {
    expect(placesOf(change(3, changes))).toStrictEqual([[3, field]]);
  });

  it.each<[string, Partial<StoredLink>]>([
    ["id", { id: "x" }],
    ["time", { at: 1 }],
    ["previous hash", { prevHash: other }],
    ["hash", { hash: other }],
  ])("%s of the first and of the last entry", (_, changes) => {
    expect(placesOf(change(1, changes)).map(([seq]) => seq)).toStrictEqual([1]);
    expect(placesOf(change(5, changes)).map(([seq]) => seq)).toStrictEqual([5]);
  });

  it("hash of the last entry, by a head that was kept", () => {
    expect(placesOf(change(5, { hash: other }), [headOf(five[4]!)])).toStrictEqual([
      [5, "head"],
      [5, "hash"],
    ]);
  });

  it("of an entry of an earlier release", () => {
    const former = chainOf([{ isFormer: true }, { isFormer: true }, {}]);
    const edited = (changes: Partial<StoredLink>) =>
      placesOf(former.map((link) => (link.seq === 2 ? { ...link, ...changes } : link)));
    const text = '{"n":2}';
    expect(edited({ body: { ...former[1]!.body!, text } })).toStrictEqual([[2, "body"]]);
    expect(edited({ body: { ...former[1]!.body!, text: "{" } }).map(([seq]) => seq)).toContain(2);
    expect(edited({ kind: "x" })).toStrictEqual([[2, "body"]]);
    expect(edited({ at: 1 })).toStrictEqual([[2, "time"]]);
    expect(edited({ hash: other })).toStrictEqual([[2, "hash"]]);
    expect(edited({ prevHash: other })).toStrictEqual([[2, "previous hash"]]);
  });

  it("a body of an earlier release that is nested too deep to be hashed", () => {
    const former = chainOf([{ isFormer: true }, {}]);
    const text = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const deep = former.map((link) => (link.seq === 1 ? { ...link, body: { ...link.body!, text } } : link));
    expect(placesOf(deep).map(([seq]) => seq)).toContain(1);
  });

  it("a body hash that was taken away, so that the entry looks like one of an earlier release", () => {
    const { bodyHash: _, ...former } = third!;
    expect(placesOf(five.map((link) => (link.seq === 3 ? former : link)))).toStrictEqual([[3, "body hash"]]);
  });

  it("also where the editor computed the hash of the entry anew", () => {
    const edited = { ...third!, kind: "x" };
    const { bodyHash = "" } = edited;
    const hash = hashLink({ ...edited, bodyHash });
    expect(placesOf(change(3, { kind: "x", hash }))).toStrictEqual([[3, "entry"]]);
  });

  it("a time that no calendar has", () => {
    expect(placesOf(change(3, { at: 1e17 }))).toStrictEqual([[3, "time"]]);
    expect(placesOf(five, [{ ...headOf(third!), hash: other, at: 1e17 }])).toStrictEqual([[3, "head"]]);
  });
});

describe("missing and moved entries are found, and named", () => {
  it.each([1, 2, 3, 4])("entry %i is missing", (seq) => {
    expect(placesOf(five.filter((link) => link.seq !== seq))).toStrictEqual([[seq, "seq"]]);
  });

  it("several entries are missing", () => {
    const { faults } = verify(five.filter(({ seq }) => seq === 1 || seq === 5));
    expect(faults).toStrictEqual([{ seq: 2, field: "seq", finding: "entries 2 to 4 are missing" }]);
  });

  it.each([1, 2, 3, 4, 5])("the last %i entries are missing below a known head", (n) => {
    expect(placesOf(five.slice(0, -n), [headOf(five[4]!)])).toStrictEqual([[5 - n, "head"]]);
  });

  it("cannot show a cut end without a head that was kept outside", () => {
    expect(verify(five.slice(0, 3)).faultCount).toBe(0);
  });

  it("two entries stand in another order", () => {
    const [a, b, c, d, e] = five;
    const { faults } = verify([a!, c!, b!, d!, e!]);
    expect(faults.map(({ finding }) => finding)).toContain(
      "entry 2 stands after entry 3: reordered or doubled",
    );
  });

  it("two entries changed their places", () => {
    const swapped = five.map((link) =>
      link.seq === 2 ? { ...five[3]!, seq: 2 } : link.seq === 4 ? { ...five[1]!, seq: 4 } : link,
    );
    const places = new Set(placesOf(swapped).map(([seq]) => seq));
    expect([...places]).toStrictEqual(expect.arrayContaining([2, 4]));
  });

  it("an entry stands twice", () => {
    expect(placesOf([five[0]!, five[1]!, five[1]!, ...five.slice(2)])).toStrictEqual([[2, "seq"]]);
  });

  it("the whole chain was replaced by another sound one", () => {
    const forged = chainOf(Array.from({ length: 5 }, () => ({ kind: "forged" })));
    expect(verify(forged).faultCount).toBe(0);
    expect(placesOf(forged, [headOf(third!)])).toStrictEqual([[3, "head"]]);
  });

  it("the end was replaced from a place on", () => {
    const forged = chainOf([{ kind: "x" }, { kind: "y" }], 4, third!.hash);
    expect(placesOf([...five.slice(0, 3), ...forged], [headOf(five[4]!)])).toStrictEqual([[5, "head"]]);
  });

  it("counts all faults and names the first hundred", () => {
    const many = chainOf(Array.from({ length: 150 }, () => ({}))).map((link) => ({ ...link, kind: "x" }));
    const { faults, faultCount } = verify(many);
    expect([faults.length, faultCount]).toStrictEqual([faultsMax, 150]);
  });
});

describe("removed bodies", () => {
  const removal = (body: object): Entry => ({ kind: "evidence_bodies_removed", body });

  it("leave the chain sound where a later entry records the removal", () => {
    const chain = chainOf([{}, {}, {}, removal({ from: 1, through: 2, count: 2 })]);
    const without = chain.map((link) => (link.seq < 3 ? withoutBody(link) : link));
    expect(verify(without)).toMatchObject({ bodiesRemoved: 2, faultCount: 0 });
  });

  it("are a fault where no entry records the removal, or an entry before it", () => {
    const chain = chainOf([{}, removal({ from: 1, through: 9 }), {}, {}]);
    const without = chain.map((link) => (link.seq === 2 ? link : withoutBody(link)));
    const { faults, bodiesRemoved } = verify(without);
    expect(bodiesRemoved).toBe(1);
    expect(faults).toStrictEqual([
      { seq: 3, field: "body", finding: "the bodies 3 to 4 are missing, and no entry records the removal" },
    ]);
  });

  it.each([{ from: 2, through: 3 }, { from: "1", through: 4 }, {}, [1, 4], null])(
    "are explained by the positions alone: %j",
    (body) => {
      const chain = chainOf([{}, {}, {}, {}, removal(body ?? {})]);
      const { faults } = verify(chain.map((link) => (link.seq < 5 ? withoutBody(link) : link)));
      expect(faults.map(({ seq }) => seq)).toStrictEqual(
        body !== null && "from" in body && body.from === 2 ? [1, 4] : [1],
      );
    },
  );

  it("of a receipt are a fault: receipts stay", () => {
    const chain = chainOf([{ kind: "data_key_destroyed" }, removal({ from: 1, through: 1 })]);
    expect(placesOf(chain.map((link) => (link.seq === 1 ? withoutBody(link) : link)))).toStrictEqual([
      [1, "body"],
    ]);
  });

  it("of an earlier release leave the place alone to be checked", () => {
    const chain = chainOf([{ isFormer: true }, {}, removal({ from: 1, through: 1 })]);
    const without = chain.map((link) => (link.seq === 1 ? withoutBody(link) : link));
    expect(verify(without)).toMatchObject({ placeOnly: 1, bodiesRemoved: 1, faultCount: 0 });
    const moved = without.map((link) => (link.seq === 1 ? { ...link, hash: other } : link));
    expect(placesOf(moved).map(([seq]) => seq)).not.toStrictEqual([]);
  });
});
