import type { CaptureLevel, CaptureStepName } from "#contract/capture";
import type { Call } from "#contract/endpoint";
import type { CaptureLanguage } from "#contract/guidance";
import { hashSessionToken, makeSessionToken } from "#contract/session-token";
import type { TrackCall } from "#record/transactions/operation-step";
import { type RecordedCall, stepOf, transactionOf } from "#record/transactions/record-call";
import type { CaptureContent, CaptureFacts } from "./capture-session.ts";
import { requireNoPause } from "./pause.ts";
import type { CaptureDeps } from "./sessions.ts";

/** What the integrator asks for. */
export type CaptureRequest = Pick<CaptureContent, "returnUrl" | "customerId" | "document"> & {
  readonly steps: readonly CaptureStepName[];
  readonly languages?: readonly CaptureLanguage[] | undefined;
  readonly level?: CaptureLevel | undefined;
  readonly origin?: string | undefined;
};

export type CreatedSession = Pick<CaptureFacts, "id" | "operationId" | "expiresAt"> & {
  readonly token: string;
};

type CreateDeps = CaptureDeps & {
  readonly trackCall: TrackCall;
  readonly standard: {
    readonly languages: readonly CaptureLanguage[];
    /** Level of sessions that ask for none. */
    readonly level: CaptureLevel;
    readonly sessionMs: number;
  };
  /** Origin of this service, whose own page captures. */
  readonly ownOrigin: () => string;
};

type CreateCall = RecordedCall & Pick<Call<unknown>, "receivedAt">;

/** Opens a session and its operation, in one commit. Fails with capture_paused and operation_finished. */
export type CreateSession = (call: CreateCall, request: CaptureRequest) => Promise<CreatedSession>;

export const makeCreateSession =
  (deps: CreateDeps): CreateSession =>
  async (call, request) => {
    const { caller, receivedAt } = call;
    await requireNoPause(deps, caller, { customerId: request.customerId });
    const id = deps.newId();
    const token = makeSessionToken(deps.randomBytes);
    const tracking = call.tracking ?? { operationId: deps.newId() };
    const operation = await deps.trackCall({ ...call, tracking }, "createCapture", {
      customer: request.customerId,
    });
    if (operation === undefined) throw new Error("A session was created without its operation");
    const { operationId } = operation;
    const content = contentOf(deps, request);
    const expiresAt = new Date(receivedAt.getTime() + deps.standard.sessionMs);
    const place = { tenantId: caller.tenantId, environment: caller.environment, id };
    await deps.store.createCapture(
      {
        ...place,
        keyId: caller.keyId,
        operationId,
        state: "OPEN",
        revision: 0,
        createdAt: receivedAt,
        expiresAt,
        sealed: await deps.seal.seal(place, content),
        blobIds: [],
      },
      { hash: hashSessionToken(token), holder: "page" },
      transactionOf(call, {
        endpoint: "createCapture",
        result: { steps: [...request.steps], level: content.level },
        measurements: null,
        policyVersion: deps.policy.version,
      }),
      stepOf({ operation }),
    );
    return { id, operationId, expiresAt, token };
  };

const contentOf = (
  { standard, ownOrigin }: Pick<CreateDeps, "standard" | "ownOrigin">,
  {
    steps,
    languages = standard.languages,
    level = standard.level,
    origin,
    returnUrl,
    customerId,
    document,
  }: CaptureRequest,
): CaptureContent => ({
  origin: origin ?? ownOrigin(),
  ...(returnUrl !== undefined && { returnUrl }),
  ...(customerId !== undefined && { customerId }),
  ...(document && { document }),
  languages: [...languages],
  language: languages[0] ?? "en",
  level,
  challenges: 0,
  begun: 0,
  steps: steps.map((name) => ({ name, state: "open", refused: 0, sides: [] })),
  uploads: [],
  tokens: {},
});
