import { cancelCaptureRoute, createCaptureRoute, showCaptureRoute } from "#contract/capture.routes";
import { type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import type { CaptureSession } from "../capture-session.ts";
import type { CreateSession } from "../create-session.ts";
import { cancelSession, type PageUrl } from "../page/open-session.ts";
import { triesLeft } from "../page-state.ts";
import { stateAt } from "../session-state.ts";
import type { CaptureDeps } from "../sessions.ts";
import { showSession } from "../show-session.ts";

type Deps = Pick<CaptureDeps, "store" | "seal" | "blobs" | "policy" | "clock"> & {
  readonly createSession: CreateSession;
  readonly pageUrl: PageUrl;
};

/** The calls of the integrator's backend. */
export const sessionEndpoints = (deps: Deps): readonly Endpoint[] => [
  implement(createCaptureRoute, async ({ request, ...call }) => {
    const { operationId: _, ...asked } = request;
    const { id, token, expiresAt, operationId } = await deps.createSession(call, asked);
    return {
      ...envelope({ request, ...call }, serviceRan("createCapture")),
      sessionId: id,
      token,
      url: `${deps.pageUrl(id)}#${token}`,
      expiresAt: expiresAt.toISOString(),
      operationId,
    };
  }),
  implement(showCaptureRoute, async (call) => {
    const { session, results } = await showSession(deps, call.caller, call.request.sessionId);
    return {
      ...envelope(call, serviceRan("showCapture")),
      ...wireSession(session, deps),
      ...(results && { results }),
    };
  }),
  implement(cancelCaptureRoute, async (call) => {
    const session = await cancelSession(deps, { owner: call.caller, sessionId: call.request.sessionId });
    return {
      ...envelope(call, serviceRan("cancelCapture")),
      sessionId: session.id,
      state: stateAt(session, deps.clock()),
    };
  }),
];

const wireSession = (session: CaptureSession, { policy, clock }: Pick<Deps, "policy" | "clock">) => {
  const { consent, steps } = session.content;
  return {
    sessionId: session.id,
    state: stateAt(session, clock()),
    expiresAt: session.expiresAt.toISOString(),
    operationId: session.operationId,
    steps: steps.map((step) => ({
      name: step.name,
      state: step.state,
      triesLeft: triesLeft(step, policy),
      ...(step.level && { level: step.level }),
      ...(step.source && { source: step.source }),
    })),
    ...(consent && {
      consent: {
        version: consent.version,
        language: consent.language,
        at: new Date(consent.at).toISOString(),
      },
    }),
  };
};
