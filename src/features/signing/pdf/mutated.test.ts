import { expect, test } from "vitest";
import { survive } from "#support/signing/pdf/survive";

// `node lab/scripts/mutate-pdfs.ts 10000` runs the number of the release.
test("mutated files are signed or refused with a declared failure, each within 5 seconds", async () => {
  const { errors, signed, refused, slowestMs } = await survive(700, 7);
  expect(errors).toEqual([]);
  expect(signed).toBeGreaterThan(50);
  expect(refused["pdf_unreadable"]).toBeGreaterThan(50);
  expect(slowestMs).toBeLessThan(5000);
});

test("they are so too where repairs are refused and pages must be whole", async () => {
  const { errors, signed, refused } = await survive(350, 8, { requiresContents: true });
  expect(errors).toEqual([]);
  expect(signed).toBeGreaterThan(5);
  expect(refused["pdf_unreadable"]).toBeGreaterThan(50);
});
