import type { Call } from "#contract/endpoint";
import type { RecordCall } from "#record/transactions/record-call";
import type { MadeBundle, MakeBundle } from "./make-bundle.ts";
import { exportKind } from "./own-entries.ts";

/** Kinds of evidence of bundles. */
export const bundleEvidenceKinds = [exportKind] as const;

export type ExportCall = Pick<Call<unknown>, "caller" | "transactionId" | "receivedAt" | "appName">;

export type ExportDeps = {
  readonly make: MakeBundle;
  readonly findTenantName: (tenantId: string) => Promise<string>;
  readonly recordCall: RecordCall;
  readonly newId: () => string;
};

/**
 * Makes the bundle of an operation for a caller. The evidence records it before the bytes leave, with the
 * hash of the file: a bundle holds personal data. Made by {@link makeExportBundle}.
 */
export type ExportBundle = (
  call: ExportCall,
  asked: { readonly operation: string; readonly withImages: boolean; readonly anyway: boolean },
) => Promise<MadeBundle>;

export const makeExportBundle =
  ({ make, findTenantName, recordCall, newId }: ExportDeps): ExportBundle =>
  async (call, asked) => {
    const { caller, transactionId, receivedAt: at } = call;
    const { tenantId, environment, keyId } = caller;
    const tenantName = await findTenantName(tenantId);
    const made = await make({ owner: { tenantId, environment, tenantName }, at, ...asked });
    const { operation, withImages } = asked;
    const stated = { operation, environment, sha256: made.sha256, images: withImages };
    const body = { ...stated, key: keyId, transaction: transactionId, faults: made.content.faults.length };
    await recordCall(call, {
      endpoint: "exportEvidence",
      result: { ...stated, level: made.level, faults: made.content.faults.length },
      measurements: null,
      policyVersion: "",
      evidence: [{ id: newId(), kind: exportKind, at, body }],
    });
    return made;
  };
