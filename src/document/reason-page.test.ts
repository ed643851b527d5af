import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { reasons } from "#contract/reason-code";
import { ageCodes, defaultDocumentPolicy } from "./policy.ts";
import { reasonGuides } from "./reason-guide.ts";
import { writeReasonPage } from "./reason-page.ts";

/** Codes that the sources of the questions name, those of ages, and the one of a failed analysis. */
const givenCodes = async (): Promise<readonly number[]> => {
  const folder = new URL("./findings/", import.meta.url);
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), "utf8")));
  const code = texts
    .join("\n")
    .replaceAll(/\/\*\*.*?\*\//gs, "")
    .replaceAll(/\/\/.*/g, "");
  const named = [...code.matchAll(/(?<![\d.])\d{3}(?!\d)/g)].map(([found]) => Number(found));
  return [...new Set([...named, ...Object.values(ageCodes), 648])].toSorted((a, b) => a - b);
};

it("tells of every reason that a question can give, and of no other", async () => {
  const told = Object.keys(reasonGuides(defaultDocumentPolicy)).map(Number);
  expect(told.toSorted((a, b) => a - b)).toEqual((await givenCodes()).filter((code) => code in reasons));
});

it("names no decision that a reason may not bring", () => {
  for (const [code, guide] of Object.entries(reasonGuides(defaultDocumentPolicy))) {
    const { alone } = Object.entries(reasons).find(([known]) => known === code)![1];
    if (alone !== "decline") expect(guide.decisions, code).not.toContain(9102);
    if (/^[15]/.test(code)) expect(guide.decisions, code).not.toContain(9103);
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
