import type { StoredDestination } from "../store/stored-destination.ts";
import type { DestinationAuth, DestinationSettings } from "./destination.ts";
import { formerEnd, signingAt } from "./secret.ts";

type ShownAuth =
  | { readonly kind: "none" }
  | { readonly kind: "api-key"; readonly header: string }
  | Omit<Extract<DestinationAuth, { readonly kind: "oauth2" }>, "clientSecret">;

/** A destination as its owner may read it: without secrets, credentials and values of headers. */
export type ShownDestination = Omit<
  StoredDestination,
  "tenantId" | "environment" | "sealedSettings" | "formerUntil" | "isForged"
> &
  Omit<DestinationSettings, "secret" | "formerSecrets" | "headers" | "auth" | "consentedUrl"> & {
    readonly headerNames: readonly string[];
    readonly auth: ShownAuth;
    /** Until then a former secret signs too. */
    readonly formerSecretUntil?: Date;
  };

export const showDestination = (
  {
    tenantId: _tenant,
    environment: _environment,
    sealedSettings: _sealed,
    formerUntil: _until,
    isForged: _forged,
    ...row
  }: StoredDestination,
  settings: DestinationSettings,
  now: Date,
): ShownDestination => {
  const { secret, headers, auth, formerSecrets: _former, consentedUrl: _consented, ...rest } = settings;
  const until = formerEnd({ secret, formerSecrets: signingAt(settings, now) });
  return {
    ...row,
    ...rest,
    headerNames: Object.keys(headers),
    auth: showAuth(auth),
    ...(until && { formerSecretUntil: until }),
  };
};

const showAuth = (auth: DestinationAuth): ShownAuth => {
  if (auth.kind === "none") return { kind: auth.kind };
  if (auth.kind === "api-key") return { kind: auth.kind, header: auth.header };
  const { clientSecret: _secret, ...shown } = auth;
  return shown;
};
