import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { Endpoint } from "#contract/endpoint";
import { Failure, type FailureCode } from "#contract/failure";
import { createServer } from "#machine/egress/node-http";
import { assetPath, serveAssets } from "./assets.ts";
import { makeAuthenticate } from "./authenticate.ts";
import { type BaseUrl, makeBaseUrl } from "./base-url.ts";
import { addBodyParser } from "./body.ts";
import { type BodyBudget, makeBodyBudget } from "./body-budget.ts";
import { hostFault, makeAnswerToBrokenRequest } from "./broken-request.ts";
import { makeCallerAddress } from "./caller-address.ts";
import { docsPages, serveDocs } from "./docs-page.ts";
import { headersOfEveryAnswer, requestIdOf } from "./headers.ts";
import { type KeyUses, makeKeyUses } from "./key-uses.ts";
import { lingerAfter } from "./lingering-close.ts";
import type { CallLog } from "./log.ts";
import { mailboxPages, serveMailbox } from "./mailbox.ts";
import { type Methods, makeMethods } from "./methods.ts";
import { operationsPages, serveOperations } from "./operations.ts";
import { type ServerLimits, type ServerOptions, standardLimits } from "./options.ts";
import { makePacing, type Pacing } from "./pace-reading.ts";
import { capturePages, serveCapturePage } from "./pages/capture-page.ts";
import { demoPages, serveDemoPage } from "./pages/demo-page.ts";
import { dropUnanswerable } from "./pipelining.ts";
import { failureOf, refuse } from "./problem.ts";
import { makeRequestContexts, type RequestContexts } from "./request-context.ts";
import { routerPath, serveEndpoint } from "./serve-endpoint.ts";
import { makeAdmitPage, servePreflight } from "./session-credential.ts";
import { makeSharedRate } from "./shared-rate.ts";
import { type KeyRate, makeOwnRate } from "./token-bucket.ts";
import { serveWidget, widgetPages } from "./widget.ts";
import { makeWorks, type Works } from "./work.ts";

export type IdemServer = {
  /** For tests (`inject`) and for additions of other modules. */
  readonly app: FastifyInstance;
  /** Resolves with the address, such as http://127.0.0.1:8080. */
  readonly listen: (at: { readonly host: string; readonly port: number }) => Promise<string>;
  /** Whether a drain has begun. */
  readonly isDraining: () => boolean;
  /**
   * Ends gracefully: for `noticeMs` readiness is answered 503 and calls still run, each the last of its
   * connection. While running calls finish, for at most `drainMs`, readiness and new calls are answered 503.
   * Then the port closes, connections close after their answer, last uses of keys are written. Resolves when
   * all is closed.
   */
  readonly drain: () => Promise<void>;
};

type Parts = {
  readonly options: ServerOptions;
  readonly limits: ServerLimits;
  readonly clock: () => Date;
  readonly makeId: () => string;
  readonly log: CallLog;
  readonly contexts: RequestContexts;
  readonly works: Works;
  readonly uses: KeyUses;
  readonly bodies: BodyBudget;
  readonly pacing: Pacing;
  readonly state: { isLeaving: boolean; isDraining: boolean };
  readonly baseUrl: BaseUrl;
};

/** Longer than the idle time of common load balancers (60 s), so that they close first. */
const keepAliveMs = 72_000;

/** Time in which ended calls write their answers, and then callers end their connections. */
const lastAnswersMs = 1_000;

/**
 * Builds the server. It depends on no module: endpoints, keys, metrics and readiness are arguments.
 *
 * @example
 * ```ts
 * import type { ServerOptions } from "#machine/http/options";
 * import { buildServer } from "#machine/http/server";
 *
 * // `options.endpoints` are what the server answers, `options.authenticate` finds the caller of a key.
 * export const serve = async (options: ServerOptions): Promise<void> => {
 *   const server = buildServer(options);
 *   console.log(await server.listen({ host: "127.0.0.1", port: 8080 }));
 *   process.once("SIGTERM", () => void server.drain());
 * };
 * ```
 */
export const buildServer = (options: ServerOptions): IdemServer => {
  const parts = makeParts(options, () => app.server);
  parts.bodies.gauges.forEach(options.metrics.collect);
  const app = makeApp(parts);
  addHooks(app, parts);
  continueWhenAdmitted(app);
  addBodyParser(app, { ...parts, readLarge: options.readLargeBody });
  addEndpoints(app, parts);
  const isDraining = (): boolean => parts.state.isDraining;
  serveOperations(app, options, () => parts.state.isLeaving, parts);
  if (options.pageDetector !== undefined) {
    serveWidget(app, options.pageDetector, parts.contexts);
    serveCapturePage(app, parts.contexts);
    if (options.hasDemo === true) serveDemoPage(app, parts);
  }
  if (options.readAsset !== undefined) serveAssets(app, options.readAsset, { ...parts, isDraining });
  serveDocs(app, options, parts.contexts);
  return {
    app,
    listen: (at) => app.listen(at),
    isDraining,
    drain: () => drain(app, parts),
  };
};

