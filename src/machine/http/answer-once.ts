import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { EncodedBytes } from "#contract/base64";
import type { Call, Endpoint, Route } from "#contract/endpoint";
import { type Facts, Failure } from "#contract/failure";
import { FileAnswer } from "#contract/file-answer";
import type { BaseUrl } from "./base-url.ts";
import { fieldsOf } from "./fields.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import type { AnswerOnce, KeyedCall, RetryKey, WrittenAnswer } from "./options.ts";
import { refuse } from "./problem.ts";
import type { RequestContext } from "./request-context.ts";
import { writeFile, writeJson } from "./write-answer.ts";

/** A request whose handler may run once for several attempts. */
type Attempt = {
  readonly route: Route;
  readonly request: FastifyRequest;
  readonly call: Pick<Call<unknown>, "caller" | "transactionId" | "requestId" | "request">;
  readonly requestContext: Pick<RequestContext, "bytesIn" | "bodySha256" | "transactionId" | "lineage">;
  readonly baseUrl: BaseUrl;
  readonly judgeRight: KeyedCall["judgeRight"];
};

/** Runs the handler and writes its result. */
export type Handle = (deferCommit?: Call<unknown>["deferCommit"]) => Promise<unknown>;

/**
 * Runs the handler; under a retry key at most once, with the answer of the first attempt for every later one.
 * Fails as the handler does, and with the failures of `idempotencyFailures`.
 */
export const answerAttempt = async (
  answerOnce: AnswerOnce | undefined,
  attempt: Attempt,
  handle: Handle,
): Promise<WrittenAnswer & { readonly isReplayed: boolean }> => {
  const run = async (deferCommit?: Call<unknown>["deferCommit"]) => {
    const result = await handle(deferCommit);
    noteTransaction(attempt, result);
    return { ...writeResult(attempt.route, result), ...keptInPlace(attempt, result) };
  };
  const key = answerOnce && retryKeyOf(attempt);
  if (answerOnce === undefined || key === undefined) return { ...(await run()).answer, isReplayed: false };
  let earlier: string | undefined;
  const onReplay = (transactionId: string): void => {
    earlier = transactionId;
  };
  const answer = await answerOnce(keyedCall(attempt, key, onReplay), run);
  if (earlier !== undefined && states(answer, earlier)) attempt.requestContext.transactionId = earlier;
  return answer;
};

/**
 * Whether a stored answer states the transaction, as {@link writeJson} wrote it. No text in JSON holds such a
 * bare quote.
 */
const states = ({ body, failure }: WrittenAnswer, transactionId: string): boolean =>
  failure === undefined &&
  typeof body === "string" &&
  ["serviceTransactionId", "transactionId"].some((name) => body.includes(`"${name}":"${transactionId}"`));

/**
 * The line of the log gets the transaction of the call, where the answer states it under a name of the
 * envelopes.
 */
const noteTransaction = ({ call, requestContext }: Attempt, result: unknown): void => {
  const { serviceTransactionId, transactionId } = fieldsOf(result);
  const isStated = serviceTransactionId === call.transactionId || transactionId === call.transactionId;
  if (isStated) requestContext.transactionId = call.transactionId;
};

/**
 * Whether the call has a retry key, as far as its headers and route show before the body. Fails with
 * request_invalid for a key of the wrong form.
 */
export const mayBeRetry = (request: FastifyRequest, route: Route): boolean =>
  readIdempotencyKey(request.raw, route) !== undefined ||
  route.retryReference !== undefined ||
  route.oneUseToken !== undefined;

/**
 * The key that the caller chose, or else the caller's own reference or one-use token where the route names
 * its field.
 */
const retryKeyOf = ({ request, route }: Attempt): RetryKey | undefined => {
  const value = readIdempotencyKey(request.raw, route);
  if (value !== undefined) return { kind: "key", value };
  const fields = fieldsOf(request.body);
  const reference = route.retryReference && fields[route.retryReference];
  if (typeof reference === "string" && reference !== "") return { kind: "reference", value: reference };
  const token = route.oneUseToken && fields[route.oneUseToken];
  const isGiven = token instanceof EncodedBytes || (typeof token === "string" && token !== "");
  return isGiven ? { kind: "token", value: "" } : undefined;
};

const keyedCall = (attempt: Attempt, key: RetryKey, onReplay: KeyedCall["onReplay"]): KeyedCall => {
  const { route, call, baseUrl, judgeRight, requestContext } = attempt;
  const { lineage } = requestContext;
  if (lineage === undefined) throw new Error("A call under a retry key has no owner");
  return {
    key,
    caller: call.caller,
    lineage,
    judgeRight,
    route: route.name,
    request: requestOf(attempt),
    transactionId: call.transactionId,
    refuse: (failure) => writeFailure(failure, { requestId: call.requestId, baseUrl }),
    onReplay,
  };
};

/** Equal for equal requests. A reviewer is the API key: another reviewer's statement is another request. */
const requestOf = ({ request, route, call, requestContext }: Attempt): string =>
  JSON.stringify([
    request.params,
    hashOfBody(requestContext),
    ...(route.scope === "review" ? [call.caller.keyId] : []),
  ]);

/** Without the hash of a body, different requests would get one answer. */
const hashOfBody = ({ bytesIn, bodySha256 }: Attempt["requestContext"]): string => {
  if (bodySha256 === undefined && bytesIn > 0) throw new Error("The body of a retry was not hashed");
  return bodySha256 ?? "";
};

const writeFailure = (failure: Failure, context: Parameters<typeof refuse>[1]): WrittenAnswer => {
  const { status, contentType, body } = refuse(failure, context);
  return { status, contentType, body, failure: failure.code };
};

/** `outcome: error` means that a part of the service broke and that the call may be sent again. */
const writeResult = (route: Route, result: unknown) => {
  if (result instanceof FileAnswer) return { answer: writeFile(result), isFinal: true };
  const { serviceResultCode, outcome } = fieldsOf(result);
  return {
    answer: {
      status: statusOf(route, serviceResultCode),
      contentType: "application/json; charset=utf-8",
      body: writeJson(result, randomUUID()),
    },
    isFinal: outcome !== "error",
  };
};

/** What retries get in place of an answer with a secret: it names what the call made, and the next step. */
const keptInPlace = (
  { route: { shownOnce }, call }: Attempt,
  result: unknown,
): { readonly kept?: Failure } => {
  if (shownOnce === undefined || shownOnce.secrets.every((path) => memberIn(result, path) === undefined)) {
    return {};
  }
  const names: Facts = Object.fromEntries(
    shownOnce.names.flatMap((path) => {
      const value = memberIn(result, path) ?? memberIn(call.request, path);
      return typeof value === "string" ? [[path.split(".").at(-1) ?? path, value]] : [];
    }),
  );
  return { kept: new Failure("idempotency_secret_shown", { ...names, next: shownOnce.next }) };
};

/** A member, with dots inside of others; undefined where it is absent or null. */
const memberIn = (value: unknown, path: string): unknown =>
  path.split(".").reduce((inside: unknown, name) => fieldsOf(inside)[name], value) ?? undefined;

/** 200, or the route's status for this `serviceResultCode`. */
const statusOf = (route: Pick<Endpoint["route"], "statuses">, code: unknown): number =>
  route.statuses?.[String(code)] ?? 200;
