import { createKeyRoute, listKeysRoute, renewKeyRoute, revokeKeyRoute } from "../key.routes.ts";
import { callsOn, type ExampleCall } from "./example-call.ts";

/** A call on the key that the example `createdKey` made. */
const ofKey = callsOn(
  { field: "keyId", from: "createdKey", member: "keyId" },
  "6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a",
);

/** Examples of API keys, in an order that works: from the creation of one to its revocation. */
export const keyCalls: readonly ExampleCall[] = [
  {
    name: "createdKey",
    route: createKeyRoute,
    summary: "A key for the onboarding application, for a month. The answer has its text, once.",
    fields: { name: "Onboarding, production", scopes: ["face", "document"], days: 30 },
  },
  ofKey("renewedKey", renewKeyRoute, "A key in its place; the former one opens its calls for a day more.", {
    overlapHours: 24,
  }),
  ofKey("revokedKey", revokeKeyRoute, "The former key opens nothing any more."),
  {
    name: "listedKeys",
    route: listKeysRoute,
    summary: "All keys of the tenant and environment, the newest first.",
    fields: {},
  },
];
