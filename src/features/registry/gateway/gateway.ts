import type { Egress, EgressAnswer } from "#machine/egress/egress";
import { makeRequestToken } from "#record/webhooks/send/request-token";
import { checkPlace } from "../check-place.ts";
import type {
  Environment,
  Registry,
  RegistryAnswer,
  RegistryCountry,
  RegistryQuestion,
} from "../registry.ts";
import type { GatewaySettings } from "../settings/settings.ts";
import { type BreakerPolicy, breakerPolicy, makeBreaker } from "./breaker.ts";
import { failureOf, faultOf, pausedFailure, RegistryFault } from "./fault.ts";
import { fillRequest } from "./fill-request.ts";
import { mapAnswer, statesUnknown } from "./map-answer.ts";
import { isJson, readBytes, readJson } from "./read-json.ts";
import { type Bounds, type SendDeps, sendOnce, sendWithRetries, statusFault } from "./send.ts";
import { makeTokenSource } from "./token-source.ts";

export type GatewayDeps = Omit<SendDeps, "tokens"> & {
  readonly clock: () => Date;
  readonly breaker?: BreakerPolicy;
};

/** The registry that one gateway serves. */
export type GatewayPlace = { readonly environment: Environment; readonly country: RegistryCountry };

/**
 * A civil registry behind an HTTP interface with JSON. It has its own breaker and its own access tokens.
 */
export const makeGateway = (settings: GatewaySettings, place: GatewayPlace, deps: GatewayDeps): Registry => {
  const { auth, tls, legalBasis } = settings;
  const breaker = makeBreaker(deps.nowMs, deps.breaker ?? breakerPolicy);
  const withTls: Egress = (url, call) => deps.egress(url, { ...call, ...(tls !== undefined && { tls }) });
  const sendDeps: SendDeps = {
    ...deps,
    ...(auth.kind === "oauth2" && {
      tokens: makeTokenSource(auth, makeRequestToken({ egress: withTls }), deps.nowMs),
    }),
  };
  return {
    connector: "gateway",
    legalBasis,
    isPaused: breaker.isOpen,
    ask: async (question, signal) => {
      checkPlace(place, question);
      const permit = breaker.enter();
      if ("pausedMs" in permit) throw pausedFailure(place.country, permit.pausedMs);
      const time = startTime(settings.timeoutMs, signal, deps.nowMs);
      try {
        const answer = await askRegistry(settings, question, { ...deps, ...sendDeps }, time);
        permit.end("answered");
        return answer;
      } catch (error) {
        if (signal.aborted) {
          permit.end("left");
          throw signal.reason;
        }
        const fault = time.isOver() ? tooLate(error) : faultOf(error);
        permit.end(fault?.kind.isAboutPerson === true ? "answered" : "failed");
        throw fault === undefined ? error : failureOf(fault, place.country, settings.timeoutMs);
      } finally {
        time.end();
      }
    },
  };
};

const tooLate = (cause: unknown): RegistryFault =>
  new RegistryFault("it did not answer in time", { isTimeOut: true, cause });

type Time = Bounds & { readonly isOver: () => boolean; readonly end: () => void };

/** The time of one question, with all its tries. */
const startTime = (timeoutMs: number, signal: AbortSignal, nowMs: () => number): Time => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  return {
    signal: AbortSignal.any([signal, late.signal]),
    endsAtMs: nowMs() + timeoutMs,
    isOver: () => late.signal.aborted,
    end: () => clearTimeout(timer),
  };
};

const askRegistry = (
  settings: GatewaySettings,
  question: RegistryQuestion,
  deps: SendDeps & Pick<GatewayDeps, "clock">,
  bounds: Bounds,
): Promise<RegistryAnswer> => {
  const request = fillRequest(settings.request, question);
  return sendWithRetries(settings, deps, bounds, async () => {
    const answer = await sendOnce(settings, request, deps, bounds);
    return await readAnswer(settings, answer, deps);
  });
};

const readAnswer = async (
  { answer: rules }: GatewaySettings,
  answer: EgressAnswer,
  { clock }: Pick<GatewayDeps, "clock">,
): Promise<RegistryAnswer> => {
  const { status } = answer;
  if (rules.unknown.status.includes(status)) return await readUnknown(answer);
  const isDone = status >= 200 && status < 300;
  if (!isDone && !mayStateUnknown(answer, rules.unknown.where)) {
    answer.discard();
    throw statusFault(answer);
  }
  const json = await readJson(answer);
  if (isDone) return mapAnswer(json, rules, clock());
  if (statesUnknown(json, rules.unknown)) return { kind: "unknown" };
  throw statusFault(answer);
};

/** Statuses about the request or its sender, never about a person. */
const ownStatuses: readonly number[] = [401, 403, 407, 408, 429];

/** Some registries answer 4xx with a code in JSON for a person that they do not hold. */
const mayStateUnknown = (answer: EgressAnswer, where: object): boolean =>
  answer.status >= 400 &&
  answer.status < 500 &&
  !ownStatuses.includes(answer.status) &&
  Object.keys(where).length > 0 &&
  isJson(answer);

/**
 * A page in HTML with the same status comes from a server between, or from a wrong path: it states nothing
 * about a person.
 */
const readUnknown = async (answer: EgressAnswer): Promise<RegistryAnswer> => {
  const bytes = await readBytes(answer);
  if (bytes.length > 0 && !isJson(answer)) {
    throw new RegistryFault(`it answered ${answer.status} without JSON`);
  }
  return { kind: "unknown" };
};
