import { expect, it } from "vitest";
import { singleSidedTypes } from "#contract/document-type";
import type { DocumentReading } from "../../reading/reading.ts";
import { type DrawnCase, drawnCases } from "../../testing/drawn-cases.ts";
import { makeDrawImages } from "../../testing/drawn-documents.ts";
import { openReader } from "../../testing/reader.ts";
import { mergeSources, now as today } from "../../testing/reading.ts";
import { decideDocument } from "../decide.ts";
import { defaultDocumentPolicy } from "../policy.ts";

/** Images are drawn and read with all networks in this one thread, beside other tests. */
const patientMs = 120_000;

const { imaging, readDocument } = await openReader();
const drawImages = await makeDrawImages(imaging);
const readings = new Map<string, Promise<DocumentReading>>();

/** Each image is read once. Attack traces are measured on passports only: drawn cards are as pale as a copy. */
const read = ({ images, declared }: Pick<DrawnCase, "images" | "declared">): Promise<DocumentReading> => {
  const type = declared?.type ?? "PASSPORT";
  const reading =
    readings.get(images) ??
    drawImages(images).then((sides) =>
      readDocument(sides, { type, attacks: singleSidedTypes.includes(type) }),
    );
  readings.set(images, reading);
  return reading;
};

it.each([
  "a genuine passport",
  "a genuine passport on its head",
  "a genuine passport on its side",
  "a genuine passport of twelve megapixels",
  "a passport of a child",
] as const)(
  "approves %s",
  async (images) => {
    const reading = await read({ images });
    const fields = mergeSources(reading, today);
    const declared = { country: "CHL", type: "PASSPORT" } as const;
    const { decision } = decideDocument({ reading, fields }, declared, today, defaultDocumentPolicy);
    expect(decision).toMatchObject({ code: 9001, reasonCode: null });
  },
  patientMs,
);

it.each(drawnCases)(
  "brings $code with $decision from $images",
  async (one) => {
    const { declared = { country: "CHL", type: "PASSPORT" }, attempt = 1 } = one;
    const now = one.now === undefined ? today : new Date(one.now);
    const reading = await read(one);
    const fields = mergeSources(reading, now);
    const policy = { ...defaultDocumentPolicy, ...one.policy };
    const { decision } = decideDocument({ reading, fields }, declared, now, policy, {}, attempt);
    expect(decision.code).toBe(one.decision);
    expect([decision.reasonCode, ...decision.others]).toContain(one.code);
  },
  patientMs,
);
