import type { Imaging } from "#imaging/image";
import { type AlteredPassportName, alteredPassports } from "./altered-passports.ts";
import { makePhotographPassport } from "./passport-photographs.ts";
import { drawPersonaFace, drawPersonaPortrait, type PersonaFaceName } from "./persona-faces.ts";
import { drawTable } from "./photograph.ts";

/** The drawing of a persona, as its catalogue names it. */
export type PersonaDrawing =
  | { readonly kind: "table" }
  | { readonly kind: "face"; readonly name: PersonaFaceName }
  | { readonly kind: "passport"; readonly name: AlteredPassportName };

/** Draws an image, encoded. The same drawing gives the same bytes. It takes seconds of a processor. */
export type DrawPersona = (drawing: PersonaDrawing) => Promise<Uint8Array>;

/** Draws the images of personas. The portrait of passports is drawn once. */
export const makeDrawPersona = (imaging: Imaging): DrawPersona => {
  let photograph: ReturnType<typeof makePhotographPassport> | undefined;
  return async (drawing) => {
    if (drawing.kind === "table") return await imaging.encodeJpeg(drawTable(1_280, 960, 7), 90);
    if (drawing.kind === "face") return await drawPersonaFace(imaging, drawing.name);
    photograph ??= makePhotographPassport(imaging, drawPersonaPortrait());
    return await photograph(alteredPassports[drawing.name]);
  };
};
