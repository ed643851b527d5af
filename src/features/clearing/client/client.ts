import type { Egress, EgressAnswer, EgressError } from "#machine/egress/egress";
import type { EntityAccess, EntityClient, EntityOutcome } from "./entity.ts";
import { readAnswer, ticketPath, tokenPath, writeTicketRequest, writeTokenRequest } from "./wire.ts";

export type EntityClientDeps = {
  readonly egress: Egress;
  /** Whether calls go through a proxy: then no one here sees whether a call left it. */
  readonly isProxied: boolean;
};

/** The documented answer has some hundred bytes. */
const answerBytesMax = 65_536;
/** The depth of the documented answer is 3; JSON.parse itself has no limit but the size. */
const silenceMsMax = 10_000;

/** The client of the clearing entity. Each call has a connection of its own, so that none is sent twice. */
export const makeEntityClient = (deps: EntityClientDeps): EntityClient => ({
  requestTicket: (access, request) =>
    ask(deps, access, {
      path: ticketPath,
      member: "ticket_tvi",
      body: writeTicketRequest(request, access),
      authorization: `Basic ${Buffer.from(access.basic, "utf8").toString("base64")}`,
    }),
  requestToken: (access, ticket) =>
    ask(deps, access, { path: tokenPath, member: "token", body: writeTokenRequest(ticket, access) }),
});

type Asked = {
  readonly path: string;
  readonly member: "ticket_tvi" | "token";
  readonly body: object;
  readonly authorization?: string;
};

const ask = async (
  deps: EntityClientDeps,
  { url, timeoutMs }: EntityAccess,
  { path, member, body, authorization }: Asked,
): Promise<EntityOutcome> => {
  try {
    const answer = await deps.egress(`${url}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(authorization !== undefined && { authorization }),
      },
      body: Buffer.from(JSON.stringify(body), "utf8"),
      bytesMax: answerBytesMax,
      headMsMax: timeoutMs,
      silenceMsMax,
      wholeMsMax: timeoutMs + silenceMsMax,
    });
    return judgeAnswer(answer.status, await readJson(answer), member);
  } catch (error) {
    if (!isEgressError(error)) throw error;
    return wasNotSent(error, url, deps)
      ? { kind: "not-sent", cause: error }
      : { kind: "unknown", isAnswered: false, cause: error };
  }
};

/** The parsed body; undefined where it is not JSON. Fails with EgressError. */
const readJson = async ({ body }: EgressAnswer): Promise<unknown> => {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  try {
    const parsed: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
    return parsed;
  } catch {
    return undefined;
  }
};

/**
 * Whether a status, or a code in a body, certainly means that the entity did not act. 408 can come from a
 * server in between that has passed the request on, and 409 can mean that what was asked for exists already.
 */
const isRefusal = (code: number): boolean => code >= 400 && code < 500 && code !== 408 && code !== 409;

/**
 * Judges an answer. A refusal is certain only where neither the status nor the code in the body leaves it
 * open. An answer that states success without a value, a code of 5xx, and anything else leave open whether
 * the entity acted.
 */
export const judgeAnswer = (status: number, body: unknown, member: "ticket_tvi" | "token"): EntityOutcome => {
  const read = readAnswer(body, member);
  const isStatusOpen = status !== 200 && !isRefusal(status);
  const isRefused = read === undefined ? isRefusal(status) : isRefusal(read.statement.code);
  if (isRefused && !isStatusOpen) {
    const isAccess = status === 401 || status === 403;
    return { kind: "refused", isAccess, statement: read?.statement ?? { code: status, errors: [] } };
  }
  if (status === 200 && read?.isSuccess === true && read.value !== undefined) {
    return { kind: "granted", value: read.value, statement: read.statement };
  }
  const stated = read === undefined ? "without a usable body" : `with code ${read.statement.code}`;
  const cause = new Error(`The clearing entity answered ${status} ${stated}`);
  return { kind: "unknown", isAnswered: true, ...(read && { statement: read.statement }), cause };
};

/** By name: a module imports only the types of another. */
const isEgressError = (error: unknown): error is EgressError =>
  error instanceof Error && error.name === "EgressError";

/**
 * Whether the entity certainly got no byte of the request: the rules refused it, or no connection was made.
 */
const wasNotSent = (
  { reason, exchange }: EgressError,
  url: string,
  { isProxied }: EntityClientDeps,
): boolean => {
  if (reason === "url_refused" || reason === "address_refused") return true;
  if (isProxied && url.startsWith("https:")) return false;
  const connected = url.startsWith("https:") ? exchange?.tlsMs : exchange?.connectMs;
  return (reason === "unreachable" || reason === "timed_out") && connected === undefined;
};
