import { type AssetReference, type EventName, linkedAssets } from "#contract/event";
import type { Json } from "#contract/json";
import type { BoundContext, Keyring } from "#machine/storage/blobs";
import type { SealedEvent, StatedEvent } from "#record/transactions/operation-step";
import type { Owner } from "./operation.ts";

/** The data of an event with the images that it links to, as one sealed value. */
export type EventData = {
  readonly data: Readonly<Record<string, Json>>;
  readonly assets: readonly AssetReference[];
};

/** Data of one event does not open in another event or in another environment. */
const contextOf = (id: string, { environment }: Owner): BoundContext => ({
  owner: `event ${id}`,
  environment,
});

/** The images among `assets` that this event links to, in the order of its contract. */
export const linksOf = (name: EventName, assets: readonly AssetReference[]): readonly AssetReference[] =>
  linkedAssets[name].flatMap((type) =>
    // A kept asset has more members than its reference.
    assets.filter((asset) => asset.type === type).map(({ id }) => ({ id, type })),
  );

/** Seals the data of an event under the tenant's key. */
export const sealEvent = async (
  keyring: Pick<Keyring, "seal">,
  owner: Owner,
  id: string,
  { name, data }: StatedEvent,
  assets: readonly AssetReference[],
): Promise<SealedEvent> => {
  const content: EventData = { data, assets: linksOf(name, assets) };
  const plain = Buffer.from(JSON.stringify(content), "utf8");
  return {
    id,
    name,
    sealedData: await keyring.seal(owner.tenantId, "operations", plain, contextOf(id, owner)),
  };
};

/** Opens the data of an event. Fails as `Keyring.open`: with not_found after an erasure. */
export const openEvent = async (
  keyring: Pick<Keyring, "open">,
  { id, sealedData, ...owner }: Owner & Pick<SealedEvent, "id" | "sealedData">,
): Promise<EventData> => {
  const plain = await keyring.open(owner.tenantId, "operations", sealedData, contextOf(id, owner));
  return JSON.parse(Buffer.from(plain).toString("utf8"));
};
