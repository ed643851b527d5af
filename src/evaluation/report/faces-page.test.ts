import { describe, expect, it } from "vitest";
import { similarityOf } from "#judging/face/matching/calibration";
import { reportFaces } from "../faces/measure.ts";
import { reportGroups } from "../faces/measure-groups.ts";
import { writeFacesPage } from "./faces-page.ts";

const genuine = Float64Array.from({ length: 200 }, (_, i) => 3 + i / 50);
const impostor = Float64Array.from({ length: 20_000 }, (_, i) => -3 + (i / 20_000) * 6.5);
const input = { genuine, impostor, pictures: 500, failuresToEnrol: 2, threshold: 3.375 };
const within = new Map([["<b>first</b>", impostor.map((score) => score + 0.2)]]);
const report = { ...reportFaces(input), ...reportGroups({ ...input, within }) };
const page = (change: Partial<Parameters<typeof writeFacesPage>[0]> = {}) =>
  writeFacesPage({
    report,
    genuine,
    impostor,
    similarityOf,
    models: { faceres: "ab".repeat(32) },
    version: "1.2.3",
    words: ["--identities", "people.csv"],
    at: new Date(0),
    ...change,
  });

describe("the report of measured faces", () => {
  it("shows sample, bounds, thresholds, groups and models", () => {
    const html = page();
    expect(html).toContain("20,000");
    expect(html).toContain("up to 0.01500 % (rule of three)");
    expect(html).toContain(report.fnmrAtFmr["1e-2"].threshold.toFixed(3));
    expect(html).toContain("ab".repeat(32));
    expect(html).toContain("idem measure faces --identities people.csv");
    expect(html.match(/<svg /g)).toHaveLength(2);
    expect(html).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("loads nothing, runs nothing, and escapes names", () => {
    const html = page();
    expect(html).not.toMatch(/<script|https?:|<link|<b>/);
    expect(html).toContain("&lt;b&gt;first&lt;/b&gt;");
  });

  it("states that there are no pairs for the curves", () => {
    const none = new Float64Array();
    const empty = reportFaces({ ...input, impostor: none });
    const html = page({ report: empty, impostor: none });
    expect(html).toContain("Not drawn: the curves need genuine and impostor pairs.");
    expect(html).not.toMatch(/undefined|Infinity/);
  });
});
