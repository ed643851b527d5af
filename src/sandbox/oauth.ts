import { basic, type SandboxSecrets, sandboxUser } from "./credentials.ts";
import type { SimulatorRequest, SimulatorSpec } from "./simulator/simulator.ts";

/** The name of the client secret of the OAuth server. */
export const oauthName = "oauth";

/** An OAuth 2.0 server that gives access tokens to the client of the sandbox (RFC 6749, 4.4). */
export const oauthSpec = (secrets: SandboxSecrets): SimulatorSpec => ({
  name: oauthName,
  answer: (request) => {
    if (request.method !== "POST" || request.path !== "/token")
      return { status: 404, body: { error: "not_found" } };
    const form = new URLSearchParams(Buffer.from(request.body).toString("utf8"));
    if (form.get("grant_type") !== "client_credentials") {
      return { status: 400, body: { error: "unsupported_grant_type" } };
    }
    if (!isClient(request, form, secrets)) return { status: 401, body: { error: "invalid_client" } };
    return {
      status: 200,
      headers: { "cache-control": "no-store" },
      body: { access_token: secrets.accessToken, token_type: "Bearer", expires_in: 3600 },
    };
  },
});

/** The credentials are in the header or in the body (RFC 6749, 2.3.1). */
const isClient = ({ header }: SimulatorRequest, form: URLSearchParams, secrets: SandboxSecrets): boolean => {
  const secret = secrets.ofRegistry(oauthName);
  return (
    header("authorization") === basic(secret) ||
    (form.get("client_id") === sandboxUser && form.get("client_secret") === secret)
  );
};
