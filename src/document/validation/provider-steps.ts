import type { Blobs } from "#storage/blobs";
import type { Validation } from "#storage/store";
import type { DocumentEngine } from "../engine.ts";
import type { MorphologyProvider, ToldDecision } from "../outside/morphology-provider.ts";
import type { HeldSession } from "./held-session.ts";
import { getPictures } from "./run-validation.ts";
import type { ValidationInput } from "./sealed.ts";

type Deps = {
  readonly provider: MorphologyProvider;
  readonly blobs: Pick<Blobs, "get">;
  readonly engine: Pick<DocumentEngine, "inspect">;
  readonly clock: () => Date;
};

/**
 * Brings a validation as far at the provider as it can be brought: a session, whose id is durable before any picture
 * leaves; the pictures; submitted; and, once there is one, its decision.
 */
export const bringToProvider = async (
  deps: Deps,
  validation: Validation,
  input: ValidationInput,
  session: HeldSession,
  signal: AbortSignal,
): Promise<{ readonly submittedAt: Date; readonly told: ToldDecision | undefined }> => {
  const { provider } = deps;
  const id = session.state().id ?? (await openSession(provider, validation, input, session, signal));
  const submittedAt =
    session.state().submittedAt ?? (await sendAll(deps, validation, input, session, id, signal));
  const told = await provider.findDecision(id, signal);
  if (session.state().failingSince !== null) await session.keep({ failingSince: null });
  return { submittedAt: new Date(submittedAt), told };
};

const openSession = async (
  provider: MorphologyProvider,
  { id: reference }: Validation,
  { country, type }: ValidationInput,
  session: HeldSession,
  signal: AbortSignal,
): Promise<string> => {
  const id = await provider.openSession({ reference, country, type }, signal);
  await session.keep({ id, failingSince: null });
  return id;
};

const sendAll = async (
  { provider, blobs, engine, clock }: Deps,
  validation: Validation,
  input: ValidationInput,
  session: HeldSession,
  id: string,
  signal: AbortSignal,
): Promise<string> => {
  const { front, back } = await getPictures(blobs, validation, input);
  const pictures = [
    { side: "front", bytes: front },
    { side: "back", bytes: back },
  ] as const;
  for (const { side, bytes } of pictures) {
    if (bytes === undefined) continue;
    const { format } = await engine.inspect(bytes, signal);
    await provider.sendPicture(id, { side, bytes, format }, signal);
  }
  await provider.submit(id, signal);
  const submittedAt = clock().toISOString();
  await session.keep({ submittedAt, failingSince: null });
  return submittedAt;
};
