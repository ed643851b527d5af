import type { WishedDestination } from "../destinations/judge-destination.ts";
import type { ShownDestination } from "../destinations/shown-destination.ts";

/** A wish with the wire's name for the order. */
export const wishedOf = <Fields extends { readonly ordered?: boolean }>({
  ordered,
  ...fields
}: Fields): Omit<Fields, "ordered"> & Pick<WishedDestination, "isOrdered"> => ({
  ...fields,
  ...(ordered !== undefined && { isOrdered: ordered }),
});

/** A destination in the names of the wire. */
export const wireDestination = (shown: ShownDestination) => ({
  destinationId: shown.id,
  name: shown.name,
  state: shown.state,
  stateReason: shown.stateReason ?? null,
  topics: [...shown.topics],
  ordered: shown.isOrdered,
  url: shown.url,
  headerNames: [...shown.headerNames],
  auth: wireAuth(shown.auth),
  handshake: shown.handshake,
  timeoutSeconds: shown.timeoutMs / 1000,
  retrySchedule: (shown.retrySchedule ?? []).map((ms) => ms / 1000),
  maxConcurrent: shown.maxConcurrent ?? 0,
  createdAt: shown.createdAt.toISOString(),
  changedAt: shown.changedAt.toISOString(),
  lastSuccessAt: shown.lastSuccessAt?.toISOString() ?? null,
  failingSince: shown.failingSince?.toISOString() ?? null,
  breakerUntil: shown.breakerUntil?.toISOString() ?? null,
  formerSecretUntil: shown.formerSecretUntil?.toISOString() ?? null,
});

const wireAuth = (auth: ShownDestination["auth"]) => ({
  kind: auth.kind,
  header: auth.kind === "api-key" ? auth.header : null,
  tokenUrl: auth.kind === "oauth2" ? auth.tokenUrl : null,
  clientId: auth.kind === "oauth2" ? auth.clientId : null,
  scope: auth.kind === "oauth2" ? (auth.scope ?? null) : null,
  credentialsIn: auth.kind === "oauth2" ? auth.credentialsIn : null,
});
