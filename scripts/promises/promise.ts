import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { parse } from "yaml";

const text = Type.String({ minLength: 1 });

/** A running test that holds a promise; `test` is its full name as in the source, `describe > test`. */
const proofSchema = Type.Object({ file: text, test: text }, { additionalProperties: false });

/** A measured figure, its sample size in words, and the command that measures it again. */
const figureSchema = Type.Object(
  { value: text, n: text, command: text, date: Type.String({ format: "date" }) },
  { additionalProperties: false },
);

const promiseSchema = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    title: text,
    text,
    tests: Type.Array(proofSchema),
    figures: Type.Optional(Type.Array(figureSchema)),
    /** What this release does not hold, or does not test. */
    missing: Type.Optional(text),
  },
  { additionalProperties: false },
);

export type Proof = Static<typeof proofSchema>;
export type Figure = Static<typeof figureSchema>;
export type Promised = Static<typeof promiseSchema>;

const table = Compile(Type.Array(promiseSchema));

/** Reads docs/promises.yaml. Throws with the places that are wrong. */
export const readPromises = (yaml: string): readonly Promised[] => {
  const value: unknown = parse(yaml);
  if (table.Check(value)) return value;
  const faults = table.Errors(value).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  throw new Error(`docs/promises.yaml:\n${faults.join("\n")}`);
};

export type State = "tested" | "in part" | "not in this release";

/** A promise without tests is not in the release; a promise with a gap is held in part. */
export const stateOf = ({ tests, missing }: Promised): State => {
  if (tests.length === 0) return "not in this release";
  return missing === undefined ? "tested" : "in part";
};
