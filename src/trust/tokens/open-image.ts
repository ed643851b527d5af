import { createHash } from "node:crypto";
import type { OpenedToken, TokenKind, TokenReader } from "./token.ts";

/** Stands for every byte. */
const any = undefined;

/**
 * First bytes of the formats that the service decodes (`machine/imaging/file-format.ts`). No token begins
 * with them.
 */
const signatures = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  [...Buffer.from("RIFF"), any, any, any, any, ...Buffer.from("WEBP")],
  // AVIF, and the HEIC of a telephone, which opening refuses by its name.
  [0, 0, any, any, ...Buffer.from("ftyp")],
] as const;

/** Whether the bytes are a plain image in the place of a token. */
export const isOpenImage = (bytes: Uint8Array): boolean =>
  signatures.some((signature) => signature.every((byte, at) => byte === any || bytes[at] === byte));

/**
 * A plain image may replace a token of these kinds. Only this service makes templates, and tracking is no
 * image.
 */
const imageKinds: readonly TokenKind[] = ["best-image", "face-image", "document-image", "ocr"];

/** The kind of token that a plain image replaces; undefined if none of the wanted kinds is an image. */
export const kindOfOpenImage = (wanted: readonly TokenKind[]): TokenKind | undefined =>
  wanted.find((kind) => imageKinds.includes(kind));

/** Whether a call may send a plain image: a test key may, a live key where the operator accepts it. */
export const acceptsOpenImage = (
  { caller }: Pick<TokenReader, "caller">,
  live: "accepted" | "refused",
): boolean => caller?.environment === "test" || (caller?.environment === "live" && live === "accepted");

/**
 * The image as an opened token. A plain image has no time, so its time is now. Its hash depends on the
 * tenant: a plain hash would show that two tenants have the same picture of a person.
 */
export const openImageToken = (
  bytes: Uint8Array,
  kind: TokenKind,
  { receivedAt, caller }: TokenReader,
): OpenedToken => ({
  kind,
  issuedAt: receivedAt,
  // A copy: the bytes are a part of the request body, and an image may be handed to another thread.
  payload: Uint8Array.from(bytes),
  namesTenant: false,
  isSealed: false,
  hash: createHash("sha256")
    .update(`idem open image of tenant\n${caller?.tenantId ?? ""}\n`)
    .update(bytes)
    .digest("hex"),
});
