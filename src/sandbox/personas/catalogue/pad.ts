import type { PadDecision, PadReason } from "#contract/pad";
import type { Drawing, Persona, PersonaImage } from "../persona.ts";
import { face } from "./calls.ts";
import { passport } from "./documents.ts";
import { asAnotherPerson } from "./face-changes.ts";

const table: Drawing = { kind: "table" };

type Diagnosed = {
  readonly name: string;
  readonly story: string;
  readonly decision: PadDecision;
  readonly reasons: readonly PadReason[];
  readonly front: Drawing;
  /** The same image as the front by default: a passport has one side. */
  readonly back?: Drawing;
  readonly face?: PersonaImage;
};

const diagnosed = ({ name, story, decision, reasons, front, back, face: holder }: Diagnosed): Persona => ({
  name: `pad-${name}`,
  story,
  produces: [
    { table: "padDecision", value: decision },
    ...reasons.map((value) => ({ table: "padReason" as const, value })),
  ],
  images: {
    front: { drawing: front },
    ...(back && { back: { drawing: back } }),
    ...(holder && { face: holder }),
  },
  calls: [
    {
      name: "diagnostic",
      route: "padDiagnostic",
      fields: { tokenized: false, countryCode: "CHL", idType: "PASSPORT" },
      images: {
        frontSideImage: "front",
        backSideImage: back === undefined ? "front" : "back",
        ...(holder && { face: "face" }),
      },
      expected: { "serviceResult.result.decision": decision, "serviceResult.result.reasons": reasons },
    },
  ],
});

/** Personas of the decisions and reasons of the diagnostic. */
export const padPersonas: readonly Persona[] = [
  diagnosed({
    name: "credible",
    story: "A genuine passport.",
    decision: "Credible",
    reasons: [],
    front: passport("a genuine passport"),
  }),
  diagnosed({
    name: "altered-data",
    story: "A passport whose MRZ has a wrong check digit.",
    decision: "Doubtful",
    reasons: ["SECURITY_DATA_CHECK"],
    front: passport("a passport with a wrong check digit"),
  }),
  diagnosed({
    name: "two-documents",
    story: "The front and the back show passports of two holders.",
    decision: "Doubtful",
    reasons: ["SECURITY_OCR_CHECK"],
    front: passport("a genuine passport"),
    back: passport("a passport of another holder"),
  }),
  diagnosed({
    name: "grey-copy",
    story: "A black-and-white copy of a passport.",
    decision: "Spoof",
    reasons: ["Black_and_White_Printed_Copy_Attack"],
    front: passport("a grey copy"),
  }),
  diagnosed({
    name: "screen",
    story: "A passport on a screen.",
    decision: "Doubtful",
    reasons: ["Screen_Replay_Attack"],
    front: passport("a passport on a screen"),
  }),
  diagnosed({
    name: "other-portrait",
    story: "A passport with a portrait from another camera.",
    decision: "Doubtful",
    reasons: ["Photo_Replacement_Attack", "SECURITY_PHOTO_CHECK"],
    front: passport("a passport with another portrait"),
  }),
  diagnosed({
    name: "other-face",
    story: "A genuine passport, and a face that the mark turns into another person's.",
    decision: "Doubtful",
    reasons: ["SECURITY_PHOTO_CHECK"],
    front: passport("a genuine passport"),
    face: face("selfie", asAnotherPerson),
  }),
  diagnosed({
    name: "no-document",
    story: "A table without a document.",
    decision: "Error",
    reasons: ["NOT_PROCESSED_OCR", "NOT_PROCESSED_PHOTO_CHECK", "NOT_PROCESSED_DATA_CHECK"],
    front: table,
  }),
];
