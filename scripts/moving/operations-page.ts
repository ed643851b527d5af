import { failuresOf, type Route } from "#contract/endpoint";
import { exampleOf } from "#contract/example";
import {
  type InterfaceOperation,
  interfaceOperations,
  type Members,
} from "../../test/compat/interface-types.ts";
import { isObject } from "../contract/json.ts";
import { propertiesOf, requiredOf, type Schema } from "../contract/read-contract.ts";
import { type Strictness, strictFailures, strictRetry, strictRoutes } from "./strictness.ts";

const operations: ReadonlyMap<string, InterfaceOperation> = new Map(Object.entries(interfaceOperations));

const schemaOf = (schema: unknown): Schema => JSON.parse(JSON.stringify(schema));

const listed = (words: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`${words} ${names.map((name) => `\`${name}\``).join(", ")}`];

const parsed = (text: unknown): unknown => (typeof text === "string" ? JSON.parse(text) : undefined);

/** The members of a value beyond the interface's, with those inside of objects and of JSON texts. */
const moreMembers = (value: unknown, members: Members, place = ""): readonly string[] =>
  Object.entries(isObject(value) ? value : {}).flatMap(([name, part]) => {
    const member = members[name];
    if (member === undefined) return [`${place}${name}`];
    if (typeof member === "string") return [];
    if ("object" in member) return moreMembers(part, member.object, `${place}${name}.`);
    return "json" in member ? moreMembers(parsed(part), member.json, `${place}${name}.`) : [];
  });

/** The answer's example, and beside it the members that an answer has only at times. */
const answerOf = ({ response }: Route): unknown => withAll(schemaOf(response), exampleOf(response));

const withAll = (schema: Schema, example: unknown): unknown => {
  const properties = propertiesOf(schema);
  if (properties.size === 0) return example ?? null;
  const known = isObject(example) ? example : {};
  return Object.fromEntries(
    [...properties].map(([name, property]) => [name, withAll(property, known[name])]),
  );
};

/** What a route takes and answers beyond the interface. */
const widerOf = (route: Route, { required, optional, answer }: InterfaceOperation) => {
  const taken = schemaOf(route.request);
  const known = [...required, ...optional].map((field) => field.split(".")[0]);
  const asked = requiredOf(taken);
  return [
    ...listed(
      "takes",
      [...propertiesOf(taken).keys()].filter((name) => !known.includes(name)),
    ),
    ...listed(
      "does not always need",
      required.filter((name) => !asked.includes(name)),
    ),
    ...listed("answers", moreMembers(answerOf(route), answer)),
  ];
};

const strictOf = (route: Route): readonly Strictness[] => {
  const { name, retryReference, oneUseToken } = route;
  const isRetried = retryReference !== undefined || oneUseToken !== undefined;
  const stated = [
    ...(strictRoutes[name] ?? []),
    ...failuresOf(route).flatMap((code) => strictFailures[code] ?? []),
    ...(isRetried ? [strictRetry] : []),
  ];
  return [...new Set(stated)];
};

/** How a route compares with the interface. A route that is both wider and stricter is called stricter. */
export const compareRoute = (route: Route, operation: InterfaceOperation) => {
  const wider = widerOf(route, operation);
  const strict = strictOf(route);
  const word = strict.length > 0 ? "stricter" : wider.length > 0 ? "wider" : "exact";
  return { word, wider, strict } as const;
};

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const rowOf = (route: Route): string => {
  const at = `\`${route.method} ${route.path}\``;
  const operation = operations.get(route.name);
  if (operation === undefined) throw new Error(`The interface has no operation ${route.name}`);
  const { word, wider, strict } = compareRoute(route, operation);
  return row([at, word, wider.join("; "), strict.map(({ what }) => what).join("; ")]);
};

/** Services of our own. */
const ownServices: readonly string[] = ["verifySignature"];

/**
 * Operations of the operator's console, of capture sessions, verifications and of the sandbox are none of the
 * interface, and neither are services of our own.
 */
export const isOfInterface = ({ name, path }: Route): boolean =>
  !path.startsWith("/operator/") &&
  !path.startsWith("/capture/") &&
  !path.startsWith("/verify/v1/") &&
  !path.startsWith("/sandbox/") &&
  !ownServices.includes(name);

/** The page of the operations compared with the interface, in Markdown: a pure function of the contract. */
export const writeOperationsPage = (routes: readonly Route[]): string => {
  const strict = [...new Set(routes.flatMap(strictOf))];
  return [
    "# Operations compared with the interface",
    "",
    "Written by `npm run golden` from `src/contract/` and `scripts/moving/`. *Exact*: the interface's fields and no others. *Wider*: further",
    "fields, which a client ignores or leaves out. *Stricter*: a decision on security or on the protocol; the second table has its reason,",
    "and what ends or avoids it. Statuses that every operation may answer stand in",
    "[Moving here](../docs/guides/integrate/moving-here.md#answers-that-a-client-must-know).",
    "",
    row(["Operation", "Compared", "Wider in", "Stricter in"]),
    row(["---", "---", "---", "---"]),
    ...routes.filter(isOfInterface).map(rowOf),
    "",
    row(["Stricter in", "Why", "What ends it"]),
    row(["---", "---", "---"]),
    ...strict.map(({ what, reason, switch: end }) => row([what, reason, end])),
    "",
  ].join("\n");
};
