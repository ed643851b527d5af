import { type CardLayout, lineHeight, type PrintedRow, type PrintedText, printed } from "./card-layout.ts";

/** Where the values of a card are: right of their labels, or under them. */
export const labelArrangements = ["right", "under"] as const;

export type LabelArrangement = (typeof labelArrangements)[number];

/** A label with its values. */
type Entry = { readonly label: string; readonly values: readonly string[]; readonly at: PrintedText };

/**
 * As shares of a side: the longest step from a value's line to its next one, and the places that an
 * arrangement uses.
 */
const area = {
  lineStep: 0.065,
  bottom: 0.96,
  aboveMrz: 0.56,
  aboveBarcode: 0.3,
  left: 0.3,
  values: 0.62,
  column: 0.34,
} as const;

/**
 * The same card with every label and its value in one of two arrangements. `right`: labels in one column,
 * values in a second one. `under`: values below their labels. Texts without a label keep their place.
 */
export const arrangeLabels = (layout: CardLayout, arrangement: LabelArrangement): CardLayout => {
  const { front, back, mrz, barcode } = layout;
  const backBottom =
    barcode !== undefined ? area.aboveBarcode : mrz === undefined ? area.bottom : area.aboveMrz;
  const arrange = arrangement === "right" ? inColumns : stacked;
  return {
    ...layout,
    front: arrangeSide(front, (entries) => arrange(entries, area.bottom)),
    ...(back === undefined ? {} : { back: arrangeSide(back, (entries) => arrange(entries, backBottom)) }),
  };
};

const arrangeSide = (
  texts: readonly PrintedText[],
  arrange: (entries: readonly Entry[]) => readonly PrintedText[],
): readonly PrintedText[] => {
  const found = texts.filter(({ role }) => role !== undefined).map((label) => entryOf(label, texts));
  const used = new Set(found.flatMap(({ entry, values }) => [entry.at, ...values]));
  return found.length === 0
    ? texts
    : [...texts.filter((text) => !used.has(text)), ...arrange(found.map(({ entry }) => entry))];
};

/** A label with its values: behind its colon, in the lines below it, or right of it. */
const entryOf = (
  at: PrintedText,
  texts: readonly PrintedText[],
): { readonly entry: Entry; readonly values: readonly PrintedText[] } => {
  if (at.role === "line") {
    const [label = "", value = ""] = at.text.split(/(?<=:) /);
    return { entry: { label, values: [value], at }, values: [] };
  }
  const below = linesBelow(at, texts);
  const values =
    below.length > 0
      ? below
      : texts
          .filter(({ box, role }) => role === undefined && box.y === at.box.y && box.x > at.box.x)
          .slice(0, 1);
  return { entry: { label: at.text, values: values.map(({ text }) => text), at }, values };
};

const linesBelow = (above: PrintedText, texts: readonly PrintedText[]): readonly PrintedText[] => {
  const next = texts.find(
    ({ box, role }) =>
      role === undefined &&
      box.x === above.box.x &&
      box.y > above.box.y &&
      box.y - above.box.y <= area.lineStep,
  );
  return next === undefined ? [] : [next, ...linesBelow(next, texts)];
};

const topOf = (entries: readonly Entry[]): number => Math.min(...entries.map(({ at }) => at.box.y));

/** Labels in one column and values in the next, a row for each value. */
const inColumns = (entries: readonly Entry[], bottom: number): readonly PrintedText[] => {
  const rows = entries.flatMap(({ label, values }) =>
    values.map((value, i) => [i === 0 ? label : "", value] as const),
  );
  const top = topOf(entries);
  const step = Math.min(0.085, (bottom - top) / rows.length);
  return printed(
    ...rows.flatMap(([label, value], i): readonly PrintedRow[] => {
      const y = top + i * step;
      return [...(label === "" ? [] : [[area.left, y, label] as const]), [area.values, y, value]];
    }),
  );
};

/** Each value below its label: where the card has it, or in as many columns as fit. */
const stacked = (entries: readonly Entry[], bottom: number): readonly PrintedText[] => {
  const isStacked = entries.every(({ at }) => at.role === "label");
  const left = Math.min(...entries.map(({ at }) => at.box.x));
  const perColumn = Math.ceil(entries.length / (entries.length > 4 ? 2 : 1));
  const top = topOf(entries);
  const step = Math.min(0.125, (bottom - top) / perColumn);
  return printed(
    ...entries.flatMap(({ label, values, at: { box } }, i): readonly PrintedRow[] => {
      const x = isStacked ? box.x : left + Math.floor(i / perColumn) * area.column;
      const y = isStacked ? box.y : top + (i % perColumn) * step;
      return [
        [x, y, label],
        ...values.map((text, row) => [x, y + (row + 1) * (lineHeight + 0.008), text] as const),
      ];
    }),
  );
};
