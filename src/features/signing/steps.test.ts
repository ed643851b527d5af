import { describe, expect, test } from "vitest";
import { Failure } from "#contract/failure";
import { adversarial } from "#support/signing/adversarial";
import { crossReferences, sectionsInCommon } from "#support/signing/cross-references";
import { signWith } from "#support/signing/pdf/append";
import { makePdf } from "#support/signing/pdf/make-pdf";
import { openPdf } from "./pdf/open-pdf.ts";
import { verifyStepsMax } from "./pdf/reader/open-view.ts";
import { faultSteps, makeSteps, type Steps, stepsFor, TooManySteps } from "./pdf/steps.ts";
import { refuseBroken } from "./verify/refuse-broken.ts";
import { verifyPdf } from "./verify/verify-pdf.ts";

/** Steps that one file may take here: far more than reading each byte of the files below some times. */
const stepsMax = 30_000_000;

const attachment = {
  name: "a",
  mediaType: "text/plain",
  description: "a",
  bytes: Buffer.from("a"),
  relationship: "Data",
};

const works = {
  signing: async (bytes: Uint8Array, steps: Steps) => {
    const file = await openPdf(bytes, { steps, repair: "allow" });
    file.fields();
    signWith(file, { attachments: [attachment] });
  },
  verifying: async (bytes: Uint8Array, steps: Steps) => {
    await verifyPdf(bytes, { roots: { signers: [], stamps: [] }, now: new Date(), steps });
  },
} as const;

type Cost = { readonly steps: number; readonly processorMs: number; readonly end: string };

const costOf = async (work: keyof typeof works, bytes: Uint8Array, limit = stepsMax): Promise<Cost> => {
  const steps = makeSteps(limit);
  const before = process.cpuUsage();
  const end = await works[work](bytes, steps).then(
    () => "done",
    (error: unknown) => {
      if (error instanceof Failure) return `${error.code} ${String(error.facts.reason ?? "")}`;
      throw error;
    },
  );
  const { user, system } = process.cpuUsage(before);
  return { steps: steps.taken(), processorMs: (user + system) / 1000, end };
};

const trailers = (count: number): Buffer =>
  adversarial["trailers without a dictionary"]?.(count / 50) ?? Buffer.of();

/**
 * Whose steps grow with their size alone. The others have n things that each lead to n others: the budget
 * ends them.
 */
const linear = new Set([
  ...Object.keys(crossReferences),
  "objects without a cross-reference",
  "keywords of streams without an end",
  "ends of objects",
  "white space",
  "trailers without a dictionary",
  "compressed streams with an unknown filter",
  "nodes of pages that are damaged",
  "catalogues and sections",
  "compressed streams that are damaged",
  "sections of the cross-reference",
  "pages",
  "brackets",
  "bytes of a string",
]);

describe.each(Object.entries(adversarial))("a file of many %s", (name, make) => {
  test.each(["signing", "verifying"] as const)("takes steps by its size: %s", async (work) => {
    const [small, large] = [await costOf(work, make(400)), await costOf(work, make(800))];
    if (linear.has(name)) expect(large.steps).toBeLessThan(2.3 * small.steps + 2000);
    const bytes = make(6000);
    const limit = stepsFor(bytes.length, stepsMax);
    const { steps, processorMs, end } = await costOf(work, bytes, limit);
    expect(["done", "pdf_unreadable", "pdf_too_large"]).toContain(end.split(" ")[0]);
    // The last step that is counted may be a long one.
    expect(steps).toBeLessThan(2 * limit);
    // A loop that counts nothing would take time without steps.
    expect(processorMs).toBeLessThan(1500 + steps / 5000);
  });
});

test.each([
  ["trailers without a dictionary", 1000],
  ["compressed streams with an unknown filter", 4000],
] as const)("each error that is caught costs steps as its time does: %s", async (name, faults) => {
  const { steps } = await costOf("signing", adversarial[name]?.(400) ?? Buffer.of());
  expect(steps).toBeGreaterThan(faultSteps * faults);
});

test("nodes of pages that are no dictionaries are no pages, and cost no error each", async () => {
  const { end, steps } = await costOf(
    "signing",
    adversarial["nodes of pages that are damaged"]?.(400) ?? Buffer.of(),
  );
  expect(end).toBe("pdf_unreadable no_pages");
  expect(steps).toBeLessThan(faultSteps * 2000);
});

/** Steps of one more of these in a cross-reference. */
const stepsOfOneMore = async (work: keyof typeof works, make: (count: number) => Buffer): Promise<number> => {
  const [few, many] = [await costOf(work, make(1000)), await costOf(work, make(3000))];
  return (many.steps - few.steps) / 2000;
};

