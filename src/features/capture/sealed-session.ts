import { Failure } from "#contract/failure";
import { makeCheck } from "#contract/make-check";
import type { BoundContext, Keyring } from "#machine/storage/blobs";
import { type CaptureContent, type CaptureFacts, captureContent } from "./capture-session.ts";

type Place = Pick<CaptureFacts, "tenantId" | "environment" | "id">;

/** Seals and opens the content of sessions under the tenant's key. Made by {@link makeSessionSeal}. */
export type SessionSeal = {
  readonly seal: (place: Place, content: CaptureContent) => Promise<Uint8Array>;
  /** Fails with stored_damaged, and with stored_newer for a content of a later release. */
  readonly open: (place: Place, sealed: Uint8Array) => Promise<CaptureContent>;
};

const check = makeCheck(captureContent);

const contextOf = ({ id, environment }: Place): BoundContext => ({
  owner: `capture session ${id}`,
  environment,
});

export const makeSessionSeal = (keyring: Pick<Keyring, "seal" | "open">): SessionSeal => ({
  seal: (place, content) =>
    keyring.seal(place.tenantId, "captures", Buffer.from(JSON.stringify(content)), contextOf(place)),
  open: async (place, sealed) => {
    const plain = await keyring.open(place.tenantId, "captures", sealed, contextOf(place));
    const content: unknown = JSON.parse(Buffer.from(plain).toString("utf8"));
    if (!check.Check(content)) throw new Failure("stored_newer");
    return content;
  },
});
