import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { reasons } from "#contract/reason-code";
import { ageCodes, defaultDocumentPolicy } from "./policy.ts";
import { reasonRows } from "./reason-guide.ts";
import { writeReasonPage } from "./reason-page.ts";
import { fromPictures } from "./reasons/row.ts";
import { picturedCases } from "./testing/pictured-cases.ts";

const root = new URL("../../", import.meta.url);
const rows = Object.entries(reasonRows(defaultDocumentPolicy));
const given = rows.filter(([, { reach }]) => !("missing" in reach));

const rowOf = (code: number) => rows.find(([known]) => known === String(code))?.[1];

/** Codes that the sources of the questions name, and those of ages. */
const namedCodes = async (): Promise<readonly string[]> => {
  const folder = new URL("./findings/", import.meta.url);
  const files = (await readdir(folder)).filter((name) => !name.endsWith(".test.ts"));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), "utf8")));
  const code = texts
    .join("\n")
    .replaceAll(/\/\*\*.*?\*\//gs, "")
    .replaceAll(/\/\/.*/g, "");
  const named = [...code.matchAll(/(?<![\d.])\d{3}(?!\d)/g)].map(([found]) => found);
  const codes = [...named, ...Object.values(ageCodes).map(String)];
  return [...new Set(codes)].filter((found) => found in reasons);
};

it("has a row for every code of the interface", () => {
  expect(rows.map(([code]) => code)).toEqual(Object.keys(reasons));
});

it("tells of every reason that a question can give how it is reached", async () => {
  const told = given.map(([code]) => code);
  expect((await namedCodes()).filter((code) => !told.includes(code))).toEqual([]);
});

it.each(given)("names a test that reaches %i and speaks of it", async (code, { reach, decisions }) => {
  expect(decisions).not.toHaveLength(0);
  if ("missing" in reach) return;
  const { file, title, unpictured } = reach.test;
  const text = await readFile(new URL(file, root), "utf8");
  expect(text.indexOf(`"${title}"`), title).toBeGreaterThan(0);
  if (unpictured !== undefined) {
    expect(unpictured.length).toBeGreaterThan(20);
  } else if (file !== fromPictures.file) {
    expect(text).toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
    // Only these read what they decide from drawn pictures.
    expect(text).toMatch(/await open(Engine|Reader)\(\)/);
  }
});

it("has drawn pictures for every code whose row names them, with a decision that the row names first or further on", () => {
  const named = given.filter(([, { reach }]) => !("missing" in reach) && reach.test === fromPictures);
  const drawn = picturedCases.map(({ code }) => String(code));
  expect(named.map(([code]) => code).toSorted()).toEqual([...new Set(drawn)].toSorted());
  for (const { code, decision } of picturedCases) {
    expect(rowOf(code)?.decisions, String(code)).toContain(decision);
  }
});

it("says of every other code what is missing, and gives it with no decision", () => {
  for (const [code, { reach, decisions }] of rows) {
    if (!("missing" in reach)) continue;
    expect(reach.missing.why.length, code).toBeGreaterThan(20);
    expect(decisions, code).toEqual([]);
  }
});

it("names no decision that a reason may not bring", () => {
  for (const [code, row] of rows) {
    const { alone } = Object.entries(reasons).find(([known]) => known === code)![1];
    if (alone !== "decline") expect(row.decisions, code).not.toContain(9102);
    if (/^[15]/.test(code)) expect(row.decisions, code).not.toContain(9103);
  }
});

it("lists every code of the interface once, with the thresholds of the policy", () => {
  const page = writeReasonPage({
    ...defaultDocumentPolicy,
    picture: { ...defaultDocumentPolicy.picture, shortSidePxMin: 1234 },
  });
  for (const code of Object.keys(reasons)) expect(page.split(`\n| ${code} |`)).toHaveLength(2);
  expect(page).toContain("under 1234 px");
});
