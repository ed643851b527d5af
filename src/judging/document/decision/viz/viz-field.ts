import type { Box } from "#machine/imaging/image";
import type { FieldName } from "../../values/field-name.ts";
import type { ModelField } from "../models/document-model.ts";
import type { ReadConfirmation, TypedValue } from "./read-value.ts";
import type { Segment } from "./segments.ts";

/** The printed value of a field, with its place and its confidence. */
export type VizField = {
  readonly name: FieldName;
  /** The first spelling of its label; absent where it has none. */
  readonly label?: string;
  readonly value: string;
  /** The text as read, lines joined by a blank. */
  readonly raw: string;
  /** 0…1, with the confirmation of the value. */
  readonly confidence: number;
  /** 0…1, of the reader alone. */
  readonly readConfidence: number;
  readonly box: Box;
  readonly confirmedBy?: ReadConfirmation;
  /** A national number whose check digit is wrong. */
  readonly isBroken?: boolean;
  /** The parts of a value that has several labels, in order. */
  readonly parts?: readonly Pick<VizField, "label" | "raw" | "confidence">[];
};

/** A field for which several texts are equally likely: it has no value. */
export type UndecidedField = { readonly name: FieldName; readonly candidates: readonly string[] };

/** The printed fields of a side. `unread`: fields whose label was found without a value of their kind. */
export type VizSide = {
  readonly fields: readonly VizField[];
  readonly unread: readonly FieldName[];
  readonly undecided: readonly UndecidedField[];
};

/** The text that was taken as a field's value. */
export type MatchedText = {
  readonly segments: readonly Segment[];
  readonly typed: TypedValue;
  readonly edits: number;
};

/** A field of the model with its printed value. `isLabelled`: its label was read. */
export type FieldResult = {
  readonly field: ModelField;
  readonly found: VizField | undefined;
  readonly isLabelled: boolean;
};
