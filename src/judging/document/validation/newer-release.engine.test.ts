import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reviewedBy } from "#support/document/reviewing";
import {
  type Harness,
  type HarnessOptions,
  makeValidationBase,
  openEngine,
  openHarness,
  type ValidationBase,
} from "#support/document/validations";

const { engine, imageOf } = await openEngine();
const started = Compile(Type.Object({ scanReference: Type.String() }));
const dayMs = 86_400_000;
/** A wrong check digit leads to a review (507). */
const doubtful = {
  country: "CHL",
  idType: "PASSPORT",
  documentFrontRawImage: imageOf("broken-check-digit"),
};

let ground: ValidationBase;
let harness: Harness;
const open = async (options: Partial<HarnessOptions> = {}): Promise<void> => {
  harness = await openHarness({ engine, ground, ...options });
};
beforeEach(async () => {
  ground = await makeValidationBase();
});
afterEach(async () => {
  await harness.close();
  await rm(ground.folder, { recursive: true });
});

const start = async (): Promise<string> =>
  started.Parse(await harness.call(harness.start, doubtful)).scanReference;
const dataOf = (scanReference: string) => harness.call(harness.data, { scanReference });
const rowOf = (scanReference: string) =>
  harness.deps.store.findValidation(harness.caller.tenantId, scanReference);
const reviewer = () => reviewedBy(harness, { keyId: randomUUID() });

/**
 * Writes what a later release would write: sealed by the same keys, in a form that this release does not
 * have.
 */
const writeNewer = async (
  id: string,
  part: "validation-input" | "validation-record" | "review-statement",
  content: unknown,
): Promise<void> => {
  const { tenantId, environment } = harness.caller;
  const plain = Buffer.from(JSON.stringify(content));
  const context = { owner: `${part} ${id}`, environment };
  const sealed = await harness.deps.keyring.seal(tenantId, "documents", plain, context);
  const update = {
    "validation-input": "update validations set sealed_input = ? where id = ?",
    "validation-record": "update validations set sealed_record = ? where id = ?",
    "review-statement": "update reviews set sealed_proposal = ? where validation_id = ?",
  }[part];
  const other = new Database(join(ground.folder, "idem.sqlite"));
  try {
    expect(other.prepare(update).run(sealed, id).changes).toBe(1);
  } finally {
    other.close();
  }
};

describe("what a newer release wrote", () => {
  it("in the record of a review is a declared failure for reviewer and caller, and changes nothing", async () => {
    await open();
    const scanReference = await start();
    await harness.workOff();
    const ana = reviewer();
    await ana.claim(scanReference);
    await writeNewer(scanReference, "validation-record", { status: "Paused" });
    const before = await rowOf(scanReference);
    const newer = {
      code: "stored_newer",
      cause: { message: expect.stringContaining("/status: must be one of") },
    };
    await expect(ana.show(scanReference)).rejects.toMatchObject(newer);
    await expect(ana.decide(scanReference, { decision: "APPROVE" })).rejects.toMatchObject(newer);
    await expect(dataOf(scanReference)).rejects.toMatchObject(newer);
    expect(await rowOf(scanReference)).toEqual(before);
  });

  it("in the proposal of a first reviewer is a declared failure for the second", async () => {
    await open({ policy: { review: { holdMinutes: 15, persons: 2 } } });
    const scanReference = await start();
    await harness.workOff();
    const [ana, eva] = [reviewer(), reviewer()];
    await ana.claim(scanReference);
    await ana.decide(scanReference, { decision: "APPROVE" });
    await eva.claim(scanReference);
    await writeNewer(scanReference, "review-statement", {
      decision: "Escalated",
      reasonCode: null,
      note: "",
    });
    await expect(eva.show(scanReference)).rejects.toMatchObject({ code: "stored_newer" });
    await expect(eva.decide(scanReference, { decision: "APPROVE" })).rejects.toMatchObject({
      code: "stored_newer",
    });
  });

  it("in the input of a job waits for a process that can read it, and no attempt counts", async () => {
    await open();
    const scanReference = await start();
    await writeNewer(scanReference, "validation-input", { type: "DRIVING_LICENCE" });
    for (let round = 0; round < 5; round++) {
      await harness.workOff();
      harness.passTime(600_000);
    }
    expect(harness.errors).toMatchObject(Array.from({ length: 5 }, () => ({ code: "stored_newer" })));
    expect(await rowOf(scanReference)).toMatchObject({ status: "PENDING", attempts: 0 });
    await expect(dataOf(scanReference)).rejects.toMatchObject({ code: "stored_newer" });
  });

  it("in a validation that waited too long is left to a newer process", async () => {
    await open();
    const [scanReference, other] = [await start(), await start()];
    await writeNewer(scanReference, "validation-input", { type: "DRIVING_LICENCE" });
    harness.passTime(8 * dayMs);
    expect(await harness.endWaiting()).toBe(1);
    expect(harness.errors).toMatchObject([{ code: "stored_newer" }]);
    expect(await rowOf(other)).toMatchObject({ decision: "Expired" });
    expect(await rowOf(scanReference)).toMatchObject({ status: "PENDING" });
  });
});
