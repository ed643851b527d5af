import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { captureEvidenceKinds } from "#capture/policy";
import { transferEvidenceKinds } from "#clearing/transfers/transfer-step";
import { clearingEvidenceKinds } from "#clearing/verify/issue";
import { listedDocumentKinds } from "#document/decision/history/listed-documents";
import { decisionKinds } from "#document/validation/decided-step";
import { registryEvidenceKinds } from "#registry/ask-registry";
import { localRegistryEvidenceKinds } from "#registry/local/evidence";
import { signingEvidenceKinds } from "#signing/documents/digital-sign";
import { bundleEvidenceKinds } from "#signing/evidence/bundle/export-bundle";
import { rightsEvidenceKinds } from "#storage/rights/evidence-kinds";
import { apiKeyEvidenceKinds } from "#tenants/key-admin";
import { operationEvidenceKinds } from "#tracking/end-operation";
import { receiptKinds } from "#transactions/evidence";
import { userEvidenceKinds } from "#users/service";
import { verificationEvidenceKinds } from "#verification/policy";
import { deliveryEvidenceKinds } from "#webhooks/delivery/end-attempt";
import { destinationEvidenceKinds } from "#webhooks/destinations/evidence";
import { personaEvidenceKinds } from "./personas.ts";

it("the evidence guide lists every kind of entry that this release writes, and no other", async () => {
  const guide = await readFile(new URL("../../docs/guides/evidence.md", import.meta.url), "utf8");
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
