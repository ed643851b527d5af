/**
 * Rights of a key. A key carries any number of them. A key with `certificate` has no other right, because
 * others get it in an address.
 */
export const scopes = [
  "face",
  "document",
  "review",
  "token",
  "user",
  "registry",
  "signing",
  "tracking",
  "webhook",
  "clearing",
  "certificate",
  "capture",
  "verification",
  "key",
] as const;

export type Scope = (typeof scopes)[number];
