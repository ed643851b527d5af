import type { Route } from "#contract/endpoint";
import type { Json } from "#contract/json";
import type { SharedSchemas } from "./shared-schemas.ts";

/** Headers of Standard Webhooks 1.0. */
const signedHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/**
 * What a route posts later to a URL of its request, as the `callbacks` of its operation; undefined where it
 * posts nothing.
 */
export const callbacksOf = ({ callback }: Route, refer: SharedSchemas["refer"]): Json | undefined => {
  if (callback === undefined) return undefined;
  const { field, description, body } = callback;
  return {
    [field]: {
      [`{$request.body#/${field}}`]: {
        post: {
          description,
          security: [],
          parameters: signedHeaders.map((name) => ({
            name,
            in: "header",
            required: true,
            schema: { type: "string" },
          })),
          requestBody: { required: true, content: { "application/json": { schema: refer(body) } } },
          responses: {
            "2XX": { description: "Received: it is not sent again." },
            "410": { description: "The receiver is gone: it is not sent again." },
            default: { description: "It is sent again. A redirect is not followed." },
          },
        },
      },
    },
  };
};
