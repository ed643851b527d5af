import { describe, expect, it } from "vitest";
import { judgeLiveness } from "#judging/face/liveness/judge-liveness";
import { defaultFacePolicy } from "#judging/face/policy";
import { imageOf, openFaceEngine, recaptured } from "#support/face/images";
import { type LivenessCase, reportLiveness } from "../liveness/report-liveness.ts";
import { writeLivenessReport } from "./liveness-page.ts";

const engine = openFaceEngine();
const judged = async (
  label: LivenessCase["label"],
  attack: string,
  bytes: Uint8Array,
): Promise<LivenessCase> => {
  const image = await engine.measure(bytes, { liveness: true });
  const judgement = judgeLiveness(image, defaultFacePolicy.liveness);
  return { label, attack, judgement, ...(image.kind === "measured" && { image }) };
};
const page = (cases: readonly LivenessCase[]) =>
  writeLivenessReport({
    report: reportLiveness(cases),
    cases,
    version: "1.2.3",
    words: ["--labels", "list.csv"],
    attackScoreMax: defaultFacePolicy.liveness.attackScoreMax,
    at: new Date(0),
  });

describe("the report of measured liveness", () => {
  it("shows each kind of attack, the null scalars, scores, cues and models, and escapes names", async () => {
    const html = page([
      await judged("live", "", imageOf("franck_02159.jpg")),
      await judged("spoof", "<b>phone</b>", await recaptured(engine, "franck_02159.jpg")),
    ]);
    expect(html).toContain("&lt;b&gt;phone&lt;/b&gt;");
    for (const word of [
      "BPCER",
      "APCER",
      "blackLevel",
      "frame-around-face",
      "blazeface",
      "advisory 2",
      "3/n",
    ]) {
      expect(html).toContain(word);
    }
    expect(html.match(/<svg /g)).toHaveLength(1);
    expect(html).not.toMatch(/NaN|undefined|Infinity|<script|https?:|<b>/);
  });

  it("states that nothing can be drawn", () => {
    expect(page([])).toContain("Not drawn: the scores need judged images of both kinds");
  });
});
