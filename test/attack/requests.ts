import fc from "fast-check";
import { isObject, textsOf } from "../../scripts/contract/json.ts";
import {
  alternativesOf,
  type Operation,
  propertiesOf,
  requiredOf,
  type Schema,
} from "../../scripts/contract/read-contract.ts";

/**
 * Values that are worth sending in a field of this name: sound images, tokens and references of the service.
 */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

type Values = fc.Arbitrary<unknown>;

const numberIn = (schema: Schema, keyword: string, absent: number): number =>
  typeof schema[keyword] === "number" ? schema[keyword] : absent;

const dateTimes = fc
  .date({ min: new Date("1900-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Longer texts than any field of the contract allows are left to the faulty values. */
const textMax = 300;

const textsFor = (schema: Schema): Values => {
  const { pattern, format, contentEncoding } = schema;
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern));
  if (format === "date-time") return dateTimes;
  if (contentEncoding === "base64") {
    return fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString("base64"));
  }
  const minLength = numberIn(schema, "minLength", 0);
  const maxLength = Math.min(numberIn(schema, "maxLength", textMax), textMax);
  return fc.string({ minLength, maxLength, unit: "binary" });
};

/** Values of a schema without alternatives. */
const plainValues = (schema: Schema, known: KnownValues): Values => {
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...schema["enum"]);
  switch (schema["type"]) {
    case "object":
      return objectsOf(schema, known);
    case "array": {
      const items = isObject(schema["items"]) ? schema["items"] : {};
      const maxLength = Math.min(numberIn(schema, "maxItems", 5), 5);
      return fc.array(valuesOf(items, known), { minLength: numberIn(schema, "minItems", 0), maxLength });
    }
    case "integer":
      return fc.integer({ min: numberIn(schema, "minimum", -1e9), max: numberIn(schema, "maximum", 1e9) });
    case "number":
      return fc.double({
        min: numberIn(schema, "minimum", -1e9),
        max: numberIn(schema, "maximum", 1e9),
        noNaN: true,
      });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return textsFor(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
};

/** Values of a schema; often its own examples, since most drawn texts end at the first check. */
const valuesOf = (schema: Schema, known: KnownValues, name = ""): Values => {
  const drawn = fc.oneof(...alternativesOf(schema).map((one) => plainValues(one, known)));
  const examples: readonly unknown[] = Array.isArray(schema["examples"]) ? schema["examples"] : [];
  const better = [...(known[name] ?? []), ...examples];
  return better.length === 0 ? drawn : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...better) }, drawn);
};

const recordOf = (
  fields: readonly (readonly [name: string, values: Values])[],
  requiredKeys: readonly string[],
): fc.Arbitrary<Record<string, unknown>> => {
  const model: Record<string, Values> = Object.fromEntries(fields);
  return fc.record(model, { requiredKeys: [...requiredKeys] });
};

const objectsOf = (schema: Schema, known: KnownValues): fc.Arbitrary<Record<string, unknown>> =>
  recordOf(
    [...propertiesOf(schema)].map(([name, property]) => [name, valuesOf(property, known, name)] as const),
    requiredOf(schema),
  );

/** Values that hardly any field accepts. */
const faulty: Values = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0.5, 1e308, "", " ", "\0", "\ud800", "a".repeat(70_000), [], {}, [
    [[]],
  ]),
  fc.string({ unit: "binary" }),
  fc.jsonValue({ maxDepth: 3 }),
);

type Change = (fields: Record<string, unknown>) => Record<string, unknown>;

/** Removes, replaces or adds one field, at the top or one level below. */
const changes = (names: readonly string[]): fc.Arbitrary<Change> => {
  const name = names.length === 0 ? fc.constant("a") : fc.constantFrom(...names);
  return fc.oneof(
    name.map(
      (at): Change =>
        ({ [at]: _gone, ...rest }) =>
          rest,
    ),
    fc.tuple(name, faulty).map(
      ([at, value]): Change =>
        (fields) => ({ ...fields, [at]: value }),
    ),
    fc.tuple(name, faulty).map(
      ([at, value]): Change =>
        (fields) => {
          const inner = fields[at];
          return isObject(inner)
            ? { ...fields, [at]: { ...inner, operationId: value } }
            : { ...fields, [at]: [inner] };
        },
    ),
    fc.tuple(fc.constantFrom("__proto__", "constructor", "toString", "x", ""), faulty).map(
      ([at, value]): Change =>
        (fields) =>
          Object.fromEntries([...Object.entries(fields), [at, value]]),
    ),
  );
};

/** A generated request: path and query filled, headers, and the body's value. */
export type Generated = {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: object;
};

const parametersOf = (operation: Operation, known: KnownValues): fc.Arbitrary<Record<string, unknown>> => {
  const all = operation.parameters.map(({ name, schema, example }) => {
    const { examples: _examples, ...rest } = schema;
    const better = [...(known[name] ?? []), ...(example === undefined ? [] : [example])];
    const drawn = valuesOf(rest, known);
    return [name, better.length === 0 ? drawn : fc.oneof(fc.constantFrom(...better), drawn)] as const;
  });
  const requiredKeys = operation.parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return recordOf(all, requiredKeys);
};

/**
 * Requests that the schema accepts, and requests with up to three faults, in equal parts. Some start from the
 * example of the operation: drawn fields rarely keep the rules between fields.
 */
export const requestsOf = (operation: Operation, known: KnownValues): fc.Arbitrary<Generated> => {
  const [schema = {}] = operation.bodies.values();
  const names = textsOf([...propertiesOf(schema).keys()]);
  const drawn = objectsOf(schema, known);
  const { bodyExample } = operation;
  const sound = isObject(bodyExample)
    ? fc.oneof({ weight: 3, arbitrary: drawn }, fc.constant(bodyExample))
    : drawn;
  const broken = fc
    .tuple(sound, fc.array(changes(names), { minLength: 1, maxLength: 3 }))
    .map(([fields, list]) => list.reduce<object>((at, change) => change({ ...at }), fields));
  return fc.record({ parameters: parametersOf(operation, known), body: fc.oneof(sound, broken) });
};
