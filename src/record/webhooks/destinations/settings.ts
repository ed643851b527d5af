import type { BoundContext, Keyring } from "#machine/storage/blobs";
import type { StoredDestination } from "../store/stored-destination.ts";
import type { Destination, DestinationSettings } from "./destination.ts";
import { secretsAt } from "./secret.ts";

type Named = Pick<StoredDestination, "tenantId" | "environment" | "id">;

/** Settings of one destination do not open in another one or in another environment. */
const contextOf = ({ id, environment }: Named): BoundContext => ({ owner: `destination ${id}`, environment });

/** Seals the settings of a destination under the tenant's key. */
export const sealSettings = async (
  keyring: Pick<Keyring, "seal">,
  destination: Named,
  settings: DestinationSettings,
): Promise<Uint8Array> => {
  const plain = Buffer.from(JSON.stringify(settings), "utf8");
  return await keyring.seal(destination.tenantId, "operations", plain, contextOf(destination));
};

/** Fails as `Keyring.open`: with not_found after an erasure. */
export const openSettings = async (
  keyring: Pick<Keyring, "open">,
  { sealedSettings, ...destination }: Named & Pick<StoredDestination, "sealedSettings">,
): Promise<DestinationSettings> => {
  const plain = await keyring.open(
    destination.tenantId,
    "operations",
    sealedSettings,
    contextOf(destination),
  );
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
