import type { ModelCheck } from "../models/document-model.ts";
import { mayDecline } from "../models/sureness.ts";
import type { Sighting } from "../sources/sighting.ts";

/** Where a value was seen, as a model's checks name it: `mrz.dateOfBirth`, `front.lastName`. */
export const placeOf = ({ source, side, name }: Sighting): string =>
  `${source === "print" ? side : source}.${name}`;

/** How strongly a difference speaks: an exact check whose fact is not sure enough is fuzzy. */
export const strengthOfCheck = (check: ModelCheck): ModelCheck["strength"] =>
  check.strength === "exact" && !mayDecline(check) ? "fuzzy" : check.strength;
