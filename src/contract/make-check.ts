import type { Static, TSchema } from "typebox";
import { type TLocalizedValidationError } from "typebox/error";
// typebox/compile loads 150 modules more, for defaults, conversions and codecs. A check needs none of them.
import { Compile } from "typebox/schema";

/** The check of values against a schema. Made by {@link makeCheck}. */
export type SchemaCheck<Schema extends TSchema> = {
  readonly Check: (value: unknown) => value is Static<Schema>;
  /** Returns the value. Throws Error where it is not of the schema. */
  readonly Parse: (value: unknown) => Static<Schema>;
  readonly Errors: (value: unknown) => readonly TLocalizedValidationError[];
};

type Compiled = {
  readonly Check: (value: unknown) => boolean;
  readonly Errors: (value: unknown) => readonly [boolean, readonly TLocalizedValidationError[]];
};

const compile = (schema: TSchema): Compiled => Compile(schema);

/**
 * Compiles the schema at the first value. A service has 260 schemas and checks values of a tenth of them at
 * its start: the others would take a tenth of a second of processor time from each start.
 *
 * @example
 * ```ts
 * import { Type } from "typebox";
 * import { makeCheck } from "#contract/make-check";
 *
 * const person = makeCheck(Type.Object({ name: Type.String(), age: Type.Integer() }));
 *
 * // The value has the type of the schema after the check.
 * export const nameIn = (value: unknown): string | undefined =>
 *   person.Check(value) ? value.name : undefined;
 * ```
 */
export const makeCheck = <const Schema extends TSchema>(schema: Schema): SchemaCheck<Schema> => {
  let compiled: Compiled | undefined;
  const check = (): Compiled => (compiled ??= compile(schema));
  const isOfSchema = (value: unknown): value is Static<Schema> => check().Check(value);
  const errorsOf = (value: unknown) => check().Errors(value)[1];
  return {
    Check: isOfSchema,
    Parse: (value) => {
      if (isOfSchema(value)) return value;
      throw new Error("The value is not of its schema", { cause: errorsOf(value) });
    },
    Errors: errorsOf,
  };
};
