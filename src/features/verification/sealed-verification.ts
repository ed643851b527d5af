import { Failure } from "#contract/failure";
import { makeCheck } from "#contract/make-check";
import type { BoundContext, Keyring } from "#machine/storage/blobs";
import { type VerificationContent, type VerificationFacts, verificationContent } from "./verification.ts";

type Place = Pick<VerificationFacts, "tenantId" | "environment" | "id">;

/**
 * Seals and opens the content of verifications under the tenant's key. Made by {@link makeVerificationSeal}.
 */
export type VerificationSeal = {
  readonly seal: (place: Place, content: VerificationContent) => Promise<Uint8Array>;
  /** Fails with stored_damaged, and with stored_newer for a content of a later release. */
  readonly open: (place: Place, sealed: Uint8Array) => Promise<VerificationContent>;
};

const check = makeCheck(verificationContent);

const contextOf = ({ id, environment }: Place): BoundContext => ({
  owner: `verification ${id}`,
  environment,
});

export const makeVerificationSeal = (keyring: Pick<Keyring, "seal" | "open">): VerificationSeal => ({
  seal: (place, content) =>
    keyring.seal(place.tenantId, "verifications", Buffer.from(JSON.stringify(content)), contextOf(place)),
  open: async (place, sealed) => {
    const plain = await keyring.open(place.tenantId, "verifications", sealed, contextOf(place));
    const content: unknown = JSON.parse(Buffer.from(plain).toString("utf8"));
    if (!check.Check(content)) throw new Failure("stored_newer");
    return content;
  },
});
