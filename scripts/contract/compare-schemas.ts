import { type BreakKind, joined, type SchemaBreak } from "./breaks.ts";
import { isObject } from "./json.ts";
import { alternativesOf, propertiesOf, requiredOf, type Schema } from "./read-contract.ts";

type Compare = (former: Schema, current: Schema, place: string) => readonly SchemaBreak[];

const shown = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

const changed = (
  kind: BreakKind,
  place: string,
  keyword: string,
  values: readonly unknown[],
): SchemaBreak => ({
  kind,
  place,
  change: `${keyword}: ${values.map(shown).join(", now ")}`,
});

const listOf = (schema: Schema): readonly unknown[] | undefined =>
  Array.isArray(schema["enum"]) ? schema["enum"] : undefined;

/** Whether every value of the type `inner` is one of the type `outer`. */
const isWithin = (inner: unknown, outer: unknown): boolean =>
  outer === undefined || inner === outer || (inner === "integer" && outer === "number");

const removedValues = (former: Schema, current: Schema, place: string): readonly SchemaBreak[] => {
  const values = listOf(current);
  const gone = values === undefined ? [] : (listOf(former) ?? []).filter((value) => !values.includes(value));
  return gone.map((value) => ({
    kind: "value-removed",
    place,
    change: `${shown(value)} is no longer listed`,
  }));
};

const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const;
const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const;
const shapes = ["pattern", "format", "contentEncoding", "multipleOf", "uniqueItems"] as const;

const boundOf = (schema: Schema, keyword: string, absent: number): number =>
  typeof schema[keyword] === "number" ? schema[keyword] : absent;

/**
 * Whether every value of the shape `narrow` has the shape `wide`: an absolute URI is a URI reference (RFC
 * 3986, 4.1).
 */
const isShapeWithin = (narrow: unknown, wide: unknown): boolean =>
  narrow === wide || (narrow === "uri" && wide === "uri-reference");

/** Keywords that leave fewer values in `inner` than in `outer`. */
const narrower = (inner: Schema, outer: Schema): readonly string[] => [
  ...upperBounds.filter(
    (keyword) =>
      boundOf(inner, keyword, Number.POSITIVE_INFINITY) < boundOf(outer, keyword, Number.POSITIVE_INFINITY),
  ),
  ...lowerBounds.filter((keyword) => {
    const absent = keyword.startsWith("min") && keyword !== "minimum" ? 0 : Number.NEGATIVE_INFINITY;
    return boundOf(inner, keyword, absent) > boundOf(outer, keyword, absent);
  }),
  ...shapes.filter(
    (keyword) => inner[keyword] !== undefined && !isShapeWithin(outer[keyword], inner[keyword]),
  ),
  ...(listOf(inner) !== undefined && listOf(outer) === undefined ? ["enum"] : []),
];

/** Schemas of the values under any name: `additionalProperties` and `patternProperties`. */
const openOf = (schema: Schema): readonly (readonly [string, Schema])[] => {
  const { patternProperties, additionalProperties } = schema;
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {});
  return [...patterns, ["*", additionalProperties] as const].flatMap(([name, values]) =>
    isObject(values) ? [[name, values] as const] : [],
  );
};

/** Breaks in the parts that both schemas have: items, properties, values under any name. */
const partBreaks = (former: Schema, current: Schema, place: string, compare: Compare) => {
  const items = isObject(former["items"]) && isObject(current["items"]);
  const properties = propertiesOf(current);
  const open = new Map(openOf(current));
  const parts = [...propertiesOf(former)].map(
    ([name, schema]) => [name, schema, properties.get(name)] as const,
  );
  const under = openOf(former).map(([name, schema]) => [name, schema, open.get(name)] as const);
  return [
    ...(items ? compare(Object(former["items"]), Object(current["items"]), `${place}[]`) : []),
    ...[...parts, ...under].flatMap(([name, before, after]) =>
      after === undefined ? [] : compare(before, after, joined(place, name)),
    ),
  ];
};

/** The result of the alternative that fits best: the same type, with the fewest breaks. */
const fewest = (results: readonly (readonly SchemaBreak[])[]): readonly SchemaBreak[] | undefined =>
  [...results].sort((a, b) => a.length - b.length)[0];

/** Breaks of a request: everything that the former schema accepts must be accepted. */
export const requestBreaks: Compare = (former, current, place) =>
  alternativesOf(former).flatMap((one) => {
    const fitting = alternativesOf(current).filter((other) => isWithin(one["type"], other["type"]));
    const results = fitting.map((other) => plainRequestBreaks(one, other, place));
    return fewest(results) ?? [changed("request-narrowed", place, "type", [one["type"], current["type"]])];
  });

const plainRequestBreaks: Compare = (former, current, place) => {
  const fields = propertiesOf(current);
  const before = requiredOf(former);
  const required = requiredOf(current).filter((name) => !before.includes(name));
  const isClosed = current["additionalProperties"] === false && former["additionalProperties"] !== false;
  return [
    ...narrower(current, former).map((keyword) =>
      changed("request-narrowed", place, keyword, [former[keyword], current[keyword]]),
    ),
    ...(isClosed ? [changed("request-narrowed", place, "additionalProperties", [true, false])] : []),
    ...removedValues(former, current, place),
    ...required.map(
      (name): SchemaBreak => ({
        kind: "request-field-required",
        place: joined(place, name),
        change: propertiesOf(former).has(name) ? "is required now" : "a new field is required",
      }),
    ),
    ...[...propertiesOf(former).keys()]
      .filter((name) => !fields.has(name))
      .map(
        (name): SchemaBreak => ({
          kind: "request-field-ignored",
          place: joined(place, name),
          change: "the field is gone, and unknown fields are ignored",
        }),
      ),
    ...partBreaks(former, current, place, requestBreaks),
  ];
};

/**
 * Breaks of an answer: everything that the current schema allows, the former one allowed. New fields are
 * allowed.
 */
export const responseBreaks: Compare = (former, current, place) => {
  const known = alternativesOf(former);
  return alternativesOf(current).flatMap((one) => {
    const fitting = known.filter((other) => isWithin(one["type"], other["type"]));
    const results = fitting.map((other) => plainResponseBreaks(other, one, place));
    return (
      fewest(results) ?? [changed("response-type-changed", place, "type", [typesOf(known), one["type"]])]
    );
  });
};

const typesOf = (schemas: readonly Schema[]): string => schemas.map(({ type }) => String(type)).join(" or ");

const plainResponseBreaks: Compare = (former, current, place) => {
  const fields = propertiesOf(current);
  const required = requiredOf(current);
  const optional = requiredOf(former).filter((name) => fields.has(name) && !required.includes(name));
  return [
    ...narrower(former, current).map((keyword) =>
      changed("response-widened", place, keyword, [former[keyword], current[keyword]]),
    ),
    ...removedValues(former, current, place),
    ...[...propertiesOf(former).keys()]
      .filter((name) => !fields.has(name))
      .map(
        (name): SchemaBreak => ({
          kind: "response-field-removed",
          place: joined(place, name),
          change: "the field is gone",
        }),
      ),
    ...optional.map(
      (name): SchemaBreak => ({
        kind: "response-field-optional",
        place: joined(place, name),
        change: "was always present",
      }),
    ),
    ...partBreaks(former, current, place, responseBreaks),
  ];
};
