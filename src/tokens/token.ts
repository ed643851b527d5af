/** What a token holds. `best-image` and `face-image` carry one or several encoded pictures; `ocr` carries document pictures or fields. */
export type TokenKind = "best-image" | "face-image" | "template" | "ocr" | "document-image" | "tracking";

export type OpenedToken = {
  readonly kind: TokenKind;
  readonly issuedAt: Date;
  /** The sealed bytes, opened: for image kinds an encoded picture. */
  readonly payload: Uint8Array;
  /** SHA-256 of the token's bytes, hex: names the token without holding it. */
  readonly hash: string;
};

/**
 * Opens sealed tokens. Fails with token_unreadable (no token, another deployment's key, changed bytes),
 * token_wrong_kind or token_expired; `token` is what the wire carried in Base64, decoded. Of several kinds any will do.
 */
export type OpenToken = (
  token: Uint8Array,
  kind: TokenKind | readonly [TokenKind, ...TokenKind[]],
  now: Date,
) => Promise<OpenedToken>;
