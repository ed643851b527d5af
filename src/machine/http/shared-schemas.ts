import { isGroup, type Json } from "#contract/json";
import { isSchema, plain } from "./plain-schema.ts";

/** Schemas by their names among the components. */
type NamedSchemas = readonly (readonly [name: string, schema: unknown])[];

/** The schemas of a document. Each schema with a name occurs once. */
export type SharedSchemas = {
  readonly components: Readonly<Record<string, Json>>;
  /**
   * The schema with references: each part that has a name, or the whole schema, is replaced by a reference.
   */
  readonly refer: (schema: unknown) => Json;
};

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const textOf = (schema: unknown): string => JSON.stringify(plain(schema));

const nameOf = (value: unknown): string | undefined => {
  const name = isSchema(value) ? value["x-name"] : undefined;
  return typeof name === "string" ? name : undefined;
};

/**
 * The parts of schemas that name themselves (`x-name`) and stand in several places. Parts of equal schemas
 * count once.
 */
const repeatedParts = (schemas: readonly unknown[]): NamedSchemas => {
  const seen = new Set<string>();
  const repeated = new Map<string, readonly [string, unknown]>();
  const isFirst = (text: string): boolean => seen.size < seen.add(text).size;
  const count = (value: unknown, isWhole: boolean): void => {
    const name = nameOf(value);
    const text = isWhole || name !== undefined ? textOf(value) : undefined;
    if (text !== undefined && !isFirst(text)) {
      if (name !== undefined) repeated.set(text, [name, value]);
      return;
    }
    for (const part of partsOf(value)) count(part, false);
  };
  for (const schema of schemas) count(schema, true);
  return [...repeated.values()];
};

const partsOf = (value: unknown): readonly unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value) : [];

const namedParts = (value: unknown): NamedSchemas => {
  const name = nameOf(value);
  return [...(name === undefined ? [] : [[name, value] as const]), ...partsOf(value).flatMap(namedParts)];
};

/** Throws where one name has two schemas. */
const refuseNamesakes = (named: NamedSchemas): void => {
  const texts = new Map<string, string>();
  for (const [name, schema] of named) {
    const text = textOf(schema);
    if (texts.has(name) && texts.get(name) !== text) throw new Error(`Two schemas have the name ${name}`);
    texts.set(name, text);
  }
};

/** Examples are values, which may look like a schema. */
const referParts = (names: ReadonlyMap<string, string>, value: Json): Json => {
  if (Array.isArray(value)) return value.map((part) => referTo(names, part));
  if (!isGroup(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === "examples" ? part : referTo(names, part)]),
  );
};

const referTo = (names: ReadonlyMap<string, string>, value: Json): Json => {
  const name = isGroup(value) ? names.get(JSON.stringify(value)) : undefined;
  return name === undefined ? referParts(names, value) : reference(name);
};

/**
 * Collects the given components, and the parts that name themselves (`x-name`) and stand in several of them
 * or of the others. A part that equals one of these is a reference to it, and so is a component that equals
 * an earlier one. Throws where one name has two schemas.
 */
export const shareSchemas = (components: NamedSchemas, others: readonly unknown[] = []): SharedSchemas => {
  const schemas = [...components.map(([, schema]) => schema), ...others];
  refuseNamesakes([...schemas.flatMap(namedParts), ...components]);
  const named = [...repeatedParts(schemas), ...components];
  // A Map keeps the last of several equal texts, so the first name comes last.
  const names = new Map(named.map(([name, schema]) => [textOf(schema), name] as const).reverse());
  const componentOf = (name: string, schema: Json): Json => {
    const first = names.get(JSON.stringify(schema)) ?? name;
    return first === name ? referParts(names, schema) : reference(first);
  };
  return {
    components: Object.fromEntries(named.map(([name, schema]) => [name, componentOf(name, plain(schema))])),
    refer: (schema) => referTo(names, plain(schema)),
  };
};
