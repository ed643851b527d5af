import { imageTypes } from "#contract/image-type";
import type { Json } from "#contract/json";
import { assetPath } from "./assets.ts";

const tag = "Operation";

const answer = (description: string, type: string, schema: Json, example: Json): Json => ({
  description,
  content: { [type]: { schema, example } },
});

const text = { type: "string" };
const json = "application/json";

const assetParameter = (
  name: string,
  place: "path" | "query",
  description: string,
  example: string,
): Json => ({
  name,
  in: place,
  required: true,
  description,
  schema: text,
  example,
});

const page = (
  operationId: string,
  summary: string,
  description: string,
  responses: Readonly<Record<string, Json>>,
  security: Json = [],
): Json => ({ get: { operationId, tags: [tag], summary, description, security, responses } });

const readiness: Json = {
  type: "object",
  required: ["status", "hindrances"],
  properties: {
    status: { type: "string", enum: ["ready", "not ready"] },
    hindrances: {
      type: "array",
      items: text,
      description: "Unmet preconditions, in words; empty when ready.",
    },
  },
};

const liveness: Json = {
  type: "object",
  required: ["status"],
  properties: { status: { type: "string", enum: ["alive", "broken"] } },
};

const publishedKeys: Json = {
  type: "object",
  description: "JSON Web Key Set (RFC 7517) of P-256 keys; tokens are sealed to the first.",
  required: ["keys"],
  properties: {
    keys: {
      type: "array",
      items: {
        type: "object",
        required: ["kty", "crv", "x", "y", "kid", "use"],
        properties: { kty: text, crv: text, x: text, y: text, kid: text, use: text },
      },
    },
  },
};

/** The base point of P-256: a valid key that no deployment holds. */
const exampleKey: Json = {
  kty: "EC",
  crv: "P-256",
  x: "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
  y: "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
  kid: "xx0BcA-wMohw8atYDJOe6peGModklG2wRHBlXHMvl0M",
  use: "enc",
};

/** Path of the sealing module: one file of plain JavaScript, stable for integrators. */
export const sealingPath = "/sealing.js";

/**
 * Paths beside the interface, for browsers that seal and for the operator's platform. None needs an API key.
 */
export const operationPaths: Readonly<Record<string, Json>> = {
  "/.well-known/idem-keys.json": page(
    "publishedKeys",
    "Public keys to seal tokens with",
    "Readable from pages of any origin. Fetch it before each sealing: a rotation changes it.",
    { "200": answer("The keys.", json, publishedKeys, { keys: [exampleKey] }) },
  ),
  [sealingPath]: page(
    "sealingModule",
    "The module that seals tokens",
    "An ES module without imports for browsers and Node 20 or later: `sealToken({ keys, kind, payload, now })` answers a " +
      "token in Base64. `keys` is the document at /.well-known/idem-keys.json; `kind` is best-image, face-image, " +
      "document-image, template, ocr or tracking; `payload` are the bytes of the image; `now` is a Date.",
    { "200": answer("The module.", "text/javascript", text, "export { sealToken };") },
  ),
  "/healthz": page("healthz", "Whether the process is alive", "For restarting it.", {
    "200": answer("It lives.", json, liveness, { status: "alive" }),
    "503": answer("Restart the process: the store could not commit.", json, liveness, {
      status: "broken",
    }),
  }),
  "/readyz": page(
    "readyz",
    "Whether calls can be served",
    "Checks store, object storage and inference threads, at most every three seconds and for at most two.",
    {
      "200": answer("Ready.", json, readiness, { status: "ready", hindrances: [] }),
      "503": answer("Not ready, or draining.", json, readiness, {
        status: "not ready",
        hindrances: ["the store does not answer"],
      }),
    },
  ),
  [assetPath]: {
    get: {
      operationId: "asset",
      tags: ["Tracking"],
      summary: "A kept image of an operation",
      description:
        "The address is in the events of the operation, signed and for 15 minutes or what the operator sets. It needs no API key, " +
        "and each use is in the evidence of its tenant. Must not be cached.",
      security: [],
      parameters: [
        assetParameter("id", "path", "The image.", "9a53c1f9-5c1e-4a52-9a53-0b6f1d5a7c11"),
        assetParameter("expires", "query", "When the link ends, in seconds since 1970.", "1795253400"),
        assetParameter("signature", "query", "HMAC-SHA-256 in hex.", "00".repeat(32)),
      ],
      responses: {
        "200": {
          description: "The image as it was sent.",
          content: Object.fromEntries(
            imageTypes.map((type) => [type, { schema: { type: "string", format: "binary" } }]),
          ),
        },
        // For a link that is unknown, forged, expired or revoked, and for an image that was removed.
        "404": { $ref: "#/components/responses/not_found" },
        // For an address that has sent too many links that do not work.
        "429": { $ref: "#/components/responses/rate_limited" },
      },
    },
  },
  "/metrics": page(
    "metrics",
    "Metrics in the Prometheus format",
    "Open in development; with IDEM_METRICS_TOKEN only for its bearer; otherwise closed in production (403).",
    {
      "200": answer("The metrics.", "text/plain", text, "idem_http_requests_in_flight 1"),
      "401": answer(
        "Another bearer.",
        json,
        { $ref: "#/components/schemas/Message" },
        { message: "Unauthorized" },
      ),
    },
    [{}, { metricsToken: [] }],
  ),
};

/** The bearer scheme of /metrics. */
export const metricsScheme: Json = { type: "http", scheme: "bearer" };