const makeParts = (options: ServerOptions, server: () => Pick<Server, "address">): Parts => {
  const limits = { ...standardLimits, ...options.limits };
  const clock = options.clock ?? (() => new Date());
  const { log } = options;
  return {
    options,
    limits,
    clock,
    log,
    makeId: options.makeId ?? randomUUID,
    contexts: makeRequestContexts(options.metrics, log, clock, options.traces),
    works: makeWorks(limits.requestTimeoutMs),
    uses: makeKeyUses(options.keys, limits.keyFlushMs, (error) =>
      log.error({ component: "keys", note: "Last uses of keys could not be written", error }),
    ),
    bodies: makeBodyBudget(limits.bodiesInFlight),
    pacing: makePacing(),
    state: { isLeaving: false, isDraining: false },
    baseUrl: makeBaseUrl(options.publicUrl, server),
  };
};

const refuseSchema = (): never => {
  throw new Error("A route has a schema of the framework");
};

const makeApp = ({ options, limits, makeId, contexts, baseUrl }: Parts): FastifyInstance =>
  fastify({
    logger: false,
    bodyLimit: limits.bodyBytesMax,
    serverFactory: (listener) =>
      createServer(
        {
          // Headers and body; slower senders are cut off (slow-body attacks).
          requestTimeout: limits.receive.msMax,
          // Node itself would answer without a body, so refuseHost answers instead.
          requireHostHeader: false,
          keepAliveTimeout: keepAliveMs,
        },
        dropUnanswerable(listener),
      ),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    trustProxy: options.trustedProxies === undefined ? false : [...options.trustedProxies],
    genReqId: (raw) => requestIdOf(raw.headers, makeId),
    routerOptions: { maxParamLength: 128 },
    // No route has a schema of the framework: contract/ checks requests. Its own compilers would be 100
    // modules of each start.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    clientErrorHandler: makeAnswerToBrokenRequest({ ...options, baseUrl }, makeId, contexts.isServing),
    frameworkErrors: (_error, request, reply) => {
      // A path that cannot be decoded matches no route. No hook has run here: nothing is counted or logged.
      reply.headers(headersOfEveryAnswer(options)).header("x-request-id", request.id);
      void sendRefusal(reply, new Failure("path_unknown"), { requestId: request.id, baseUrl });
    },
  });

/** Failures whose cause the operator must see. */
const notes: Partial<Record<FailureCode, string>> = {
  internal_error: "The service made an error",
  store_unavailable: "The storage does not answer",
  engine_failed: "An engine ended with an error",
  stored_damaged: "Stored data cannot be opened",
  signature_unproven: "A signed file did not pass the verification",
  timestamp_failed: "No time-stamp authority gave a valid time-stamp",
  signer_unusable: "The signing key cannot be used",
  stored_newer: "A newer release wrote this data. Start that release in place of this process",
  upstream_failed: "An external service failed",
};

/**
 * What the operator's log says of a failure. A call's own time limit has no cause; the silence of another
 * service has one.
 */
const noteOf = ({ code, cause }: Failure): string | undefined =>
  code === "timed_out" && cause !== undefined ? "An external service did not answer in time" : notes[code];

const addHooks = (app: FastifyInstance, parts: Parts): void => {
  const { options, contexts, log, baseUrl } = parts;
  const methods = makeMethods(options.endpoints, [
    ...docsPages,
    ...operationsPages,
    ...(options.pageDetector === undefined ? [] : [...widgetPages, ...capturePages]),
    ...(options.pageDetector !== undefined && options.hasDemo === true ? demoPages : []),
    ...(options.readAsset === undefined ? [] : [assetPath]),
    ...(options.mailbox === undefined ? [] : mailboxPages),
  ]);
  app.addHook("onRequest", async (request, reply) => {
    contexts.open(request, reply);
    reply.headers(headersOfEveryAnswer(options)).header("x-request-id", request.id);
    if (parts.state.isLeaving) reply.header("connection", "close");
    refuseHost(request, reply);
    if (request.is404) await answerUnknown(methods, request, reply);
  });
  app.addHook("onSend", async (request, reply) => {
    // After a refused expectation the body may never follow.
    if (!expectsContinue(request)) lingerAfter(request, reply);
    if (!request.raw.complete && request.raw.listenerCount("data") === 0) parts.pacing.drop(request.raw);
  });
  app.setErrorHandler((error, request, reply) => {
    // The caller has disconnected and the context is closed: a later answer of the handler is an echo of the
    // abort.
    if (reply.raw.destroyed) return reply.hijack();
    const requestContext = contexts.of(request);
    const failure = failureOf(error);
    requestContext.failure = failure.code;
    if (failure.code === "unauthorized") requestContext.refusedKey = failure.facts["reason"];
    const note = noteOf(failure);
    if (note !== undefined)
      log.error({ requestId: requestContext.requestId, route: requestContext.route, note, error });
    const { requestId, challenge } = requestContext;
    const pageOf = (status: number) => requestContext.refusalPage?.(request.headers.accept, status);
    return sendRefusal(reply, failure, { requestId, baseUrl, challenge, pageOf });
  });
};

