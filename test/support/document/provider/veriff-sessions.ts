import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { hashOf } from "../../imaging/hash-of.ts";

/** A session of the simulated provider. */
export type Session = {
  readonly id: string;
  readonly vendorData: string | undefined;
  readonly document: unknown;
  /** Context and SHA-256 of each received image. */
  readonly media: { readonly context: string; readonly sha256: string }[];
  status: "created" | "started" | "submitted";
};

/** Fields of a decision's `verification`, without those of the session. Null while there is no decision. */
export type Verdict = Readonly<Record<string, unknown>> | null;

/** Called at each decision query, with the SHA-256 of the front image. */
export type Decide = (frontSha256: string) => Verdict;

export type Answer = { readonly status: number; readonly body: unknown };

export const fail = (status: number, code: string, message: string): Answer => ({
  status,
  body: { status: "fail", code, message },
});

const succeed = (status: number, more: Readonly<Record<string, unknown>>): Answer => ({
  status,
  body: { status: "success", ...more },
});

const opening = Compile(
  Type.Object({
    verification: Type.Object({
      vendorData: Type.Optional(Type.String({ maxLength: 1000 })),
      document: Type.Optional(Type.Object({ type: Type.String(), country: Type.Optional(Type.String()) })),
    }),
  }),
);

const uploading = Compile(
  Type.Object({ image: Type.Object({ context: Type.String(), content: Type.String() }) }),
);

const submitting = Compile(Type.Object({ verification: Type.Object({ status: Type.String() }) }));

const contexts = ["document-front", "document-back", "face"];

/** POST /v1/sessions */
export const open = (sessions: Map<string, Session>, body: unknown): Answer => {
  if (!opening.Check(body)) return fail(400, "1102", "Mandatory parameters are missing");
  const { vendorData, document } = body.verification;
  const id = randomUUID();
  sessions.set(id, { id, vendorData, document, media: [], status: "created" });
  const at = { url: `https://example.org/v/${id}`, host: "https://example.org" };
  return succeed(201, {
    verification: { id, ...at, vendorData, status: "created", sessionToken: `token-${id}` },
  });
};

/** POST /v1/sessions/{id}/media */
export const upload = (session: Session, body: unknown): Answer => {
  if (session.status === "submitted") return fail(409, "1304", "The session is submitted");
  if (!uploading.Check(body)) return fail(400, "1403", "Image property is missing");
  const { context, content } = body.image;
  if (!contexts.includes(context)) return fail(400, "1402", "Image context is not supported");
  const data = /^data:image\/(?:jpeg|png);base64,([A-Za-z0-9+/]+={0,2})$/.exec(content)?.[1];
  if (data === undefined) return fail(400, "1401", "Image is not in valid base64");
  const bytes = Buffer.from(data, "base64");
  session.media.push({ context, sha256: hashOf(bytes) });
  session.status = "started";
  return succeed(200, { image: { id: randomUUID(), name: context, context, size: bytes.length } });
};

/** PATCH /v1/sessions/{id} */
export const submit = (session: Session, body: unknown): Answer => {
  if (!submitting.Check(body) || body.verification.status !== "submitted") {
    return fail(400, "1303", "Invalid status");
  }
  if (session.status === "submitted") return fail(400, "1304", "Cannot transition to submitted status");
  if (session.media.length === 0) return fail(400, "1400", "Image data not found");
  session.status = "submitted";
  return succeed(200, { verification: { id: session.id, status: "submitted" } });
};

/** GET /v1/sessions/{id}/decision */
export const readDecision = ({ id, vendorData, media, status }: Session, decide: Decide): Answer => {
  const front = media.find(({ context }) => context === "document-front")?.sha256 ?? "";
  const verdict = status === "submitted" ? decide(front) : null;
  const verification = verdict && { id, attemptId: randomUUID(), vendorData, ...verdict };
  return succeed(200, { verification, technicalData: { ip: null } });
};
