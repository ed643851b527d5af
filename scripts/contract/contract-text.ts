import { commonFailures, failuresOf, type Route } from "#contract/endpoint";
import { type FailureCode, failureKinds } from "#contract/failure";
import { placeOf } from "#machine/http/openapi-fields";
import { fieldLines, namedLines, namedSchemas } from "./field-lines.ts";
import { isObject, type JsonObject, textsOf } from "./json.ts";

const head = [
  "# The contract, a line for each route, field and failure. A reviewer reads it when the contract changes.",
  "# Written by `npm run golden` from src/contract/. Texts and examples are in openapi.yaml alone.",
  "# `?`: the field may be absent. In a request it may then be null too, and a text empty.",
];

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

/** The schema without the marks of its library. */
const plainOf = (schema: unknown): JsonObject => {
  const plain: unknown = JSON.parse(JSON.stringify(schema));
  return isObject(plain) ? plain : {};
};

const fieldsOf = (
  schema: unknown,
): readonly (readonly [name: string, field: JsonObject, isRequired: boolean])[] => {
  const { properties, required } = plainOf(schema);
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, field]) =>
    isObject(field) ? [[name, field, textsOf(required).includes(name)] as const] : [],
  );
};

const requestLines = (route: Route): readonly string[] =>
  fieldsOf(route.request).flatMap(([name, field, isRequired]) =>
    fieldLines(field, name, isRequired).map((line) => `${placeOf(route, name)} ${line}`),
  );

const answerLines = (schema: unknown, word: string): readonly string[] => {
  const { "x-name": named } = plainOf(schema);
  if (typeof named === "string") return [`${word}: ${named}`];
  return fieldsOf(schema).flatMap(([name, field, isRequired]) =>
    fieldLines(field, name, isRequired).map((line) => `${word} ${line}`),
  );
};

const failureLine = (code: FailureCode): string => `failure ${failureKinds[code].status} ${code}`;

const isCommon = (code: FailureCode): boolean => commonFailures.some((common) => common === code);

const failureLines = (route: Route): readonly string[] =>
  [...new Set(failuresOf(route))]
    .filter((code) => !isCommon(code))
    .map(failureLine)
    .sort();

/** What a route has beside its fields and failures. */
const propertyLines = ({ statuses, files = [], callback, shownOnce, ...route }: Route): readonly string[] => [
  ...(route.keyInQuery === undefined ? [] : [`key in the query: ${route.keyInQuery}`]),
  ...(route.retryReference === undefined ? [] : [`retry by ${route.retryReference}`]),
  ...(route.oneUseToken === undefined ? [] : [`one call for each ${route.oneUseToken}`]),
  ...files.map((type) => `answer as ${type}`),
  ...Object.entries(statuses ?? {}).map(([code, status]) => `answer ${status} at serviceResultCode ${code}`),
  ...(shownOnce?.secrets ?? []).map((member) => `shown once: ${member}`),
  ...(callback === undefined ? [] : answerLines(callback.body, `callback to ${callback.field}`)),
];

const routeLine = ({ method, path, name, scope, tag, credential, cost = 1, deprecated }: Route): string => {
  const marks = [
    ...(credential === "session" ? ["session"] : []),
    ...(deprecated === true ? ["deprecated"] : []),
  ];
  return [`${method} ${path} ${name}`, `scope ${scope}`, `tag ${tag}`, `cost ${cost}`, ...marks].join(", ");
};

const routeLines = (route: Route): readonly string[] => [
  routeLine(route),
  ...indented([
    ...requestLines(route),
    ...answerLines(route.response, "answer"),
    ...propertyLines(route),
    ...failureLines(route),
  ]),
];

/** The schemas with a name, each one once. */
const sharedLines = (routes: readonly Route[]): readonly string[] => {
  const parts = routes.flatMap(({ request, response, callback }) => [
    request,
    response,
    ...(callback === undefined ? [] : [callback.body]),
  ]);
  const schemas = new Map(parts.flatMap((part) => namedSchemas(plainOf(part))));
  return [...schemas]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, schema]) => namedLines(schema, name));
};

/**
 * The contract of the routes as lines: each route in the given order with its fields and failures, then the
 * schemas that several of them share. A change of one field changes its line alone.
 */
export const writeContractText = (routes: readonly Route[]): string => {
  const parts = [
    head,
    ["every route", ...indented(commonFailures.map(failureLine))],
    ...routes.map(routeLines),
    ["schemas with a name", ...indented(sharedLines(routes))],
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
};
