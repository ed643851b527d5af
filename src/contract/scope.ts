/** Rights of a key. A key carries any number of them. `certificate` stands alone in a key that others get in an address. */
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
