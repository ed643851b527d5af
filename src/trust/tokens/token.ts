import type { CaptureLevel, CaptureSource } from "#contract/capture";
import type { Caller } from "#contract/endpoint";

/**
 * The content of a token. `best-image` and `face-image` carry one or several encoded images; `ocr` carries
 * document images or fields.
 */
export type TokenKind = "best-image" | "face-image" | "template" | "ocr" | "document-image" | "tracking";

export type OpenedToken = {
  readonly kind: TokenKind;
  readonly issuedAt: Date;
  /** The opened bytes: for image kinds an encoded image. */
  readonly payload: Uint8Array;
  /** Whether the token names the tenant that it was made for: Idem made it. */
  readonly namesTenant: boolean;
  /** False for a plain image in the place of a token. */
  readonly isSealed: boolean;
  /**
   * SHA-256 of the token's bytes, hex: identifies the token without its content. Of a plain image, with its
   * tenant.
   */
  readonly hash: string;
  /** How a capture session took the content; absent for a token that no session made. */
  readonly attestation?: Attestation;
};

/** What a capture session of this service states of a token that it made. */
export type Attestation = {
  readonly sessionId: string;
  /** Of the token in its session, from 0. */
  readonly sequence: number;
  readonly source: CaptureSource;
  /** How the capture of a face was checked; absent for any other content. */
  readonly level?: CaptureLevel;
};

/** The call that brings a token; a call of the contract is one. */
export type TokenReader = {
  /** Undefined for the operator, who may open the tokens of every tenant. */
  readonly caller: Pick<Caller, "tenantId" | "environment"> | undefined;
  readonly receivedAt: Date;
  /**
   * The token is the trusted side of a comparison, kept by the caller as an open image would be: a face image
   * then has no age limit, and opens with every former key. A best image keeps its age.
   */
  readonly isReference?: boolean;
};

/**
 * Opens sealed tokens. Fails with token_unreadable (not a token, another deployment's key or another tenant's
 * token, changed bytes), token_wrong_kind or token_expired. `token` is the decoded Base64 of the request.
 * With several kinds, each is accepted. A plain image is taken as the first of the kinds that is an image,
 * where the key and the operator's settings allow it.
 */
export type OpenToken = (
  token: Uint8Array,
  kind: TokenKind | readonly [TokenKind, ...TokenKind[]],
  reader: TokenReader,
) => Promise<OpenedToken>;
