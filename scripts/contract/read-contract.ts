import { parse } from "yaml";
import { isObject, type JsonObject, memberOf, textsOf } from "./json.ts";

/** A JSON Schema without references. */
export type Schema = JsonObject;

/** One status of an operation. */
export type Answer = {
  /** Schemas by media type. */
  readonly contents: ReadonlyMap<string, Schema>;
  /** Names of the stated headers, in lower case. */
  readonly headers: readonly string[];
  /** Failure codes of the problem details; empty where the contract names none. */
  readonly codes: readonly string[];
};

export type Parameter = {
  readonly place: string;
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  readonly example: unknown;
};

export type Operation = {
  /** Method and path, such as `POST /services/detokenize`. */
  readonly name: string;
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Names of the accepted security schemes; empty where no key is needed. */
  readonly security: readonly string[];
  readonly parameters: readonly Parameter[];
  /** Schemas of the body by media type; empty where the operation takes no body. */
  readonly bodies: ReadonlyMap<string, Schema>;
  /** The first example of the body; undefined where there is none. */
  readonly bodyExample: unknown;
  /** Answers by status. */
  readonly answers: ReadonlyMap<string, Answer>;
};

export type Contract = { readonly version: string; readonly operations: readonly Operation[] };

const methods: readonly string[] = ["get", "put", "post", "delete", "patch", "head", "options", "trace"];

/** Deeper than any schema of the contract; a reference to itself ends here. */
const depthMax = 64;

const referred = (root: unknown, reference: string): unknown => {
  const parts = reference.replace(/^#\//, "").split("/");
  return parts.reduce<unknown>((at, part) => memberOf(at, part), root);
};

/** The value with every `$ref` of the document replaced by its target. */
const withoutReferences = (root: unknown, value: unknown, depth = 0): unknown => {
  if (depth > depthMax) throw new Error(`The contract is nested more than ${depthMax} deep`);
  if (Array.isArray(value)) return value.map((item) => withoutReferences(root, item, depth + 1));
  if (!isObject(value)) return value;
  const reference = value["$ref"];
  if (typeof reference === "string") {
    const target = referred(root, reference);
    if (target === undefined) throw new Error(`The contract has no ${reference}`);
    return withoutReferences(root, target, depth + 1);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withoutReferences(root, part, depth + 1)]),
  );
};

const schemasOf = (content: unknown): ReadonlyMap<string, Schema> =>
  new Map(
    Object.entries(isObject(content) ? content : {}).map(([type, media]) => {
      const schema = memberOf(media, "schema");
      return [type, isObject(schema) ? schema : {}];
    }),
  );

const answerOf = (response: unknown): Answer => {
  const content = memberOf(response, "content");
  const examples = memberOf(content, "application/problem+json", "examples");
  const headers = memberOf(response, "headers");
  return {
    contents: schemasOf(content),
    headers: Object.keys(isObject(headers) ? headers : {}).map((name) => name.toLowerCase()),
    codes: Object.keys(isObject(examples) ? examples : {}),
  };
};

const parameterOf = (stated: unknown): Parameter => {
  const schema = memberOf(stated, "schema");
  const [example] = Object.values(Object(memberOf(schema, "examples")));
  return {
    place: String(memberOf(stated, "in")),
    name: String(memberOf(stated, "name")),
    isRequired: memberOf(stated, "required") === true,
    schema: isObject(schema) ? schema : {},
    example,
  };
};

const securityOf = (document: JsonObject, operation: JsonObject): readonly string[] => {
  const stated = operation["security"] ?? document["security"];
  return Array.isArray(stated) ? stated.flatMap((one) => Object.keys(Object(one))).sort() : [];
};

const firstExampleOf = (media: unknown): unknown => {
  const examples = memberOf(media, "examples");
  const [first] = Object.values(isObject(examples) ? examples : {});
  return memberOf(first, "value") ?? memberOf(media, "example");
};

const operationOf = (document: JsonObject, path: string, method: string, stated: JsonObject): Operation => {
  const { parameters, responses, requestBody } = stated;
  const content = memberOf(requestBody, "content");
  const answers = Object.entries(isObject(responses) ? responses : {});
  return {
    name: `${method.toUpperCase()} ${path}`,
    id: String(stated["operationId"]),
    method: method.toUpperCase(),
    path,
    security: securityOf(document, stated),
    parameters: Array.isArray(parameters) ? parameters.map(parameterOf) : [],
    bodies: schemasOf(content),
    bodyExample: firstExampleOf(memberOf(content, "application/json")),
    answers: new Map(answers.map(([status, response]) => [status, answerOf(response)])),
  };
};

/**
 * Reads a document in YAML, with every `$ref` inside of it replaced by its target. Throws for a reference
 * without target.
 */
export const readDocument = (yaml: string): unknown => {
  const source: unknown = parse(yaml);
  return withoutReferences(source, source);
};

/**
 * Reads an OpenAPI 3.1 document in YAML: its operations with all references replaced. Throws for a reference
 * without target and for a document without paths.
 */
export const readContract = (yaml: string): Contract => {
  const document = readDocument(yaml);
  if (!isObject(document) || !isObject(document["paths"])) throw new Error("The contract has no paths");
  const operations = Object.entries(document["paths"]).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, stated]) =>
      methods.includes(method) && isObject(stated) ? [operationOf(document, path, method, stated)] : [],
    ),
  );
  return { version: String(memberOf(document, "info", "version")), operations };
};

/** The names in `required` of an object schema. */
export const requiredOf = (schema: Schema): readonly string[] => textsOf(schema["required"]);

/** The properties of an object schema. */
export const propertiesOf = (schema: Schema): ReadonlyMap<string, Schema> => {
  const { properties } = schema;
  const entries = Object.entries(isObject(properties) ? properties : {});
  return new Map(entries.filter((entry): entry is [string, Schema] => isObject(entry[1])));
};

/** The alternatives of a schema: `anyOf`, `oneOf`, lists of types and `const` become single plain schemas. */
export const alternativesOf = (schema: Schema): readonly Schema[] => {
  const { anyOf, oneOf, type, const: constant, ...rest } = schema;
  const several = [anyOf, oneOf].find(Array.isArray);
  if (several !== undefined) return several.filter(isObject).flatMap((one) => alternativesOf(one));
  if (Array.isArray(type)) return type.flatMap((one) => alternativesOf({ ...rest, type: one }));
  if (constant !== undefined) return [{ ...rest, ...(type !== undefined && { type }), enum: [constant] }];
  return [schema];
};
