import { mayDecline } from "../../values/provenance.ts";
import type { ModelCheck } from "../models/document-model.ts";
import type { FieldReading } from "../sources/field-reading.ts";

/** The place of a reading, as a model's checks name it: `mrz.dateOfBirth`, `front.lastName`. */
export const placeOf = ({ source, side, name }: FieldReading): string =>
  `${source === "print" ? side : source}.${name}`;

/**
 * The strength of a model's check. An exact check is fuzzy where the provenance of its fact may not decline.
 */
export const strengthOfCheck = (check: ModelCheck): ModelCheck["strength"] =>
  check.strength === "exact" && !mayDecline(check) ? "fuzzy" : check.strength;
