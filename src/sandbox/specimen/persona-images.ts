import type { Imaging } from "#machine/imaging/image";
import { type AlteredCardName, makePhotographCard } from "./altered-cards.ts";
import { type AlteredPassportName, alteredPassports } from "./altered-passports.ts";
import { makePhotographPassport } from "./passport-photographs.ts";
import { drawPersonaPortrait, makeDrawPersonaFace, type PersonaFaceName } from "./persona-faces.ts";
import { drawTable } from "./photograph.ts";

/** The drawing of a persona, as its catalogue names it. */
export type PersonaDrawing =
  | { readonly kind: "table" }
  | { readonly kind: "face"; readonly name: PersonaFaceName }
  | { readonly kind: "passport"; readonly name: AlteredPassportName }
  | { readonly kind: "card"; readonly name: AlteredCardName; readonly side: "front" | "back" };

/** Draws an image, encoded. The same drawing gives the same bytes. It takes seconds of a processor. */
export type DrawPersona = (drawing: PersonaDrawing) => Promise<Uint8Array>;

const makePhotographs = (imaging: Imaging) => {
  const portrait = drawPersonaPortrait();
  return {
    passport: makePhotographPassport(imaging, portrait),
    card: makePhotographCard(imaging, portrait),
  };
};

/** Draws the images of personas. The portrait of documents is drawn once. */
export const makeDrawPersona = (imaging: Imaging): DrawPersona => {
  const drawFace = makeDrawPersonaFace(imaging);
  let photographs: ReturnType<typeof makePhotographs> | undefined;
  return async (drawing) => {
    if (drawing.kind === "table") return await imaging.encodeJpeg(drawTable(1_280, 960, 7), 90);
    if (drawing.kind === "face") return await drawFace(drawing.name);
    photographs ??= makePhotographs(imaging);
    return drawing.kind === "card"
      ? await photographs.card(drawing.name, drawing.side)
      : await photographs.passport(alteredPassports[drawing.name]);
  };
};
