import { describe, expect, it } from "vitest";
import { judgeRights, type Rows } from "./compare-rights.ts";
import { nothingStated, type Stated, takeEntry } from "./stated-rights.ts";

const noRows: Rows = {
  api_keys: [],
  destinations: [],
  clearing_credentials: [],
  blocked_faces: [],
  listed_documents: [],
};

type Said = { readonly kind: string; readonly at?: number; readonly body?: unknown };

/** What these entries say; an entry without a body lost it by age. */
const statedBy = (...entries: readonly Said[]): Stated => {
  const stated = nothingStated();
  entries.forEach(({ kind, at = 0, body }, index) => {
    takeEntry(stated, {
      tenantId: "t",
      seq: index + 1,
      id: String(index),
      kind,
      at,
      prevHash: "",
      hash: "",
      ...(body !== undefined && { body: { at, salt: "", text: JSON.stringify(body) } }),
    });
  });
  return stated;
};

const listed = (entry: string): Said => ({ kind: "document_listed", body: { entry } });
const lost = (kind: string): Said => ({ kind });
const row = (id: string, changedAt: number) => ({ id, at: 0, changedAt, isThere: true });

describe("removals whose body was removed", () => {
  it.each([
    [0, 1, 1],
    [1, 1, 0],
    [1, 2, 2],
    [2, 2, 0],
    [2, 3, 3],
  ])(
    "%i of them explain that many missing rows: of %i missing ones %i are named",
    (removals, missing, named) => {
      const entries = [
        ...Array.from({ length: missing }, (_, n) => listed(`d${n}`)),
        ...Array.from({ length: removals }, () => lost("document_unlisted")),
      ];
      expect(judgeRights(statedBy(...entries), noRows)).toHaveLength(named);
    },
  );
});

describe("the time of a row", () => {
  const made: Said = { kind: "destination_created", at: 1, body: { destination: "d" } };
  it.each(["changed", "paused", "resumed", "enabled", "consented", "secret_rotated"])(
    "is not before its newest entry: destination_%s",
    (change) => {
      const stated = statedBy(made, { kind: `destination_${change}`, at: 9, body: { destination: "d" } });
      const faultsAt = (at: number) => judgeRights(stated, { ...noRows, destinations: [row("d", at)] });
      expect(faultsAt(8)).toHaveLength(1);
      expect(faultsAt(9)).toEqual([]);
      expect(faultsAt(10)).toEqual([]);
    },
  );
});

describe("the start of the seals", () => {
  const start = (kind: string): Said => ({ kind, body: { apiKeys: [] } });
  it("is once in a chain, whatever became of its body; the operator may begin anew", () => {
    expect(judgeRights(statedBy(start("rights_sealed"), start("rights_sealed_anew")), noRows)).toEqual([]);
    for (const second of [start("rights_sealed"), lost("rights_sealed")])
      expect(judgeRights(statedBy(start("rights_sealed"), second), noRows)).toMatchObject([
        { table: "evidence", id: "2" },
      ]);
  });
});

describe("a row that the operator accepted", () => {
  it.each([
    ["destinations", "destination_created", "destination"],
    ["documents", "document_listed", "entry"],
    ["faces", "face_blocked", "face"],
  ])("as gone is missing no more: %s", (member, kind, name) => {
    const made: Said = { kind, body: { [name]: "x" } };
    expect(judgeRights(statedBy(made), noRows)).toHaveLength(1);
    const accepted: Said = { kind: "right_accepted", body: { row: "r", gone: { [member]: ["x"] } } };
    expect(judgeRights(statedBy(made, accepted), noRows)).toEqual([]);
  });

  it("as it stands is no earlier state, and has its entry", () => {
    const accepted: Said = { kind: "right_accepted", at: 9, body: { row: "r", destinations: ["d"] } };
    expect(judgeRights(statedBy(accepted), { ...noRows, destinations: [row("d", 1)] })).toEqual([]);
  });
});
