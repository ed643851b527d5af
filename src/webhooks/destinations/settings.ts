import type { Keyring } from "#storage/blobs";
import type { StoredDestination } from "../store/stored-destination.ts";
import type { Destination, DestinationSettings } from "./destination.ts";
import { secretsAt } from "./secret.ts";

type Named = Pick<StoredDestination, "tenantId" | "id">;

/** Settings of one destination do not open in another one. */
const contextOf = (id: string): string => `destination ${id}`;

/** Seals the settings of a destination under the tenant's key. */
export const sealSettings = async (
  keyring: Pick<Keyring, "seal">,
  { tenantId, id }: Named,
  settings: DestinationSettings,
): Promise<Uint8Array> => {
  const plain = Buffer.from(JSON.stringify(settings), "utf8");
  return await keyring.seal(tenantId, "operations", plain, contextOf(id));
};

/** Fails as `Keyring.open`: with not_found after an erasure. */
export const openSettings = async (
  keyring: Pick<Keyring, "open">,
  { tenantId, id, sealedSettings }: Named & Pick<StoredDestination, "sealedSettings">,
): Promise<DestinationSettings> => {
  const plain = await keyring.open(tenantId, "operations", sealedSettings, contextOf(id));
  return JSON.parse(Buffer.from(plain).toString("utf8"));
};

/** A stored destination with its settings and the secrets that sign at `now`. Fails as `openSettings`. */
export const openDestination = async (
  keyring: Pick<Keyring, "open">,
  stored: StoredDestination,
  now: Date,
): Promise<Destination> => {
  const settings = await openSettings(keyring, stored);
  const { secret: _secret, formerSecrets: _former, ...rest } = settings;
  const { tenantId, environment, id, name, state, topics, isOrdered, revision } = stored;
  const secrets = secretsAt(settings, now);
  return { ...rest, tenantId, environment, id, name, state, topics, isOrdered, revision, secrets };
};
