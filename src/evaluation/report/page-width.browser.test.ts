import { describe, expect, it } from "vitest";
import { similarityOf } from "#judging/face/matching/calibration";
import { openBrowser } from "../../../test/harness/browser.ts";
import { reportFaces } from "../faces/measure.ts";
import { reportGroups } from "../faces/measure-groups.ts";
import { type LivenessCase, reportLiveness } from "../liveness/report-liveness.ts";
import { writeFacesPage } from "./faces-page.ts";
import { writeLivenessReport } from "./liveness-page.ts";

const run = { version: "1.2.3", words: ["--labels", "a-list-with-a-long-name.csv"], at: new Date(0) };

const caseOf = (label: LivenessCase["label"], attack: string, attackScore: number): LivenessCase => ({
  label,
  attack,
  judgement: { result: "NoLive", assurance: "advisory", attackScore, evidence: [] },
});
const cases = [
  caseOf("live", "", 0.1),
  caseOf("live", "", 0.3),
  caseOf("spoof", "replay_on_a_telephone", 0.7),
  caseOf("spoof", "print_on_matt_paper_with_holes", 0.9),
];

const scores = (from: number): Float64Array => Float64Array.from({ length: 2000 }, (_, i) => from + i / 500);
const pairs = { genuine: scores(2), impostor: scores(-2), pictures: 90, failuresToEnrol: 1, threshold: 2.7 };
const within = new Map([["a_group_with_a_long_name", scores(-1.9)]]);

const pages: Readonly<Record<string, string>> = {
  liveness: writeLivenessReport({ ...run, cases, report: reportLiveness(cases), attackScoreMax: 0.5 }),
  faces: writeFacesPage({
    ...run,
    ...pairs,
    report: { ...reportFaces(pairs), ...reportGroups({ ...pairs, within }) },
    similarityOf,
    models: { faceres: "ab".repeat(32) },
  }),
};

describe("the report of", () => {
  const browser = openBrowser();
  it.each(
    Object.keys(pages).flatMap(
      (name) =>
        [
          [name, 390],
          [name, 1280],
        ] as const,
    ),
  )("%s is as wide as a window of %i pixels, and its tables scroll by themselves", async (name, width) => {
    const page = await browser().newPage({ viewport: { width, height: 844 } });
    await page.setContent(pages[name] ?? "");
    const widths = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      const tables = [...document.querySelectorAll("table")];
      const cut = tables.filter(({ parentElement: parent }) =>
        parent === null ? true : parent.getBoundingClientRect().right > clientWidth,
      );
      return { scrollWidth, clientWidth, tables: tables.length, cut: cut.length };
    });
    await page.close();
    expect(widths).toMatchObject({ scrollWidth: width, clientWidth: width, cut: 0 });
    expect(widths.tables).toBeGreaterThan(3);
  });
});
