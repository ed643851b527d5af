import { failuresOf, type Route } from "#contract/endpoint";
import { type FailureCode, failureKinds, uniformFailures } from "#contract/failure";
import type { Json } from "#contract/json";

/**
 * Failures that stand together in many routes. In the name of a component a group's name takes the place of
 * its codes.
 */
const groups: Readonly<Record<string, readonly FailureCode[]>> = {
  unreadable: ["http_unreadable", "json_unreadable", "request_invalid"],
  unsupported: ["encoding_unsupported", "media_type_unsupported"],
  unavailable: ["overloaded", "shutting_down", "store_unavailable"],
  idempotency: [
    "idempotency_answer_lost",
    "idempotency_call_running",
    "idempotency_key_reused",
    "idempotency_key_taken",
  ],
  image: ["image_too_large", "image_unreadable", "image_unsupported"],
  token: ["token_expired", "token_unreadable", "token_wrong_kind"],
};

/** Characters of a name that codes make. With more, a reference takes several lines. */
const nameLengthMax = 60;

/** Failures grouped by status, in the order of statuses. */
const sharedStatuses = (route: Route): readonly (readonly FailureCode[])[] => {
  const codes = [...new Set(failuresOf(route))].sort();
  const statuses = [...new Set(codes.map((code) => failureKinds[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => codes.filter((code) => failureKinds[code].status === status));
};

const statusOf = ([code]: readonly FailureCode[]): number =>
  code === undefined ? 500 : failureKinds[code].status;

/**
 * The name of failures of one status among the components: their groups and other codes, or the first route
 * that has them.
 */
const nameOf = (codes: readonly FailureCode[], { name }: Route): string => {
  const whole = Object.entries(groups).filter(([, group]) => group.every((code) => codes.includes(code)));
  const others = codes.filter((code) => !whole.some(([, group]) => group.includes(code)));
  const ofCodes = [...whole.map(([group]) => group), ...others].join("-");
  return ofCodes.length > nameLengthMax ? `${statusOf(codes)}-of-${name}` : ofCodes;
};

/** The refusals of a document. */
export type SharedRefusals = {
  /** Each set of failures that some route uses, once. */
  readonly components: Readonly<Record<string, Json>>;
  /** The refusals of a route, by status. */
  readonly of: (route: Route) => Readonly<Record<string, Json>>;
};

/** Collects the refusals of the routes. */
export const shareRefusals = (routes: readonly Route[]): SharedRefusals => {
  const sets = new Map<string, { readonly name: string; readonly codes: readonly FailureCode[] }>();
  for (const route of routes) {
    for (const codes of sharedStatuses(route)) {
      if (!sets.has(codes.join())) sets.set(codes.join(), { name: nameOf(codes, route), codes });
    }
  }
  const stated = [...sets.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  const referenceTo = (codes: readonly FailureCode[]): Json => ({
    $ref: `#/components/responses/${sets.get(codes.join())?.name}`,
  });
  return {
    components: Object.fromEntries(stated.map(({ name, codes }) => [name, refusal(codes)])),
    of: (route) =>
      Object.fromEntries(sharedStatuses(route).map((codes) => [String(statusOf(codes)), referenceTo(codes)])),
  };
};

/** The text of an answer with a `message` alone. */
const messageOf = (status: number): string | undefined =>
  status === 401 ? "Unauthorized" : status === 504 ? "Request timed out" : undefined;

const withTitle = (code: FailureCode): string => `\`${code}\`: ${failureKinds[code].title}.`;

/** One code with its title, or the codes: a reader of the document chooses among examples by their titles. */
const describe = ([first, ...others]: readonly FailureCode[]): string => {
  if (first === undefined) return "";
  if (others.length === 0) return withTitle(first);
  return `${[first, ...others].map((code) => `\`${code}\``).join(", ")}.`;
};

const refusal = (codes: readonly FailureCode[]): Json => {
  const status = statusOf(codes);
  const message = messageOf(status);
  if (message !== undefined) {
    const content = {
      "application/json": { schema: { $ref: "#/components/schemas/Message" }, example: { message } },
    };
    return { description: describe(codes), content };
  }
  const examples = Object.fromEntries(
    codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const),
  );
  return {
    description: describe(codes),
    ...(codes.some((code) => failureKinds[code].retry === "later") &&
      status !== 500 && { headers: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } } }),
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" }, examples } },
  };
};

/** The examples of all refusals of the routes, by their codes. */
export const problemExamples = (routes: readonly Route[]): Readonly<Record<string, Json>> => {
  const codes = [...new Set(routes.flatMap(failuresOf))].sort();
  const withProblem = codes.filter((code) => messageOf(failureKinds[code].status) === undefined);
  return Object.fromEntries(withProblem.map(exampleOf));
};

const exampleOf = (code: FailureCode): readonly [string, Json] => [
  code,
  { summary: failureKinds[code].title, value: problemExample(code) },
];

const problemExample = (code: FailureCode): Json => ({
  type: `https://idem.example.org/errors/${code}`,
  title: failureKinds[code].title,
  status: failureKinds[code].status,
  detail: failureKinds[code].detail,
  failure: code,
  ...(code === "request_invalid" && { code: 1102, errors: ["token1: is required"] }),
  ...(!uniformFailures.includes(code) && { requestId: "8f7c1f9e-5c1e-4a52-9a53-0b6f1d5a7c11" }),
});
