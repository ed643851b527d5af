import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MrzVector, measureMrzVectors } from "#evaluation/documents/measure-mrz";
import { CommandError, UsageError } from "../command.ts";
import { measureMrz } from "./mrz.ts";

const lines = [
  "I<UTOD231458907<<<<<<<<<<<<<<<",
  "7408122F1204159UTO<<<<<<<<<<<6",
  "ERIKSSON<<ANNA<MARIA<<<<<<<<<<",
] as const;
const wrong = [lines[0], lines[1].replace("7408122", "7408123"), lines[2]];
const french = ["IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<", "9409923102854CORINNE<<<<<<<6512068F4"];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-mrz-"));
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

const run = async (list: unknown, ...more: readonly string[]) => {
  const path = join(folder, "list.json");
  await writeFile(path, typeof list === "string" ? list : JSON.stringify(list));
  const out: string[] = [];
  const deps = {
    measure: (vectors: readonly MrzVector[]) => measureMrzVectors(vectors, "2026-06-30"),
    out: (line: string) => void out.push(line),
  };
  return { code: await measureMrz(["--vectors", path, ...more], deps), text: out.join("\n") };
};

describe("idem measure mrz", () => {
  it("ends with 0 where every text has its expected result, and writes the figures", async () => {
    const json = join(folder, "figures.json");
    const expected = { surname: "ERIKSSON", birth_date: "740812", sex: "female", given_names: "ANNA MARIA" };
    const { code, text } = await run(
      [{ lines, valid: true, expected }, { lines: wrong, valid: false }, { lines }],
      "--json",
      json,
    );
    expect(code).toBe(0);
    expect(text).toContain("2, and 1 without a judgement");
    expect(text).toContain("valid, accepted          1 of 1");
    expect(JSON.parse(await readFile(json, "utf8"))).toMatchObject({
      vectors: 2,
      withoutVerdict: 1,
      valid: { values: { n: 1, count: 1 } },
      mistakes: [],
    });
  });

  it("ends with 1 and prints the unexpected results", async () => {
    const { code, text } = await run([{ id: "mine", lines: wrong, valid: true }]);
    expect(code).toBe(1);
    expect(text).toContain("mine: refused, though valid: birth, composite");
  });

  it("reads lists with strict results and the names of failing checks", async () => {
    const computed = {
      format: "TD1",
      document_number: "D23145890",
      checks: { birth_date: false, composite: false },
    };
    const entry = { lines: wrong, icao_strict_valid: false, published_valid: true, computed };
    const { code } = await run({ description: "any", vectors: [entry] });
    expect(code).toBe(0);
    const unnamed = { ...entry, computed: { checks: { expiry_date: false } } };
    expect((await run([unnamed])).text).toContain("entry 1: named birth, composite instead of expiry");
  });

  it("judges a national format by its publisher's statement", async () => {
    const entry = {
      lines: french,
      format: "FRENCH_NATIONAL_ID",
      icao_strict_valid: false,
      published_valid: true,
      computed: { document_number: "nothing" },
      expected: {
        lastName: "BERTHIER",
        issueDate: "9409",
        administrativeCode2: "923",
        documentNumber: "10285",
      },
    };
    expect(await run([entry])).toMatchObject({ code: 0 });
  });

  it("refuses an expected value with an unknown name, or one that is not a text", async () => {
    const list = (expected: object) => [{ id: "mine", lines, valid: true, expected }];
    await expect(run(list({ surnam: "X" }))).rejects.toThrow(
      /^mine of the list .* expects surnam, .*surname/,
    );
    await expect(run(list({ toString: "X" }))).rejects.toThrow(CommandError);
    await expect(run(list({ birth: 740812 }))).rejects.toThrow("birth which is not text");
    expect(await run(list({ surname: "ERIKSSON", nationality: null }))).toMatchObject({ code: 0 });
  });

  it("asks for a list and refuses another shape", async () => {
    const deps = { measure: () => measureMrzVectors([], "2026-06-30"), out: () => undefined };
    await expect(measureMrz([], deps)).rejects.toThrow(UsageError);
    await expect(run([{ text: "P<UTO" }])).rejects.toThrow(CommandError);
    await expect(run("lines")).rejects.toThrow("is not JSON");
  });
});
