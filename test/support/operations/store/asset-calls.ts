import type { AssetCommands } from "#record/operations/store/asset-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, noStep } from "#support/storage/sql-sample";

const owner = { tenantId: "tenant", environment: "test" } as const;

export const page = sqlPage<AssetCommands>("record/operations/store/asset-store", {
  findAsset: [{ args: ["asset"] }],
  noteAssetRead: [{ args: [{ tenantId: "tenant", id: "asset" }, noStep] }],
  revokeAsset: [{ args: [owner, "operation", "asset", at, noStep] }],
  purgeAssets: [{ args: ["tenant", at], when: "up to 500 images" }],
});
