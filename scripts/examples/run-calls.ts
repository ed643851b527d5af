import { setTimeout as sleep } from "node:timers/promises";
import { type ExampleCall, placeTaken } from "#contract/examples/example-call";
import { memberOf } from "../contract/json.ts";

/** The service that the calls are sent to. */
export type CalledService = { readonly url: string; readonly apiKey: string };

/** The answer to one example call. */
export type CallAnswer = { readonly status: number; readonly body: unknown };

type Fields = Readonly<Record<string, unknown>>;

const textsIn = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));

/** Sends a request with these fields. */
export const sendCall = async (
  { url, apiKey }: CalledService,
  { route }: ExampleCall,
  fields: Fields,
): Promise<CallAnswer> => {
  const inPath = (field: string): boolean => route.path.includes(`{${field}}`);
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_whole, field: string) => String(fields[field]));
  const body = Object.fromEntries(Object.entries(fields).filter(([field]) => !inPath(field)));
  const isQuery = route.method === "GET" && Object.keys(body).length > 0;
  const query = isQuery ? `?${new URLSearchParams(textsIn(body))}` : "";
  const hasBody = route.method !== "GET" && Object.keys(body).length > 0;
  const response = await fetch(url + path + query, {
    method: route.method,
    headers: { "x-api-key": apiKey, ...(hasBody && { "content-type": "application/json" }) },
    ...(hasBody && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};

/** The fields of a call with the values that it takes from the answers so far. */
const withTaken = ({ fields, taken = [] }: ExampleCall, answers: ReadonlyMap<string, CallAnswer>): Fields =>
  placeTaken(fields, taken, ({ from, member }) => memberOf(answers.get(from)?.body, ...member.split(".")));

const pauseMs = 250;

const isRepeated = ({ repeatedWhile }: ExampleCall, { body }: CallAnswer): boolean =>
  repeatedWhile !== undefined && memberOf(body, ...repeatedWhile.member.split(".")) === repeatedWhile.value;

/**
 * Sends the calls in their order, each with the values of earlier answers, and returns the answers by name.
 */
export const runCalls = async (
  service: CalledService,
  calls: readonly ExampleCall[],
): Promise<ReadonlyMap<string, CallAnswer>> => {
  const answers = new Map<string, CallAnswer>();
  for (const call of calls) {
    const send = () => sendCall(service, call, withTaken(call, answers));
    let answer = await send();
    while (isRepeated(call, answer)) {
      await sleep(pauseMs);
      answer = await send();
    }
    answers.set(call.name, answer);
  }
  return answers;
};
