import { connect } from "node:net";
import {
  type AdminRequest,
  answerBytesMax,
  answerChecks,
  isAnswer,
  isRefusal,
  readKey,
  readTenant,
  writeKey,
  writeTenant,
} from "./messages.ts";
import type { AdminStore } from "./serve-socket.ts";

/** A service that refused, did not answer, or answered in another form. The message is complete for the operator. */
export class AdminFault extends Error {
  override readonly name = "AdminFault";
}

/** The running service, as a command sees it. */
export type RunningService = AdminStore & { readonly rewrapKeys: (masterId: string) => Promise<number> };

/** A new wrapping of a million keys takes minutes. */
const answerMsMax = 600_000;

/** Asks the service behind a socket. Each function throws AdminFault. */
export const askService = (path: string): RunningService => {
  const ask = (request: AdminRequest): Promise<unknown> => exchange(path, request);
  return {
    listTenants: async () =>
      parse(answerChecks.listTenants, await ask({ ask: "listTenants" })).map(readTenant),
    createTenant: async (tenant) =>
      readTenant(
        parse(answerChecks.createTenant, await ask({ ask: "createTenant", tenant: writeTenant(tenant) })),
      ),
    setDefaultCountry: async (tenantId, country) =>
      parse(
        answerChecks.setDefaultCountry,
        await ask({ ask: "setDefaultCountry", tenantId, ...(country !== undefined && { country }) }),
      ),
    listApiKeys: async (tenantId) =>
      parse(answerChecks.listApiKeys, await ask({ ask: "listApiKeys", tenantId })).map(readKey),
    findApiKey: async (hash) => {
      const found = parse(answerChecks.findApiKey, await ask({ ask: "findApiKey", hash }));
      return found === null ? undefined : readKey(found);
    },
    createApiKey: async (key, renews) => {
      const request = {
        ask: "createApiKey",
        key: writeKey(key),
        ...(renews !== undefined && { renews }),
      } as const;
      parse(answerChecks.createApiKey, await ask(request));
    },
    revokeApiKey: async (tenantId, keyId, at) =>
      parse(answerChecks.revokeApiKey, await ask({ ask: "revokeApiKey", tenantId, keyId, at: at.getTime() })),
    endApiKey: async (tenantId, keyId, at) =>
      parse(answerChecks.endApiKey, await ask({ ask: "endApiKey", tenantId, keyId, at: at.getTime() })),
    rewrapKeys: async (masterId) =>
      parse(answerChecks.rewrapKeys, await ask({ ask: "rewrapKeys", masterId })),
  };
};

const parse = <Value>(
  check: { readonly Check: (value: unknown) => value is Value },
  value: unknown,
): Value => {
  if (check.Check(value)) return value;
  throw new AdminFault("The service answers in another form: use the command line of its release.");
};

const exchange = async (path: string, request: AdminRequest): Promise<unknown> => {
  const value = readJson(await send(path, `${JSON.stringify(request)}\n`));
  if (isAnswer.Check(value)) return value.answer;
  throw new AdminFault(
    isRefusal.Check(value)
      ? value.refusal
      : "The service did not answer. It may be starting or ending: try again.",
  );
};

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Sends a line, and reads until the service closes the connection. */
const send = async (path: string, line: string): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(path);
  const parts: Buffer[] = [];
  let length = 0;
  socket.setTimeout(answerMsMax, () => socket.destroy(new Error("No answer")));
  socket.on("data", (part: Buffer) => {
    parts.push(part);
    length += part.length;
    if (length > answerBytesMax) socket.destroy(new Error("The answer is too long"));
  });
  socket.once("error", (cause) =>
    reject(
      new AdminFault(
        `The service that has the data directory does not answer at ${path} (${"code" in cause ? String(cause.code) : cause.message}). It may be starting or ending: try again, or stop it.`,
        { cause },
      ),
    ),
  );
  socket.once("close", () => resolve(Buffer.concat(parts).toString("utf8")));
  socket.write(line);
  return await promise;
};
