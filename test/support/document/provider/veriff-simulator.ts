import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenLocally } from "../../egress/local-server.ts";
import {
  type Answer,
  type Decide,
  fail,
  open,
  readDecision,
  type Session,
  submit,
  upload,
} from "./veriff-sessions.ts";

export type Step = "open" | "media" | "submit" | "decision";

/**
 * Fault of the next call of a step: an error status, no answer, or an answer that is lost after the effect.
 */
export type Fault = { readonly step: Step; readonly kind: number | "silence" | "lost answer" };

type Keys = { readonly apiKey: string; readonly sharedSecret: string };

type Provider = {
  readonly keys: Keys;
  readonly decide: Decide;
  readonly sessions: Map<string, Session>;
  /** Each fault occurs once, in the order of its step. */
  readonly faults: Fault[];
  readonly calls: Step[];
};

/**
 * Simulates the public session API of Veriff over HTTP, on a free port of this host and as its documentation
 * describes it. Checks headers and signatures, signs answers. The states of a session are created, started
 * and submitted.
 */
export const startVeriffSimulator = async (keys: Keys, decide: Decide) => {
  const provider: Provider = { keys, decide, sessions: new Map(), faults: [], calls: [] };
  const server = createServer((request, response) => void handle(provider, request, response));
  const port = await listenLocally(server);
  return {
    ...provider,
    baseUrl: `http://127.0.0.1:${port}`,
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};

export type VeriffSimulator = Awaited<ReturnType<typeof startVeriffSimulator>>;

const sign = ({ sharedSecret }: Keys, text: string | Buffer): string =>
  createHmac("sha256", sharedSecret).update(text).digest("hex");

const handle = async (
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const text = await readAll(request);
  const parts = (request.url ?? "").split("/").filter((part) => part !== "");
  const step = stepOf(request.method, parts);
  if (step !== undefined) provider.calls.push(step);
  const at = provider.faults.findIndex((fault) => fault.step === step);
  const kind = at < 0 ? undefined : provider.faults.splice(at, 1)[0]?.kind;
  if (kind === "silence") return;
  const answer =
    typeof kind === "number"
      ? fail(kind, "1000", "It went wrong")
      : (refuse(provider.keys, request, text, parts[2] ?? "") ??
        answerTo(provider, step, parts[2] ?? "", text));
  if (kind === "lost answer") {
    response.destroy();
    return;
  }
  const body = JSON.stringify(answer.body);
  const signature = sign(provider.keys, body);
  response.writeHead(answer.status, { "content-type": "application/json", "x-hmac-signature": signature });
  response.end(body);
};

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
};

const stepOf = (method: string | undefined, [, , id, last]: readonly string[]): Step | undefined => {
  if (method === "POST" && id === undefined) return "open";
  if (method === "POST" && last === "media") return "media";
  if (method === "PATCH" && last === undefined) return "submit";
  return method === "GET" && last === "decision" ? "decision" : undefined;
};

const refuse = (
  keys: Keys,
  { method, headers }: IncomingMessage,
  body: Buffer,
  id: string,
): Answer | undefined => {
  const { "x-auth-client": client, "x-hmac-signature": signature } = headers;
  if (client === undefined) return fail(401, "1801", "Header X-AUTH-CLIENT is missing");
  if (client !== keys.apiKey) return fail(401, "1803", "There is no integration with this key");
  if (!/^[0-9a-f]{64}$/.test(String(signature))) return fail(401, "1812", "The signature is no SHA-256");
  const isRight = signature === sign(keys, method === "GET" ? id : body);
  return isRight ? undefined : fail(401, "1818", "The signature does not match");
};

const answerTo = (
  { sessions, decide }: Provider,
  step: Step | undefined,
  id: string,
  text: Buffer,
): Answer => {
  if (step === undefined) return fail(404, "1104", "There is no such address");
  const body: unknown = text.length === 0 ? undefined : JSON.parse(text.toString("utf8"));
  if (step === "open") return open(sessions, body);
  const session = sessions.get(id);
  if (session === undefined) return fail(404, "1104", "There is no such session");
  if (step === "decision") return readDecision(session, decide);
  return step === "media" ? upload(session, body) : submit(session, body);
};
