import { Type } from "typebox";
import { type Route, route } from "./endpoint.ts";
import { choice, responseTime, text, writtenFile } from "./wire.ts";

const exampleId = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** `true` or `false` in a query. */
const flag = (description: string) =>
  Type.Optional(choice(["true", "false"], description, { examples: ["false"] }));

/** GET /operator/operations/{operation}/evidence */
export const exportEvidenceRoute = route({
  name: "exportEvidence",
  method: "GET",
  path: "/operator/operations/{operation}/evidence",
  scope: "tracking",
  tag: "Tracking",
  cost: 8,
  summary: "Makes the evidence bundle of an operation",
  description:
    "Beyond the interface. A signed and time-stamped PDF/A-3: a readable report, and as attachments everything that was decided in the " +
    "operation with its measurements, and the links of the evidence chain. `idem evidence verify FILE` checks it without the service. " +
    "Rows that do not fit the chain refuse the bundle. The evidence records each export.",
  request: Type.Object({
    operation: text("The operation, as in the `source` of its events.", {
      maxLength: 128,
      examples: [exampleId],
    }),
    images: flag("Whether kept images become attachments. Default false: their hashes alone."),
    anyway: flag(
      "Makes a bundle although rows and chain do not fit; the bundle states each fault, and its verification too. Default false.",
    ),
  }),
  response: Type.Object({
    timestamp: responseTime,
    transactionId: text("Transaction of this export.", {
      examples: ["2db602ee-3564-4304-af95-92a52eaae12d"],
    }),
    operationId: text("The operation.", { examples: [exampleId] }),
    fileName: text("A name for the file.", { examples: [`evidence-${exampleId}.pdf`] }),
    bytes: Type.Integer({ description: "Size of the file.", examples: [181_234] }),
    sha256: text("SHA-256 of the file, hexadecimal.", { examples: ["9f".repeat(32)] }),
    level: text("Level of the signature.", { examples: ["B-LTA"] }),
    faults: Type.Array(
      text("What did not fit, with its place.", { examples: ["chain, entry 3, seq: entry 3 is missing"] }),
      { description: "Empty, unless `anyway` was asked for." },
    ),
    bundle: writtenFile("The signed PDF."),
  }),
  failures: [
    "not_found",
    "evidence_damaged",
    "pdf_too_large",
    "signature_unproven",
    "timestamp_failed",
    "signer_unusable",
    "engine_busy",
    "engine_failed",
  ],
});

/** In the order of the docs page. */
export const evidenceRoutes: readonly Route[] = [exportEvidenceRoute];
