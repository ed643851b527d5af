/**
 * Measures the accuracy of printed fields by confidence, on eight invented cards that are drawn, photographed
 * and read with the shipped networks: the table of docs/measurements/documents.md, "Printed fields". Takes
 * some minutes.
 *
 * node lab/scripts/measure-printed-fields.ts
 */

import { endWithHelp } from "../../scripts/help.ts";
import { makeMergeSources } from "../../src/judging/document/decision/fields.ts";
import { readDocumentModels } from "../../src/judging/document/decision/models/read-models.ts";
import type { VizField } from "../../src/judging/document/decision/viz/viz-field.ts";
import { makePhotographCard } from "../../test/support/document/card-photographs.ts";
import * as cards from "../../test/support/document/national-cards.ts";
import { openReader } from "../../test/support/document/reader.ts";

endWithHelp(import.meta.filename);

const worse = { width: 1600, height: 1200, share: 0.62, tilt: 0.06, blurPx: 1.1, noise: 6, light: 0.45 };
const shots = [
  ...[7, 14, 21, 28].map((seed) => ({ seed, change: {} })),
  ...[10, 17, 24, 31].map((seed) => ({ seed, change: worse })),
];
const now = new Date("2026-11-21T12:00:00Z");

const { imaging, readDocument } = await openReader();
const photograph = await makePhotographCard(imaging);
const mergeSources = makeMergeSources(readDocumentModels());

type Seen = { readonly isConfirmed: boolean; readonly confidence: number; readonly isRight: boolean };
const seen: Seen[] = [];
let [documents, models, merged, mergedRight, unread] = [0, 0, 0, 0, 0];

const fieldsOn = ({ printed: { front, back } }: ReturnType<typeof mergeSources>): readonly VizField[] => [
  ...(front?.fields ?? []),
  ...(back?.fields ?? []),
];

const valueOf = ({ values }: ReturnType<typeof mergeSources>, name: string): string | undefined =>
  Object.entries(values).find(([key]) => key === name)?.[1].value;

for (const [country, card] of Object.entries(cards)) {
  if (typeof card === "function") continue;
  const truth = mergeSources(cards.cardReading(card), now);
  for (const { seed, change } of shots) {
    const reading = await readDocument(await photograph(card, seed, change), { type: "ID_CARD" });
    const read = mergeSources(reading, now);
    documents++;
    models += Number(read.readBy?.id === truth.readBy?.id);
    for (const [name, field] of Object.entries(read.values)) {
      merged++;
      if (field.value === valueOf(truth, name)) mergedRight++;
      else console.log(`${country} ${seed}: merged ${name} ${field.value} for ${valueOf(truth, name)}`);
    }
    const [expected, printed] = [fieldsOn(truth), fieldsOn(read)];
    unread += expected.filter(({ name }) => printed.every((field) => field.name !== name)).length;
    for (const { name, value, confidence, confirmedBy } of printed) {
      const isRight =
        expected.some((field) => field.name === name && field.value === value) ||
        valueOf(truth, name) === value;
      seen.push({ isConfirmed: confirmedBy !== undefined, confidence, isRight });
      if (!isRight)
        console.log(`${country} ${seed}: ${name} ${value} (${confidence.toFixed(3)}, ${confirmedBy ?? "-"})`);
    }
  }
}

const row = (title: string, wanted: (one: Seen) => boolean): void => {
  const chosen = seen.filter(wanted);
  console.log(`${title}: ${chosen.filter(({ isRight }) => isRight).length} right of ${chosen.length}`);
};
console.log(
  `${documents} cards, model ${models} right; merged fields ${mergedRight} right of ${merged}; ${unread} unread`,
);
row("confirmed", ({ isConfirmed }) => isConfirmed);
for (const from of [0.8, 0.85, 0.9, 0.97]) {
  row(`confirmed from ${from}`, ({ isConfirmed, confidence }) => isConfirmed && confidence >= from);
}
row("plain", ({ isConfirmed }) => !isConfirmed);
for (const from of [0.9, 0.95, 0.97]) {
  row(`plain from ${from}`, ({ isConfirmed, confidence }) => !isConfirmed && confidence >= from);
}
