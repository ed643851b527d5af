/** The tokens of an accepted step, for the integrator's calls. */
import { writeCapture } from "#judging/document/reading/ocr-container";
import type { CaptureJudgement } from "#judging/face/challenge/judge-capture";
import type { Blobs } from "#machine/storage/blobs";
import type { TokenKey } from "#trust/tokens/keys";
import { sealAttested } from "#trust/tokens/seal-attested";
import type { Attestation, TokenKind } from "#trust/tokens/token";
import type { CaptureContent, CaptureSession, CaptureUpload, StoredObject } from "../capture-session.ts";
import { wantedSide } from "../session-state.ts";

export type TokenDeps = {
  readonly blobs: Pick<Blobs, "put" | "get">;
  /** The key pair that seals now. */
  readonly tokenKey: () => TokenKey;
};

type Tokens = Readonly<Record<string, StoredObject>>;

type Payloads = Readonly<Record<string, { readonly kind: TokenKind; readonly payload: Uint8Array }>>;

/** Names of the results of a session, as stored. */
export const tokenNames = [
  "bestImageToken",
  "templateRaw",
  "documentFront",
  "documentBack",
  "tokenOcr",
  "extraData",
] as const;

const sealAll = async (
  { blobs, tokenKey }: TokenDeps,
  session: CaptureSession,
  payloads: Payloads,
  attestation: Omit<Attestation, "sessionId" | "sequence">,
  now: Date,
): Promise<Tokens> => {
  const made: Record<string, StoredObject> = {};
  let sequence = Object.keys(session.content.tokens).length;
  for (const [name, { kind, payload }] of Object.entries(payloads)) {
    const attested = { ...attestation, sessionId: session.id, sequence };
    sequence += 1;
    const token = { kind, payload, attestation: attested, now };
    made[name] = await blobs.put(session.tenantId, await sealAttested(tokenKey(), session.tenantId, token));
  }
  return made;
};

const extraData = (session: CaptureSession): Payloads =>
  "extraData" in session.content.tokens
    ? {}
    : {
        extraData: {
          kind: "tracking",
          payload: Buffer.from(JSON.stringify({ operationId: session.operationId, sessionId: session.id })),
        },
      };

/** Tokens of an accepted face: its image and its template. */
export const makeFaceTokens = (
  deps: TokenDeps,
  session: CaptureSession,
  { source }: CaptureUpload,
  { level, bestImage, template }: Pick<CaptureJudgement, "level" | "bestImage" | "template">,
  now: Date,
): Promise<Tokens> => {
  if (bestImage === undefined) throw new Error("A face was accepted without its image");
  return sealAll(
    deps,
    session,
    {
      bestImageToken: { kind: "best-image", payload: bestImage },
      ...(template && { templateRaw: { kind: "template", payload: template } }),
      ...extraData(session),
    },
    { source, level },
    now,
  );
};

const countryOf = ({ document }: CaptureContent): { readonly countryCode?: string } => {
  if (document?.type === "PASSPORT") return { countryCode: "PSP" };
  return document?.country === undefined ? {} : { countryCode: document.country };
};

/** Tokens of an accepted side; with the last side also the token of all sides. */
export const makeDocumentTokens = async (
  deps: TokenDeps,
  session: CaptureSession,
  { side, source }: CaptureUpload,
  image: { readonly bytes: Uint8Array; readonly object: StoredObject },
  now: Date,
): Promise<Tokens> => {
  const { content } = session;
  const step = content.steps.find(({ name }) => name === "document");
  if (step === undefined || side === undefined) throw new Error("A side was accepted that no step asks for");
  const sides = [...step.sides, { side, image: image.object, at: now.getTime() }];
  const isWhole = wantedSide(content, { ...step, sides }) === undefined;
  const front = side === "front" ? image.bytes : await read(deps, session, step.sides[0]?.image.id);
  const name = side === "front" ? "documentFront" : "documentBack";
  return await sealAll(
    deps,
    session,
    {
      [name]: { kind: "document-image", payload: image.bytes },
      ...(isWhole && {
        tokenOcr: {
          kind: "ocr" as const,
          payload: writeCapture({
            ...countryOf(content),
            front,
            ...(side === "back" && { back: image.bytes }),
          }),
        },
      }),
      ...extraData(session),
    },
    { source },
    now,
  );
};

const read = async (
  { blobs }: TokenDeps,
  { tenantId }: CaptureSession,
  id: string | undefined,
): Promise<Uint8Array> => {
  if (id === undefined) throw new Error("A back was accepted before its front");
  return await blobs.get(tenantId, id);
};
