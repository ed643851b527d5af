import { setTimeout as sleep } from "node:timers/promises";
import { memberOf } from "../../scripts/contract/json.ts";

/** A call of a persona as the API shows it. */
export type ShownCall = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly taken: readonly { readonly field: string; readonly from: string; readonly member: string }[];
  readonly repeatedWhile?: { readonly member: string; readonly value: unknown };
  readonly status: number;
  readonly expected: Readonly<Record<string, unknown>>;
  readonly reasons?: readonly number[];
  readonly civil?: { readonly field: string; readonly code: string };
};

export type ShownPersona = {
  readonly name: string;
  readonly judgedBy: "engines" | "steered";
  readonly produces: readonly { readonly table: string; readonly value: string | number }[];
  readonly calls: readonly ShownCall[];
};

export type Target = { readonly url: string; readonly apiKey: string };

/** A difference between the promise of a persona and the answer of the service. */
export type Broken = { readonly call: string; readonly promised: unknown; readonly answered: unknown };

/** The member of an answer; a text that is JSON is read on the way. */
const read = (body: unknown, path: string): unknown => {
  let value = body;
  for (const name of path.split(".")) {
    if (typeof value === "string") value = JSON.parse(value);
    value = memberOf(value, name);
  }
  return value;
};

export const get = async ({ url, apiKey }: Target, path: string): Promise<Response> =>
  await fetch(url + path, { headers: { "x-api-key": apiKey } });

const send = async (
  { url, apiKey }: Target,
  { method, path, body }: ShownCall,
  taken: Readonly<Record<string, unknown>>,
) => {
  const response = await fetch(url + path, {
    method,
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ ...body, ...taken }),
  });
  return { status: response.status, body: await response.json() };
};

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const differences = (
  call: ShownCall,
  answer: { readonly status: number; readonly body: unknown },
): readonly Broken[] => {
  const { name, status, expected, reasons = [] } = call;
  const broken: Broken[] = [];
  if (answer.status !== status) broken.push({ call: name, promised: status, answered: answer });
  for (const [path, promised] of Object.entries(expected)) {
    const answered = read(answer.body, path);
    if (!isSame(promised, answered)) broken.push({ call: `${name}: ${path}`, promised, answered });
  }
  const further = read(answer.body, "verification.additionalReasonCodes");
  const stated = [read(answer.body, "verification.reasonCode"), ...(Array.isArray(further) ? further : [])];
  const missing = reasons.filter((code) => !stated.includes(code));
  if (missing.length > 0) broken.push({ call: `${name}: reasons`, promised: reasons, answered: stated });
  const { civil } = call;
  const fields: unknown = read(answer.body, "civilDataValidation");
  const found = Array.isArray(fields) && fields.find((one) => memberOf(one, "field") === civil?.field);
  if (civil !== undefined && memberOf(found, "code") !== civil.code) {
    broken.push({ call: `${name}: ${civil.field}`, promised: civil.code, answered: answer });
  }
  return broken;
};

/**
 * The answers to the calls of a persona, by the names of the calls, and where they differ from its promise.
 */
export type PersonaRun = {
  readonly answers: ReadonlyMap<string, unknown>;
  readonly broken: readonly Broken[];
};

/** Sends the calls of a persona in their order and compares each answer with its promise. */
export const runPersona = async (target: Target, persona: ShownPersona): Promise<readonly Broken[]> =>
  (await runCalls(target, persona.calls)).broken;

/** As {@link runPersona}, with the answers. */
export const runCalls = async (target: Target, calls: readonly ShownCall[]): Promise<PersonaRun> => {
  const answers = new Map<string, unknown>();
  const broken: Broken[] = [];
  for (const call of calls) {
    const taken = Object.fromEntries(
      call.taken.map(({ field, from, member }) => [field, read(answers.get(from), member)]),
    );
    let answer = await send(target, call, taken);
    while (
      call.repeatedWhile !== undefined &&
      isSame(read(answer.body, call.repeatedWhile.member), call.repeatedWhile.value)
    ) {
      await sleep(200);
      answer = await send(target, call, taken);
    }
    answers.set(call.name, answer.body);
    broken.push(...differences(call, answer));
  }
  return { answers, broken };
};

/**
 * The persona with the bodies of a new run. A drawing that a busy machine did not end in its time is asked
 * for again.
 */
export const showPersona = async (target: Target, name: string): Promise<ShownPersona> => {
  const path = `/sandbox/v1/personas/${name}`;
  let response = await get(target, path);
  while (response.status === 504) response = await get(target, path);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  return await response.json();
};

/** The operation that the bodies of a shown persona name. */
export const operationOf = (calls: readonly { readonly body: unknown }[]): string => {
  const names = calls.map(({ body }) => memberOf(memberOf(body, "tracking"), "operationId"));
  return names.filter((name) => typeof name === "string").at(0) ?? "";
};
