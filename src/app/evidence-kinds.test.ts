import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { captureEvidenceKinds } from "#features/capture/policy";
import { transferEvidenceKinds } from "#features/clearing/transfers/transfer-step";
import { clearingEvidenceKinds } from "#features/clearing/verify/issue";
import { registryEvidenceKinds } from "#features/registry/ask-registry";
import { localRegistryEvidenceKinds } from "#features/registry/local/evidence";
import { signingEvidenceKinds } from "#features/signing/documents/digital-sign";
import { bundleEvidenceKinds } from "#features/signing/evidence/bundle/export-bundle";
import { userEvidenceKinds } from "#features/users/service";
import { verificationEvidenceKinds } from "#features/verification/policy";
import { listedDocumentKinds } from "#judging/document/decision/history/listed-documents";
import { decisionKinds } from "#judging/document/validation/decided-step";
import { operationEvidenceKinds } from "#record/operations/end-operation";
import { rightsEvidenceKinds } from "#record/rights/evidence-kinds";
import { receiptKinds } from "#record/transactions/evidence";
import { deliveryEvidenceKinds } from "#record/webhooks/delivery/end-attempt";
import { destinationEvidenceKinds } from "#record/webhooks/destinations/evidence";
import { apiKeyEvidenceKinds } from "#trust/tenants/key-admin";
import { personaEvidenceKinds } from "./personas.ts";

it("the evidence guide lists every kind of entry that this release writes, and no other", async () => {
  const guide = await readFile(new URL("../../docs/guides/understand/evidence.md", import.meta.url), "utf8");
  const [, table = ""] = /\n\| Kind \| When .*?\n((?:\|.*\n)+)/.exec(guide) ?? [];
  const listed = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, kind]) => kind);
  const written = [
    ...decisionKinds,
    ...listedDocumentKinds,
    ...userEvidenceKinds,
    ...operationEvidenceKinds,
    ...destinationEvidenceKinds,
    ...deliveryEvidenceKinds,
    ...registryEvidenceKinds,
    ...transferEvidenceKinds,
    ...signingEvidenceKinds,
    ...bundleEvidenceKinds,
    ...personaEvidenceKinds,
    ...localRegistryEvidenceKinds,
    ...clearingEvidenceKinds,
    ...captureEvidenceKinds,
    ...verificationEvidenceKinds,
    ...apiKeyEvidenceKinds,
    ...rightsEvidenceKinds,
    ...receiptKinds,
  ];
  expect(listed).toEqual(written);
});
