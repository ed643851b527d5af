import { expect, it } from "vitest";
import { decideDocument } from "#document/decision/decide";
import { defaultDocumentPolicy } from "#document/decision/policy";
import type { DocumentReading } from "#document/reading/reading";
import { openReader } from "#document/testing/reader";
import { mergeSources } from "#document/testing/reading";
import { personas } from "#sandbox/personas/catalogue/catalogue";
import type { Drawing } from "#sandbox/personas/persona";
import { makeDrawPersona } from "#specimen/persona-images";
import { steeredDecision } from "./personas.ts";

/** Images are drawn and read with all networks in this one thread, beside other tests. */
const patientMs = 120_000;

const { imaging, readDocument } = await openReader();
const drawPersona = makeDrawPersona(imaging);
const decide = steeredDecision(decideDocument);
const readings = new Map<string, Promise<DocumentReading>>();

/** Each drawing is read once, as the passport that every steered document shows. */
const read = (drawing: Drawing): Promise<DocumentReading> => {
  const key = JSON.stringify(drawing);
  const reading =
    readings.get(key) ??
    drawPersona(drawing).then((front) => readDocument({ front }, { type: "PASSPORT", attacks: true }));
  readings.set(key, reading);
  return reading;
};

const steered = personas.flatMap(({ name, images, calls }) =>
  Object.values(images).flatMap(({ drawing, steering }) =>
    steering?.kind === "document" ? [{ name, drawing, answer: calls.at(-1)! }] : [],
  ),
);

it("knows the personas whose decision a mark steers", () => {
  expect(steered.length).toBeGreaterThan(50);
});

it.each(steered)(
  "$name is decided as it promises",
  async ({ name, drawing, answer: { expected, reasons = [] } }) => {
    const now = new Date();
    const reading = { ...(await read(drawing)), persona: name };
    const fields = mergeSources(reading, now);
    const declared = { country: "CHL", type: "PASSPORT" } as const;
    const { decision } = decide({ reading, fields }, declared, now, defaultDocumentPolicy);
    expect(decision).toMatchObject({
      code: expected["verification.code"],
      status: expected["verification.status"],
      ...(reasons.length === 0 && { reasonCode: null }),
    });
    expect([decision.reasonCode, ...decision.others]).toEqual(expect.arrayContaining([...reasons]));
  },
  patientMs,
);
