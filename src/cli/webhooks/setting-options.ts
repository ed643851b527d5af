import { knownTopics, wildcards } from "#record/webhooks/destinations/topics";

/** Options of a destination's settings; `add` and `set` share them. */
export const settingOptions = {
  name: { type: "string", says: "a name for people" },
  url: {
    type: "string",
    says: "https; plain http only to loopback addresses that IDEM_EGRESS_ALLOW names",
  },
  topics: {
    type: "string",
    says: `comma-separated, of: ${knownTopics.slice(0, 3).join(", ")},
${knownTopics.slice(3).join(", ")};
or "${wildcards.join('" or "')}"`,
  },
  order: {
    type: "string",
    label: "--order on|off",
    says: "whether events of one operation are delivered in sequence",
  },
  header: {
    type: "string",
    multiple: true,
    label: "--header N=V",
    says: "a further header; repeat it for more. All of them replace the former ones. --no-headers: none",
  },
  "no-headers": { type: "boolean" },
  "api-key-header": { type: "string", says: "header of an API key. The key is read from stdin" },
  "token-url": {
    type: "string",
    says: `OAuth 2.0 client credentials, with --client-id, --scope and --credentials-in header|body. The client
secret is read from stdin`,
  },
  "client-id": { type: "string" },
  scope: { type: "string" },
  "credentials-in": { type: "string" },
  "credential-from": {
    type: "string",
    says: "environment variable that holds the key or client secret, in place of stdin",
  },
  "no-auth": { type: "boolean", says: "no API key and no OAuth: the signature alone" },
  handshake: {
    type: "string",
    label: "--handshake on|off",
    says: "whether the receiver must consent before the first event",
  },
  timeout: { type: "string", says: "seconds of an attempt, 1 to 30" },
  retry: {
    type: "string",
    says: "seconds before each attempt, comma-separated; default: those of the deployment",
  },
  concurrent: {
    type: "string",
    says: "deliveries in flight, 1 to 64; 0: as many as the deployment allows",
  },
} as const;
