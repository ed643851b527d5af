import type { Route } from "#contract/endpoint";
import { exampleAnswers, exampleTemplate, firstLineOfPdf } from "#contract/examples/answers";
import { exampleCalls, exampleCallsOf } from "#contract/examples/calls";
import type { ExampleCall } from "#contract/examples/example-call";
import { failureKinds } from "#contract/failure";
import type { Json } from "#contract/json";
import { hasBody, placeOf } from "./openapi-fields.ts";

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

const bodyOf = ({ route, fields }: ExampleCall): Json | undefined => {
  if (!hasBody(route)) return undefined;
  const inBody = Object.entries(fields).filter(([field]) => placeOf(route, field) === "body");
  return JSON.parse(JSON.stringify(Object.fromEntries(inBody)));
};

/** What the body of a call shows, and what it answers as it stands; undefined for a call without a body. */
const requestExample = (call: ExampleCall): Json | undefined => {
  const body = bodyOf(call);
  if (body === undefined) return undefined;
  const description =
    call.taken === undefined
      ? aloneOf(call)
      : `${sourcesOf(call)} (${routeNameOf(call.taken[0]?.from ?? "")}). ${aloneOf(call)}`;
  return { summary: call.summary, ...(description && { description }), value: body };
};

/** Why a text of an answer is not what a service answers, by the text that stands in its place. */
const standIns: readonly (readonly [text: string, sentence: string])[] = [
  [firstLineOfPdf, "The PDF is shortened here to its first line."],
  [exampleTemplate, "The template is shortened here: no service opens it."],
];

/** What a service answered to a call; undefined where no answer is recorded. */
const answerExample = ({ name, summary }: ExampleCall): Json | undefined => {
  const value = exampleAnswers[name];
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  const stated = standIns.filter(([standIn]) => text.includes(`"${standIn}"`));
  const description = stated.map(([, sentence]) => sentence).join(" ");
  return { summary, ...(description && { description }), value };
};

/** Names of examples among the components, by their text. */
type Names = ReadonlyMap<string, string>;

/** The examples of the calls with their names. Of a call and its answer, the answer has the longer name. */
const statedExamples = (routes: readonly Route[]) =>
  routes
    .flatMap(exampleCallsOf)
    .flatMap((call) => [
      ...namedAs(call.name, requestExample(call)),
      ...namedAs(`${call.name}Answer`, answerExample(call)),
    ]);

const namedAs = (name: string, example: Json | undefined): readonly (readonly [string, Json])[] =>
  example === undefined ? [] : [[name, example]];

/** The media type's `examples` of a route: references by the names of its calls. */
const references = (
  names: Names,
  route: Route,
  exampleOf: (call: ExampleCall) => Json | undefined,
): { readonly examples?: Json } => {
  const stated = exampleCallsOf(route).flatMap((call) => {
    const name = names.get(JSON.stringify(exampleOf(call)));
    return name === undefined ? [] : [[call.name, { $ref: `#/components/examples/${name}` }] as const];
  });
  return stated.length === 0 ? {} : { examples: Object.fromEntries(stated) };
};

/** The examples of calls and of their answers. */
export type SharedExamples = {
  /** Each different one once, under the name of the first call that has it. */
  readonly components: Readonly<Record<string, Json>>;
  readonly ofRequest: (route: Route) => { readonly examples?: Json };
  readonly ofAnswer: (route: Route) => { readonly examples?: Json };
};

/** Collects the examples of the routes. */
export const shareExamples = (routes: readonly Route[]): SharedExamples => {
  const stated = statedExamples(routes);
  // A Map keeps the last of several equal texts, so the first call comes last.
  const names = new Map(stated.map(([name, example]) => [JSON.stringify(example), name] as const).reverse());
  const ownNames = new Set(names.values());
  return {
    components: Object.fromEntries(stated.filter(([name]) => ownNames.has(name))),
    ofRequest: (route) => references(names, route, (call) => requestExample(call)),
    ofAnswer: (route) => references(names, route, answerExample),
  };
};

/** A sentence for an operation whose parameter comes from an earlier answer; none for the others. */
export const describeTaken = (route: Route): readonly string[] => {
  const call = exampleCallsOf(route).find(({ taken = [] }) =>
    taken.some(({ field }) => route.path.includes(`{${field}}`)),
  );
  return call === undefined ? [] : [`In the example ${sourcesOf(call)}. ${aloneOf(call)}`];
};
