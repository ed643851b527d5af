import { expect, it } from "vitest";
import { singleSidedTypes } from "#contract/document-type";
import { decideDocument } from "../decide.ts";
import { defaultDocumentPolicy } from "../policy.ts";
import type { DocumentReading } from "../reading.ts";
import { type PicturedCase, picturedCases } from "../testing/pictured-cases.ts";
import { makeDrawPictures } from "../testing/pictured-documents.ts";
import { openReader } from "../testing/reader.ts";
import { collectFields, now as today } from "../testing/reading.ts";

/** Pictures are drawn and read with all networks in this one thread, beside other tests. */
const patientMs = 120_000;

const { imaging, readDocument } = await openReader();
const drawPictures = await makeDrawPictures(imaging);
const readings = new Map<string, Promise<DocumentReading>>();

/** Each picture is read once. Traces of attacks are measured on passports: the ground of the drawn cards is as pale as a copy. */
const read = ({
  pictures,
  declared,
}: Pick<PicturedCase, "pictures" | "declared">): Promise<DocumentReading> => {
  const type = declared?.type ?? "PASSPORT";
  const reading =
    readings.get(pictures) ??
    drawPictures(pictures).then((sides) =>
      readDocument(sides, { type, attacks: singleSidedTypes.includes(type) }),
    );
  readings.set(pictures, reading);
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
  async (pictures) => {
    const reading = await read({ pictures });
    const fields = collectFields(reading, today);
    const declared = { country: "CHL", type: "PASSPORT" } as const;
    const { decision } = decideDocument({ reading, fields }, declared, today, defaultDocumentPolicy);
    expect(decision).toMatchObject({ code: 9001, reasonCode: null });
  },
  patientMs,
);

it.each(picturedCases)(
  "brings $code with $decision from $pictures",
  async (one) => {
    const { declared = { country: "CHL", type: "PASSPORT" }, attempt = 1 } = one;
    const now = one.now === undefined ? today : new Date(one.now);
    const reading = await read(one);
    const fields = collectFields(reading, now);
    const policy = { ...defaultDocumentPolicy, ...one.policy };
    const { decision } = decideDocument({ reading, fields }, declared, now, policy, {}, attempt);
    expect(decision.code).toBe(one.decision);
    expect([decision.reasonCode, ...decision.others]).toContain(one.code);
  },
  patientMs,
);
