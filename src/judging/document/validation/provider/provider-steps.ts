import type { Blobs } from "#machine/storage/blobs";
import type { DocumentEngine } from "../../reading/engine.ts";
import type { Validation } from "../../store/validation.ts";
import { getImages } from "../run-validation.ts";
import type { ValidationInput } from "../sealed.ts";
import type { MorphologyProvider, ProviderDecision, SentImage } from "./document-provider.ts";
import type { KeptSession } from "./provider-session.ts";

type Deps = {
  readonly provider: MorphologyProvider;
  readonly blobs: Pick<Blobs, "get">;
  readonly engine: Pick<DocumentEngine, "inspect" | "cutPart">;
  readonly clock: () => Date;
};

/**
 * Runs the steps that are left: opens a session, whose id is durable before an image is sent; sends the
 * images; submits; reads the decision, if there is one.
 */
export const runProviderSteps = async (
  deps: Deps,
  validation: Validation,
  input: ValidationInput,
  session: KeptSession,
  signal: AbortSignal,
): Promise<{ readonly submittedAt: Date; readonly decision: ProviderDecision | undefined }> => {
  const { provider } = deps;
  const id = session.state().id ?? (await openSession(provider, validation, input, session, signal));
  const submittedAt =
    session.state().submittedAt ?? (await sendAll(deps, validation, input, session, id, signal));
  const decision = await provider.findDecision(id, signal);
  if (session.state().failingSince !== null) await session.keep({ failingSince: null });
  return { submittedAt: new Date(submittedAt), decision };
};

const openSession = async (
  provider: MorphologyProvider,
  { id: reference }: Validation,
  { country, type }: ValidationInput,
  session: KeptSession,
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
  session: KeptSession,
  id: string,
  signal: AbortSignal,
): Promise<string> => {
  const { front, back } = await getImages(blobs, validation, input);
  const images = [
    { side: "front", bytes: front },
    { side: "back", bytes: back },
  ] as const;
  for (const { side, bytes } of images) {
    if (bytes === undefined) continue;
    await provider.sendImage(id, { side, ...(await sendable(engine, bytes, signal)) }, signal);
  }
  await provider.submit(id, signal);
  const submittedAt = clock().toISOString();
  await session.keep({ submittedAt, failingSince: null });
  return submittedAt;
};

const whole = { x: 0, y: 0, width: 1, height: 1 } as const;

/**
 * The image as a provider takes it: JPEG and PNG as they were sent, the other formats as a JPEG of the same
 * size.
 */
const sendable = async (
  engine: Deps["engine"],
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Pick<SentImage, "format" | "bytes">> => {
  const { format } = await engine.inspect(bytes, signal);
  if (format === "jpeg" || format === "png") return { format, bytes };
  return { format: "jpeg", bytes: await engine.cutPart(bytes, whole, signal) };
};
