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
  /** SHA-256 of the token's bytes, hex: identifies the token without its content. */
  readonly hash: string;
};

/** The call that brings a token; a call of the contract is one. */
export type TokenReader = {
  /** Undefined for the operator, who may open the tokens of every tenant. */
  readonly caller: Pick<Caller, "tenantId"> | undefined;
  readonly receivedAt: Date;
};

/**
 * Opens sealed tokens. Fails with token_unreadable (not a token, another deployment's key or another tenant's token,
 * changed bytes), token_wrong_kind or token_expired. `token` is the decoded Base64 of the request. With several kinds, each
 * is accepted.
 */
export type OpenToken = (
  token: Uint8Array,
  kind: TokenKind | readonly [TokenKind, ...TokenKind[]],
  reader: TokenReader,
) => Promise<OpenedToken>;
