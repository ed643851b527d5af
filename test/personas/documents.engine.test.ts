import { expect, it } from "vitest";
import { steeredDecision } from "#app/personas";
import { documentTypesV2 } from "#contract/document-type";
import { decideDocument } from "#document/decision/decide";
import { defaultDocumentPolicy } from "#document/decision/policy";
import type { DocumentReading } from "#document/reading/reading";
import { openReader } from "#document/testing/reader";
import { mergeSources } from "#document/testing/reading";
import { personas } from "#sandbox/personas/catalogue/catalogue";
import { makeDrawPersona } from "#specimen/persona-images";
import { type DecidedDocument, decidedDocumentOf } from "./decided-documents.ts";

/** Images are drawn and read with all networks in this one thread, beside other tests. */
const patientMs = 120_000;

const { imaging, readDocument } = await openReader();
const drawPersona = makeDrawPersona(imaging);
const decide = steeredDecision(decideDocument);
const readings = new Map<string, Promise<DocumentReading>>();

const declaredOf = ({ start: { fields } }: Pick<DecidedDocument, "start">) => {
  const type = documentTypesV2.find((one) => one === fields["idType"]);
  const country = fields["country"];
  if (type === undefined || typeof country !== "string") {
    throw new Error(`Not a document: ${JSON.stringify(fields)}`);
  }
  return { country, type };
};

/** Each image of a declared type is drawn and read once, as a validation reads it. */
const read = (document: DecidedDocument): Promise<DocumentReading> => {
  const { front, back } = document;
  const { type } = declaredOf(document);
  const key = JSON.stringify([front, back, type]);
  const draw = async () => ({
    front: await drawPersona(front),
    ...(back !== undefined && { back: await drawPersona(back) }),
  });
  const reading = readings.get(key) ?? draw().then((images) => readDocument(images, { type, attacks: true }));
  readings.set(key, reading);
  return reading;
};

const documents = personas.flatMap((persona) => decidedDocumentOf(persona) ?? []);

it("knows the personas whose documents are drawn", () => {
  expect(documents.length).toBeGreaterThan(100);
});

it.each(documents)(
  "$name is decided as it promises",
  async (document) => {
    const { expected, reasons = [] } = document.answer;
    const now = new Date();
    const reading = { ...(await read(document)), persona: document.name };
    const fields = mergeSources(reading, now);
    const { decision } = decide({ reading, fields }, declaredOf(document), now, defaultDocumentPolicy);
    expect(decision).toMatchObject({
      code: expected["verification.code"],
      status: expected["verification.status"],
      ...(reasons.length === 0 && { reasonCode: null }),
    });
    expect([decision.reasonCode, ...decision.others]).toEqual(expect.arrayContaining([...reasons]));
  },
  patientMs,
);
