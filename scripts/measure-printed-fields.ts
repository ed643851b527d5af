/**
 * What print is worth by its confidence, on eight invented cards that are drawn, photographed and read with the networks that
 * ship: the table of docs/measurements.md, "Printed fields". Some minutes.
 *
 *   node scripts/measure-printed-fields.ts
 */
import { makeCollectFields } from "../src/document/fields.ts";
import { readDocumentModels } from "../src/document/models/read-models.ts";
import type { PrintedField } from "../src/document/print/printed-fields.ts";
import { makePhotographCard } from "../src/document/testing/card-photographs.ts";
import * as cards from "../src/document/testing/national-cards.ts";
import { openReader } from "../src/document/testing/reader.ts";

const worse = { width: 1600, height: 1200, share: 0.62, tilt: 0.06, blurPx: 1.1, noise: 6, light: 0.45 };
const shots = [
  ...[7, 14, 21, 28].map((seed) => ({ seed, change: {} })),
  ...[10, 17, 24, 31].map((seed) => ({ seed, change: worse })),
];
const now = new Date("2026-11-21T12:00:00Z");

const { imaging, readDocument } = await openReader();
const photograph = await makePhotographCard(imaging);
const collectFields = makeCollectFields(readDocumentModels());

type Seen = { readonly isConfirmed: boolean; readonly confidence: number; readonly isRight: boolean };
const seen: Seen[] = [];
let [documents, models, merged, mergedRight, unread] = [0, 0, 0, 0, 0];

const fieldsOn = ({
  printed: { front, back },
}: ReturnType<typeof collectFields>): readonly PrintedField[] => [
  ...(front?.fields ?? []),
  ...(back?.fields ?? []),
];

const valueOf = ({ values }: ReturnType<typeof collectFields>, name: string): string | undefined =>
  Object.entries(values).find(([key]) => key === name)?.[1].value;

for (const [country, card] of Object.entries(cards)) {
  if (typeof card === "function") continue;
  const truth = collectFields(cards.cardReading(card), now);
  for (const { seed, change } of shots) {
    const reading = await readDocument(await photograph(card, seed, change), { type: "ID_CARD" });
    const read = collectFields(reading, now);
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
