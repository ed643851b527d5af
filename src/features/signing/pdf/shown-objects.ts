import { DamagedPdf } from "./damaged.ts";
import type { PdfModel } from "./model.ts";
import { hopsMax } from "./reader/open-view.ts";
import { type PdfValue, pdfNull } from "./reader/pdf-value.ts";
import type { Flaw } from "./reader/read-object.ts";
import type { Repair } from "./repairs.ts";
import { faultSteps } from "./steps.ts";

/** Reads objects that a page shows. A damaged one is undefined and becomes a cause of repair. */
export type ShownObjects = {
  readonly load: (number: number) => PdfValue | undefined;
  /** The value behind a reference, or the value itself. */
  readonly follow: (value: PdfValue) => PdfValue | undefined;
  /** Whether the cross-reference has the object. */
  readonly isHeld: (number: number) => boolean;
  /** Whether the cross-reference names the object, as one in use or as a free one. */
  readonly isNamed: (number: number) => boolean;
  /** Each object that was damaged, or of which an end was guessed. */
  readonly repairs: () => readonly Repair[];
};

const flawed: Readonly<Record<Flaw, (number: number) => Repair>> = {
  stream_length: (number) => ({
    cause: "stream_length",
    what: `the stream of object ${number} ends elsewhere`,
  }),
  object_end: (number) => ({ cause: "object_end", what: `object ${number} has no end` }),
};

export const openShownObjects = ({ view, sections }: PdfModel): ShownObjects => {
  const damaged = new Map<number, Repair>();
  const load: ShownObjects["load"] = (number) => {
    const note = (what: string): undefined => {
      damaged.set(number, { cause: "object", what: `object ${number}: ${what}` });
      return undefined;
    };
    try {
      const value = view.load(number);
      return view.misplaced.has(number) ? note("its entry leads to another object") : value;
    } catch (error) {
      if (!(error instanceof DamagedPdf)) throw error;
      view.steps.take(faultSteps);
      return note(error.message);
    }
  };
  const follow: ShownObjects["follow"] = (value) => {
    let found: PdfValue | undefined = value;
    for (let hop = 0; found?.kind === "reference"; hop++)
      found = hop === hopsMax ? pdfNull : load(found.number);
    return found;
  };
  return {
    load,
    follow,
    isHeld: (number) => (sections.places.get(number)?.kind ?? "free") !== "free",
    isNamed: (number) => sections.places.has(number),
    repairs: () => [...damaged.values(), ...[...view.flaws].map(([number, flaw]) => flawed[flaw](number))],
  };
};
