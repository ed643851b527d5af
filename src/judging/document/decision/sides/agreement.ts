import type { FieldName } from "../../values/field-name.ts";

/**
 * What print and the data of a document have in common.
 * - `number`: a number of the MRZ or the barcode.
 * - `name`: every surname and given name that the MRZ or the barcode has, and no other one beside them.
 * - `birth`: the birth date.
 *
 * `values`: read at their labels. `text`: they stand in the text, without a known label.
 */
export type Agreement = {
  readonly kind: "number" | "name" | "birth";
  readonly by: "values" | "text";
  readonly fields: readonly FieldName[];
};
