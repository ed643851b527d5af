import { setTimeout as sleep } from "node:timers/promises";
import { routes } from "#contract/routes";
import { CommandError } from "../command.ts";
import { type ComparisonRules, compareAnswers } from "./compare-answers.ts";
import { captureFrom, type FilledRequest, fillRequest, isSettled, NoValue } from "./placeholders.ts";
import type { RecordedRequest } from "./request.ts";
import type { Send, Sent } from "./send.ts";
import { makeTally, type Outcome, type Report } from "./tally.ts";

export type ReplayDeps = {
  readonly theirs: Send;
  readonly ours: Send;
  readonly rules: ComparisonRules;
  /** How long a request with `until` is repeated, and the pause between two of them. */
  readonly untilMs: number;
  readonly untilPauseMs: number;
  /** After each request. */
  readonly onProgress: (report: () => Report) => void;
};

/** After this many requests in a row without an answer, a service is down. The others would fail as well. */
const failuresInARowMax = 5;

type Services = "theirs" | "ours";
type Captured = Readonly<Record<Services, Map<string, string>>>;

/**
 * Sends each request to both services at the same time, one request after the other, and compares the
 * answers. Ends early when a service gives no answer any more: `isWhole` is false then. Throws CommandError
 * where a service refuses the key.
 */
export const replay = async (
  requests: AsyncIterable<RecordedRequest>,
  deps: ReplayDeps,
): Promise<{ readonly report: Report; readonly isWhole: boolean }> => {
  const tally = makeTally();
  const captured: Captured = { theirs: new Map(), ours: new Map() };
  const silent = { theirs: 0, ours: 0 };
  for await (const request of requests) {
    const [theirs, ours] = await Promise.all([
      exchange(request, "theirs", captured, deps),
      exchange(request, "ours", captured, deps),
    ]);
    refuseWrongKey("theirs", theirs);
    refuseWrongKey("ours", ours);
    tally.add(operationOf(request), request.line, outcomeOf(theirs, ours, deps.rules));
    deps.onProgress(tally.report);
    silent.theirs = silentAfter(silent.theirs, theirs);
    silent.ours = silentAfter(silent.ours, ours);
    if (Math.max(silent.theirs, silent.ours) >= failuresInARowMax) {
      return { report: tally.report(), isWhole: false };
    }
  }
  return { report: tally.report(), isWhole: true };
};

/** A request that was not sent neither counts nor ends the row. */
const silentAfter = (before: number, sent: Sent): number => {
  if (sent.kind === "answered" || sent.isSilent === false) return 0;
  return sent.isSilent === true ? before + 1 : before;
};

const outcomeOf = (theirs: Sent, ours: Sent, rules: ComparisonRules): Outcome => {
  if (theirs.kind === "failed") return { kind: "failed", service: "theirs", reason: theirs.reason };
  if (ours.kind === "failed") return { kind: "failed", service: "ours", reason: ours.reason };
  const comparison = compareAnswers(theirs.answer, ours.answer, rules);
  return { kind: "compared", comparison, isStored: theirs.isStored === true || ours.isStored === true };
};

/**
 * Throws CommandError: a service that refuses the key refuses every request, and the other would carry them
 * all out.
 */
const refuseWrongKey = (service: Services, sent: Sent): void => {
  if (sent.kind === "failed" || sent.answer.status !== 401 || isAboutUser(sent.answer.body)) return;
  const option =
    service === "theirs" ? "--their-key-env or --their-key-file" : "--our-key-env or --our-key-file";
  throw new CommandError(`${service} refuses the key (401 Unauthorized): check ${option}`);
};

/** updateUserTemplate answers 401 about the user, with a result code. */
const isAboutUser = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "serviceResultCode" in body;

/** The request at one service, repeated until it is settled. Keeps the captured values of its answer. */
const exchange = async (
  request: RecordedRequest,
  service: Services,
  captured: Captured,
  deps: ReplayDeps,
): Promise<Sent> => {
  const own = captured[service];
  const filled = filledOrReason(request, service, own);
  // A value that this answer lacks must not be replaced by a value of the same name from an earlier
  // recording.
  for (const name of Object.keys(request.capture)) own.delete(name);
  if (typeof filled === "string") return { kind: "failed", reason: filled };
  const sent = await untilSettled(request, () => deps[service](filled), deps);
  const values = sent.kind === "answered" ? captureFrom(sent.answer.body, request) : [];
  for (const [name, value] of values) own.set(name, value);
  return sent;
};

/** The request with the service's own values, or why it has none for a name. */
const filledOrReason = (
  request: RecordedRequest,
  service: Services,
  own: ReadonlyMap<string, string>,
): FilledRequest | string => {
  try {
    return fillRequest(request, service, own);
  } catch (error) {
    if (error instanceof NoValue) return error.message;
    throw error;
  }
};

const untilSettled = async (
  request: RecordedRequest,
  send: () => Promise<Sent>,
  { untilMs, untilPauseMs }: ReplayDeps,
): Promise<Sent> => {
  const endsAt = performance.now() + untilMs;
  for (let isFirst = true; ; isFirst = false) {
    const sent = await send();
    if (sent.kind === "failed") return isFirst ? sent : { ...sent, isSilent: false };
    // Only a successful answer can become another one by waiting.
    if (sent.answer.status >= 400 || isSettled(sent.answer.body, request)) return sent;
    if (performance.now() + untilPauseMs > endsAt) {
      return { kind: "failed", reason: `not settled within ${untilMs / 1000} s`, isSilent: false };
    }
    await sleep(untilPauseMs);
  }
};

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.]/g, "\\.").replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);

const known = routes.map(({ method, path }) => ({ method, path, pattern: patternOf(path) }));

/**
 * The operation's name in the report: the request's own, or the contract's. Another path may hold an id, so
 * it is not shown.
 */
export const operationOf = ({ name, method, path }: RecordedRequest): string => {
  if (name !== undefined) return name;
  const plain = path.split(/[?#]/)[0]!;
  const route = known.find((one) => one.method === method && one.pattern.test(plain));
  return route === undefined
    ? `${method} (a path that the contract does not have)`
    : `${method} ${route.path}`;
};
