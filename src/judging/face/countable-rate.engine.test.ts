import { expect, it } from "vitest";
import { imageOf, openFaceEngine } from "#support/face/images";
import { countableRateOf } from "./countable-rate.ts";
import { judgeComparison } from "./matching/judge-comparison.ts";
import { defaultFacePolicy } from "./policy.ts";
import { comparisonOf } from "./record.ts";

const { measure } = openFaceEngine();
const policy = defaultFacePolicy;

it("is that of a comparison which the bundled engine made, as its record shows it", async () => {
  const [reference, probe] = await Promise.all(
    ["franck_04035.jpg", "franck_02159.jpg"].map((name) => measure(imageOf(name), { template: true })),
  );
  if (reference?.kind !== "measured" || probe?.kind !== "measured") throw new Error("No image was measured");
  const facial = judgeComparison(reference, probe, policy.comparison, { use: "document" });
  expect(facial.comparison?.falseMatchRate).toBeLessThan(1e-2);
  const measurements = JSON.parse(JSON.stringify({ comparison: comparisonOf(facial) }));
  const record = { measurements, policyVersion: policy.version, models: probe.models };
  expect(countableRateOf(record)).toBe(facial.comparison?.falseMatchRate);
});
