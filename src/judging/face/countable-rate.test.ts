import { expect, it } from "vitest";
import { cohortEntry, ledger } from "#machine/networks/ledger";
import { modelHashes } from "#machine/networks/model-files";
import { countableRateOf, countedUnder } from "./countable-rate.ts";
import { fmrAtScore } from "./matching/calibration.ts";
import { defaultFacePolicy, withFalseMatchRates, withoutLicence, withScale } from "./policy.ts";

const score = 3.6;
const falseMatchRate = fmrAtScore(score);
const record = {
  measurements: { comparison: { score, falseMatchRate } },
  policyVersion: defaultFacePolicy.version,
  models: { ...countedUnder.models, facemesh: "5e".repeat(32) },
};
const without = (left: string) => ({
  ...record,
  models: Object.fromEntries(Object.entries(record.models).filter(([name]) => name !== left)),
});

it("is that of a record of the bundled pair with the shipped cohort, under any rates and licence", () => {
  const rates = { selfie: 1e-2, document: 1e-3, registry: 1e-4 };
  for (const { version } of [
    defaultFacePolicy,
    withFalseMatchRates(defaultFacePolicy, rates),
    withoutLicence(defaultFacePolicy),
  ]) {
    expect(countableRateOf({ ...record, policyVersion: version })).toBe(falseMatchRate);
  }
});

it("holds for the models and the policy of this release: count again where one of them changes", () => {
  const { "dlib-resnet": dlib, faceres } = modelHashes(ledger);
  const [cohort] = cohortEntry.files;
  expect(countedUnder).toEqual({
    scale: defaultFacePolicy.version,
    models: { "dlib-resnet": dlib, faceres, "face-cohort": cohort.sha256 },
  });
});

it("is none of an own cohort, an added recogniser or an earlier policy", () => {
  for (const name of ["cohort/0123abcd", "other/0123abcd"]) {
    const { version } = withScale(defaultFacePolicy, { recogniser: "ab", name });
    expect(countableRateOf({ ...record, policyVersion: version })).toBeUndefined();
  }
  expect(countableRateOf({ ...record, policyVersion: "face-8" })).toBeUndefined();
});

it("is none where a model is another one, or is not named", () => {
  for (const name of Object.keys(countedUnder.models)) {
    const models = { ...record.models, [name]: "5e".repeat(32) };
    expect(countableRateOf({ ...record, models })).toBeUndefined();
    expect(countableRateOf(without(name))).toBeUndefined();
  }
  expect(countableRateOf(without("facemesh"))).toBe(falseMatchRate);
});

it("is none where the rate is not that of the score, or one of them is missing", () => {
  // The curve before the factor for unseen groups.
  const former = { score: 3.44, falseMatchRate: 1e-3 };
  for (const comparison of [former, { score, falseMatchRate: null }, { falseMatchRate }, null]) {
    expect(countableRateOf({ ...record, measurements: { comparison } })).toBeUndefined();
  }
  expect(countableRateOf({ ...record, measurements: null })).toBeUndefined();
});
