import type { Persona } from "../persona.ts";
import { cardPersonas } from "./cards.ts";
import { civilPersonas } from "./civil.ts";
import { clearingPersonas } from "./clearing.ts";
import { documentPersonas } from "./documents.ts";
import { eventPersonas } from "./events.ts";
import { facePersonas } from "./faces.ts";
import { outagePersonas } from "./outages.ts";
import { padPersonas } from "./pad.ts";
import { reasonPersonas } from "./reasons.ts";
import { userPersonas } from "./users.ts";

/** Every persona of this release, in the order of the guide. */
export const personas: readonly Persona[] = [
  ...facePersonas,
  ...userPersonas,
  ...documentPersonas,
  ...cardPersonas,
  ...reasonPersonas,
  ...padPersonas,
  ...civilPersonas,
  ...clearingPersonas,
  ...eventPersonas,
  ...outagePersonas,
];
