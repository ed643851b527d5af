import { Base64Parts } from "#contract/base64";
import { type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { exportEvidenceRoute } from "#contract/evidence.routes";
import type { ExportBundle } from "../evidence/bundle/export-bundle.ts";

/** GET /operator/operations/{operation}/evidence */
export const exportEvidenceEndpoint = (exportBundle: ExportBundle): Endpoint =>
  implement(exportEvidenceRoute, async (call) => {
    const { operation, images, anyway } = call.request;
    const made = await exportBundle(call, {
      operation,
      withImages: images === "true",
      anyway: anyway === "true",
    });
    return {
      timestamp: answeredAt(call).toISOString(),
      transactionId: call.transactionId,
      operationId: operation,
      fileName: `evidence-${operation.replaceAll(/[^\w.-]/gu, "_")}.pdf`,
      bytes: made.bytes,
      sha256: made.sha256,
      level: made.level,
      faults: made.content.faults.map(({ place, finding }) => `${place}: ${finding}`),
      bundle: new Base64Parts(made.parts),
    };
  });
