import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { reasons } from "#contract/reason-code";
import { drawnCases } from "#support/document/drawn-cases";
import { ageCodes, defaultDocumentPolicy } from "./policy.ts";
import { reasonRows } from "./reason-guide.ts";
import { writeReasonPage } from "./reason-page.ts";
import { fromImages } from "./reasons/row.ts";

const root = new URL("../../../../", import.meta.url);
const rows = Object.entries(reasonRows(defaultDocumentPolicy));
const given = rows.filter(([, { reach }]) => !("missing" in reach));

const rowOf = (code: number) => rows.find(([known]) => known === String(code))?.[1];

/** Codes in the source of the finding rules, and those of ages. */
const namedCodes = async (): Promise<readonly string[]> => {
  const folder = new URL("./findings/", import.meta.url);
  const files = (await readdir(folder)).filter((name) => /(?<!\.test)\.ts$/.test(name));
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

it("states for every reason of a finding rule how it is reached", async () => {
  const codes = given.map(([code]) => code);
  expect((await namedCodes()).filter((code) => !codes.includes(code))).toEqual([]);
});

it.each(given)("names a test that reaches %i and mentions it", async (code, { reach, decisions }) => {
  expect(decisions).not.toHaveLength(0);
  if ("missing" in reach) return;
  const { file, title, whyNoImage } = reach.test;
  const text = await readFile(new URL(file, root), "utf8");
  expect(text.indexOf(`"${title}"`), title).toBeGreaterThan(0);
  if (whyNoImage !== undefined) {
    expect(whyNoImage.length).toBeGreaterThan(20);
  } else if (file !== fromImages.file) {
    expect(text).toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
    // Only these tests decide from drawn images that they read.
    expect(text).toMatch(/await open(Engine|Reader)\(\)/);
  }
});

it("has drawn images for every code whose row names them, with a decision of the row", () => {
  const named = given.filter(([, { reach }]) => !("missing" in reach) && reach.test === fromImages);
  const drawn = drawnCases.map(({ code }) => String(code));
  expect(named.map(([code]) => code).toSorted()).toEqual([...new Set(drawn)].toSorted());
  for (const { code, decision } of drawnCases) {
    expect(rowOf(code)?.decisions, String(code)).toContain(decision);
  }
});

it("states for every other code what is missing, without a decision", () => {
  for (const [code, { reach, decisions }] of rows) {
    if (!("missing" in reach)) continue;
    expect(reach.missing.why.length, code).toBeGreaterThan(20);
    expect(decisions, code).toEqual([]);
  }
});

it("names no decision that a reason may not cause", () => {
  for (const [code, row] of rows) {
    const { alone } = Object.entries(reasons).find(([known]) => known === code)![1];
    if (alone !== "decline") expect(row.decisions, code).not.toContain(9102);
    if (/^[15]/.test(code)) expect(row.decisions, code).not.toContain(9103);
  }
});

it("lists every code of the interface once, with the thresholds of the policy", () => {
  const page = writeReasonPage({
    ...defaultDocumentPolicy,
    image: { ...defaultDocumentPolicy.image, shortSidePxMin: 1234 },
  });
  for (const code of Object.keys(reasons)) expect(page.split(`\n| ${code} |`)).toHaveLength(2);
  expect(page).toContain("under 1234 px");
});