/** RFC 9112, 3.2: such a request is answered 400; its connection is not used again. */
const refuseHost = (request: FastifyRequest, reply: FastifyReply): void => {
  const reason = hostFault(request.raw);
  if (reason === undefined) return;
  reply.header("connection", "close");
  throw new Failure("http_unreadable", { reason });
};

const expectsContinue = ({ headers }: FastifyRequest): boolean =>
  /^100-continue$/i.test(headers.expect ?? "");

/**
 * A caller who asks before sending (RFC 9110, 10.1.1) gets 100 Continue only after the admission: a body that
 * will be refused is not sent. Any other expectation is ignored, as RFC 9110 allows. A refusal closes the
 * connection, since the body may or may not follow.
 */
const continueWhenAdmitted = (app: FastifyInstance): void => {
  for (const event of ["checkContinue", "checkExpectation"]) {
    app.server.on(event, (request, response) => app.server.emit("request", request, response));
  }
  app.addHook("onRequest", async (request, reply) => {
    if (expectsContinue(request)) reply.header("connection", "close");
  });
  app.addHook("preParsing", async (request, reply, payload) => {
    if (expectsContinue(request)) {
      reply.removeHeader("connection").raw.writeContinue();
    }
    return payload;
  });
};

/** Answers before the body is read: no body is read for an unknown path or method. */
const answerUnknown = async (
  methods: Methods,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const allow = methods.allowed(request.url);
  if (allow === undefined) throw new Failure("path_unknown");
  reply.header("allow", allow);
  if (request.method !== "OPTIONS") throw new Failure("method_not_allowed");
  await reply.code(204).send();
};

const sendRefusal = (
  reply: FastifyReply,
  failure: Failure,
  context: Parameters<typeof refuse>[1],
): FastifyReply => {
  const { status, contentType, headers, body } = refuse(failure, context);
  return reply.code(status).headers(headers).type(contentType).send(body);
};

/** For the operator's log, once in each process. */
const proxyNote =
  "A page called from a private address and IDEM_TRUSTED_PROXIES names no proxy: refusals of captures count against no address";

const addEndpoints = (app: FastifyInstance, parts: Parts): void => {
  const { options, limits, clock, makeId, contexts, works, log, uses, bodies, baseUrl } = parts;
  const context = {
    contexts,
    works,
    limits,
    bodies,
    clock,
    makeId,
    authenticate: makeAuthenticate(options.keys, limits, clock),
    admitPage: makeAdmitPage(
      options.findPage ?? noPage,
      limits,
      clock,
      makeCallerAddress(options.trustedProxies, () => log.service(proxyNote, {})),
    ),
    answerOnce: options.answerOnce,
    baseUrl,
    noteUse: uses.note,
    rate: makeRate(parts),
    isDraining: () => parts.state.isDraining,
    onUndeclared: ({ requestId, route }: { requestId: string; route: string }, error: Failure) =>
      log.error({ requestId, route, note: "A failure left that its route does not declare", error }),
  };
  refuseDoubled(options.endpoints);
  for (const endpoint of options.endpoints) serveEndpoint(app, endpoint, context);
  servePreflight(app, pagePaths(options.endpoints));
  if (options.mailbox !== undefined) serveMailbox(app, options.mailbox, context);
};

const noPage = (): Promise<undefined> => Promise.resolve(undefined);

/** The methods of each path whose credential is a session. */
const pagePaths = (endpoints: readonly Endpoint[]): ReadonlyMap<string, readonly string[]> => {
  const routes = endpoints.map(({ route }) => route).filter(({ credential }) => credential === "session");
  const byPath = Map.groupBy(routes, ({ path }) => routerPath(path));
  return new Map([...byPath].map(([path, found]) => [path, found.map(({ method }) => method)]));
};

const makeRate = ({ options: { askRate }, limits: { rate }, clock, log }: Parts): KeyRate | undefined => {
  if (rate === undefined || askRate === undefined) return rate && makeOwnRate(rate);
  const note = "The rates of keys are counted by this process alone";
  const onOutage = (error: unknown): void => log.error({ component: "rates", note, error });
  return makeSharedRate(rate, { askRate, clock, onOutage });
};

const refuseDoubled = (endpoints: readonly Endpoint[]): void => {
  const names = endpoints.map((endpoint) => endpoint.route.name);
  const doubled = names.filter((name, at) => names.indexOf(name) !== at);
  if (doubled.length > 0) throw new Error(`Endpoints with the same name: ${doubled.join(", ")}`);
};

const drain = async (
  app: FastifyInstance,
  { state, works, contexts, limits, uses }: Parts,
): Promise<void> => {
  state.isLeaving = true;
  if (limits.noticeMs > 0) await wait(limits.noticeMs);
  state.isDraining = true;
  const ended = contexts.untilEnded();
  await Promise.race([ended, wait(limits.drainMs, undefined, { ref: false })]);
  works.stop();
  await Promise.race([ended, wait(lastAnswersMs, undefined, { ref: false })]);
  const closed = app.close();
  // Answers are written by now or never; the remaining connections have no call.
  const grace = setTimeout(() => app.server.closeAllConnections(), lastAnswersMs);
  await closed;
  clearTimeout(grace);
  await uses.stop();
};
