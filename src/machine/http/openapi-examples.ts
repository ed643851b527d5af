import type { Route } from "#contract/endpoint";
import { exampleAnswers, firstLineOfPdf } from "#contract/examples/answers";
import { exampleCalls, exampleCallsOf } from "#contract/examples/calls";
import { type ExampleCall, placeTaken, type TakenValue } from "#contract/examples/example-call";
import { failureKinds } from "#contract/failure";
import type { Json } from "#contract/json";

type Place = "path" | "query" | "body";
type PlaceOf = (route: Route, field: string) => Place;

const routeNameOf = (call: string): string =>
  exampleCalls.find(({ name }) => name === call)?.route.name ?? call;

const aloneOf = ({ alone }: ExampleCall): string =>
  alone === undefined ? "" : `As it stands: ${failureKinds[alone].status}, \`${alone}\`.`;

const sourcesOf = (call: ExampleCall): string =>
  (call.taken ?? [])
    .map(
      ({ field, from, member }) => `\`${field}\` is \`${member}\` of the answer to the example \`${from}\``,
    )
    .join("; ");

/** The examples of a request's body, by name. Each says what it answers as it stands. */
export const requestExamples = (route: Route, placeOf: PlaceOf): { readonly examples?: Json } => {
  const calls = exampleCallsOf(route).map((call) => {
    const body = Object.entries(call.fields).filter(([field]) => placeOf(route, field) === "body");
    const description =
      call.taken === undefined
        ? aloneOf(call)
        : `${sourcesOf(call)} (${routeNameOf(call.taken[0]?.from ?? "")}). ${aloneOf(call)}`;
    const value: Json = JSON.parse(JSON.stringify(Object.fromEntries(body)));
    return [call.name, { summary: call.summary, ...(description && { description }), value }] as const;
  });
  return calls.length === 0 ? {} : { examples: Object.fromEntries(calls) };
};

const shortened = "The PDF is shortened here to its first line.";

/** What the service answered to the examples of a route, by their names. */
export const answerExamples = (route: Route): { readonly examples?: Json } => {
  const answers = exampleCallsOf(route).flatMap(({ name, summary }) => {
    const value = exampleAnswers[name];
    if (value === undefined) return [];
    const isShortened = JSON.stringify(value).includes(`"${firstLineOfPdf}"`);
    return [[name, { summary, ...(isShortened && { description: shortened }), value }] as const];
  });
  return answers.length === 0 ? {} : { examples: Object.fromEntries(answers) };
};

/** A sentence for an operation whose parameter comes from an earlier answer; none for the others. */
export const describeTaken = (route: Route): readonly string[] => {
  const call = exampleCallsOf(route).find(({ taken = [] }) =>
    taken.some(({ field }) => route.path.includes(`{${field}}`)),
  );
  return call === undefined ? [] : [`In the example ${sourcesOf(call)}. ${aloneOf(call)}`];
};

/** OpenAPI links: which values of this route's answer other operations take. */
export const linksFrom = (route: Route): Json | undefined => {
  const names = exampleCallsOf(route).map(({ name }) => name);
  const links = exampleCalls.flatMap((call) => {
    const taken = (call.taken ?? []).filter(({ from }) => names.includes(from));
    return taken.length === 0 ? [] : [[call.route.name, linkTo(call, taken)] as const];
  });
  return links.length === 0 ? undefined : Object.fromEntries(links);
};

const linkTo = ({ route, fields }: ExampleCall, taken: readonly TakenValue[]): Json => {
  const { name, path, method } = route;
  const isInPath = ({ field }: TakenValue): boolean => path.includes(`{${field}}`);
  const isParameter = (one: TakenValue): boolean => method === "GET" || isInPath(one);
  const parameters = expressionsOf(taken.filter(isParameter));
  const requestBody = expressionsOf(taken.filter((one) => !isParameter(one)));
  const others = Object.keys(fields).filter((one) => !(one in parameters || one in requestBody));
  const isDescribed = others.length > 0 && !taken.every(isInPath);
  return {
    operationId: name,
    ...(isDescribed && { description: `Beside the caller's own ${others.join(", ")}.` }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(Object.keys(requestBody).length > 0 && { requestBody }),
  };
};

/** The taken values as runtime expressions of OpenAPI, by their fields. */
const expressionsOf = (taken: readonly TakenValue[]): { readonly [field: string]: Json } =>
  JSON.parse(
    JSON.stringify(placeTaken({}, taken, ({ member }) => `$response.body#/${member.replaceAll(".", "/")}`)),
  );
