import { timingSafeEqual } from "node:crypto";
import type { Keyring } from "#machine/storage/blobs";

/**
 * A pre-signed URL of a kept image: it works without an API key, for one image, until its time. Made by
 * {@link makeLinkToAsset}.
 */
export type LinkToAsset = (
  asset: { readonly tenantId: string; readonly id: string },
  at: Date,
) => Promise<string>;

export type LinkDeps = {
  readonly keyring: Pick<Keyring, "pseudonym">;
  /** The operator's public URL, else the address that the service listens on; no slash at the end. */
  readonly baseUrl: () => string;
  readonly linkMs: number;
};

export const makeLinkToAsset =
  ({ keyring, baseUrl, linkMs }: LinkDeps): LinkToAsset =>
  async ({ tenantId, id }, at) => {
    const expires = String(Math.ceil((at.getTime() + linkMs) / 1000));
    const signature = await signLink(keyring, tenantId, id, expires);
    return `${baseUrl()}/assets/${id}?expires=${expires}&signature=${signature}`;
  };

/**
 * HMAC-SHA-256 under a key of the tenant: hex. The key ends with an erasure, and with it every link. The
 * first word keeps it apart from other uses of the key (operation-id.ts).
 */
const signLink = (
  { pseudonym }: Pick<Keyring, "pseudonym">,
  tenantId: string,
  id: string,
  expires: string,
): Promise<string> => pseudonym(tenantId, "operations", JSON.stringify(["asset-link", id, expires]));

/** The fields of a link, as a caller sent them. */
export type SentLink = { readonly id: string; readonly expires: string; readonly signature: string };

/** Whether a link can be one of ours and its time is not over. Cheap, so that it comes before any read. */
export const mayBeLink = ({ id, expires, signature }: SentLink, now: Date): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(id) &&
  /^\d{1,12}$/u.test(expires) &&
  /^[0-9a-f]{64}$/u.test(signature) &&
  Number(expires) * 1000 > now.getTime();

/** Whether the tenant signed this link. In constant time. */
export const isSigned = async (
  keyring: Pick<Keyring, "pseudonym">,
  tenantId: string,
  { id, expires, signature }: SentLink,
): Promise<boolean> => {
  const [own, sent] = [await signLink(keyring, tenantId, id, expires), signature];
  return own.length === sent.length && timingSafeEqual(Buffer.from(own), Buffer.from(sent));
};