test.each([
  ["subsections of a cross-reference stream", 300],
  ["subsections with one number", 260],
  ["rows of a cross-reference stream", 140],
  ["rows of a table", 100],
  ["subsections of a table", 40],
  ["numbers beside a cross-reference", 60],
  ["texts beside a cross-reference", 180],
  ["hexadecimal texts beside a cross-reference", 180],
  ["arrays beside a cross-reference", 90],
  ["dictionaries beside a cross-reference", 120],
  ["keys beside a cross-reference", 120],
] as const)("verifying counts the time of each of the %s", async (name, least) => {
  const each = await stepsOfOneMore("verifying", crossReferences[name] ?? (() => Buffer.of()));
  expect(each).toBeGreaterThan(least);
  // An unsigned file is read once more, for signatures that an update removed.
  expect(each).toBeLessThan(2 * (least + 50));
});

test("a cross-reference of 14 MB ends far below its end, and one of 200,000 objects is read", async () => {
  const make = crossReferences["subsections of a cross-reference stream"] ?? (() => Buffer.of());
  const each = await stepsOfOneMore("verifying", make);
  expect(1_500_000 * each).toBeGreaterThan(3 * verifyStepsMax);
  expect(200_000 * each).toBeLessThan(verifyStepsMax);
});

test("signing counts the time of each number of a subsection, in each section that shares it", async () => {
  const { steps, end } = await costOf("signing", sectionsInCommon(2000), 1e9);
  expect(end).toMatch(/^pdf_|^done/);
  // 200 sections with 2000 numbers each, of two bytes.
  expect(steps).toBeGreaterThan(200 * 2000 * 30);
});

test.each([
  ["table", 30_000],
  ["stream", 30_000],
  ["object-streams", 5000],
] as const)(
  "an honest file of many objects is signed and verified within half of its steps: %s, %i objects",
  async (xref, length) => {
    const objects = Array.from({ length }, (_, index) => `<</Index ${index}/Text(${index})>>`);
    const bytes = makePdf({ xref, objects });
    const limit = stepsFor(bytes.length, verifyStepsMax);
    expect((await costOf("signing", bytes, limit)).end).toBe("done");
    const file = await openPdf(bytes);
    signWith(file);
    const { end, steps } = await costOf(
      "verifying",
      Buffer.concat([file.original, ...file.revisions()]),
      limit,
    );
    expect(end).toBe("done");
    expect(steps).toBeLessThan(limit / 2);
  },
);

test("a bounded number of words for a trailer is tried, from the end of the file", async () => {
  const [few, many] = [await costOf("signing", trailers(2000)), await costOf("signing", trailers(20_000))];
  // Passes over the bytes alone; an error for each word would cost seventy steps a byte.
  expect(many.steps - few.steps).toBeLessThan(18_000 * 7 * 5);
  const sent = Buffer.concat([trailers(5000), Buffer.from("<</Root 1 0 R/Info 3 0 R>>")]);
  const { original } = await openPdf(sent, { repair: "allow" });
  expect(Buffer.from(original.subarray(sent.length)).includes("/Info 3 0 R")).toBe(true);
});

test.each(["signing", "verifying"] as const)(
  "a file that may take no steps is unreadable: %s",
  async (work) => {
    const { end } = await costOf(work, makePdf({ pages: 3 }), 100);
    expect(end).toBe("pdf_unreadable reading it takes too many steps");
  },
);

test("a signature that is too long to verify is not passed as sound", async () => {
  const file = await openPdf(makePdf());
  signWith(file);
  const whole = Buffer.concat([file.original, ...file.revisions()]);
  await expect(refuseBroken(whole, new Date(), makeSteps(100))).rejects.toMatchObject({
    code: "pdf_unreadable",
  });
});

test("a file has fewer steps the smaller it is, and never more than the limit", () => {
  expect(stepsFor(0, 50_000_000)).toBe(10_000_000);
  expect(stepsFor(100_000, 50_000_000)).toBe(20_000_000);
  expect(stepsFor(50_000_000, 50_000_000)).toBe(50_000_000);
  const steps = makeSteps(10);
  steps.take(10);
  expect(() => steps.take(1)).toThrow(TooManySteps);
});

test("pages beyond the limit are refused before all of them are walked", async () => {
  const made = adversarial.pages?.(500) ?? Buffer.of();
  await expect(openPdf(made, { limits: { pagesMax: 100 } })).rejects.toMatchObject({ code: "pdf_too_large" });
  expect((await openPdf(made, { limits: { pagesMax: 500 } })).pageCount).toBe(500);
});
