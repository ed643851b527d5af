import { Failure } from "#contract/failure";
import { formatOf } from "#machine/imaging/file-format";
import type { Blobs, Keyring } from "#machine/storage/blobs";
import { stepOf } from "#record/transactions/record-call";
import type { OperationEvidenceKind } from "../end-operation.ts";
import type { AssetCommands } from "../store/asset-store.ts";
import { forgedImage } from "./forged-image.ts";
import { isSigned, mayBeLink, type SentLink } from "./link.ts";

export type ReadAssetDeps = {
  readonly store: Pick<AssetCommands, "findAsset" | "noteAssetRead">;
  readonly keyring: Pick<Keyring, "pseudonym">;
  /** Gives images without metadata. Implemented by shownImages (src/app/shown-images.ts). */
  readonly blobs: Pick<Blobs, "get">;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/**
 * The image behind a link, opened. Its use is in the tenant's evidence before the bytes leave. Fails with
 * not_found for a link that is unknown, forged, expired or revoked: never revealed which. Fails with
 * stored_damaged where the row of the image was changed past the service.
 */
export type ReadAsset = (
  link: SentLink,
) => Promise<{ readonly contentType: string; readonly bytes: Uint8Array }>;

export const makeReadAsset =
  ({ store, keyring, blobs, clock, newId }: ReadAssetDeps): ReadAsset =>
  async (link) => {
    const at = clock();
    if (!mayBeLink(link, at)) throw new Failure("not_found");
    const asset = await store.findAsset(link.id);
    if (asset === undefined || !(await isSigned(keyring, asset.tenantId, link)))
      throw new Failure("not_found");
    if (asset.isForged) throw forgedImage(asset);
    const { tenantId, id, operationId, type } = asset;
    const bytes = await blobs.get(tenantId, asset.blobId);
    const body = { asset: id, type, operation: operationId };
    const kind = "asset_read" satisfies OperationEvidenceKind;
    const evidence = [{ id: newId(), kind, at, body }];
    if (!(await store.noteAssetRead(asset, stepOf({ evidence })))) throw new Failure("not_found");
    return { contentType: `image/${formatOf(bytes)}`, bytes };
  };
