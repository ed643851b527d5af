/**
 * Calls of a running service. The route of the contract states the address, the fields and the form of the
 * answer.
 */
import type { Static, TSchema } from "typebox";
import type { Route } from "#contract/endpoint";
import { makeCheck } from "#contract/make-check";
import { CommandError } from "../../command.ts";
import { makeClient } from "./client.ts";

/**
 * Calls one route, and returns its answer. Throws CommandError with the reason where the service does not
 * answer
 * 200. `nextStep` follows the reason of an answer 404.
 */
export type CallRoute = <Request extends TSchema, Response extends TSchema>(
  route: Route<Request, Response>,
  request: Static<Request>,
  nextStep?: string,
) => Promise<Static<Response>>;

/** A running service, called with one key. */
export type CalledService = { readonly url: string; readonly key: string; readonly call: CallRoute };

export const connect = (url: string, key: string): CalledService => {
  const client = makeClient(url, key);
  const call: CallRoute = async (route, request, nextStep) => {
    const { path, fields } = addressOf(route, new Map(Object.entries(Object(request))));
    const sent = route.method === "GET" ? client.get(path) : client.post(path, Object.fromEntries(fields));
    const { status, body } = await sent.catch(() => {
      throw new CommandError(`No service answers at ${url}. Start it, or name its address: --url`);
    });
    if (status !== 200) throw refused(url, status, body, nextStep);
    const answer = makeCheck(route.response);
    if (answer.Check(body)) return body;
    throw new CommandError(`The service at ${url} answered in another form. Is it of this release?`);
  };
  return { url, key, call };
};

/** The path of a call with its query, and the fields of its body. */
const addressOf = ({ method, path }: Route, request: ReadonlyMap<string, unknown>) => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(request.get(name))),
  );
  const fields = [...request].filter(([name, value]) => !inPath.includes(name) && value !== undefined);
  const query = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]));
  return { path: method === "GET" && fields.length > 0 ? `${filled}?${query}` : filled, fields };
};

const refused = (url: string, status: number, body: unknown, nextStep = ""): CommandError => {
  const reason = `${reasonOf(body)}${factsOf(body)}`;
  const sentences = status === 404 && nextStep !== "" ? `${reason.replace(/\.$/, "")}. ${nextStep}` : reason;
  return new CommandError(`The service at ${url} answered ${status}: ${sentences}`);
};

/** The reason in the problem details of an answer. */
export const reasonOf = (body: unknown): string => {
  const fields = new Map<string, unknown>(Object.entries(Object(body)));
  const textOf = (name: string): readonly string[] => {
    const text = fields.get(name);
    return typeof text === "string" ? [text] : [];
  };
  const [title] = textOf("title");
  const [detail] = [...textOf("detail"), ...textOf("message")];
  return [title, detail].filter((text) => text !== undefined).join(". ") || "no reason";
};

/** The facts of a failure, such as the id of a transfer that exists. */
const factsOf = (body: unknown): string => {
  const facts = new Map<string, unknown>(Object.entries(Object(body))).get("facts");
  const pairs = Object.entries(Object(facts)).map(([name, value]) => `${name}: ${String(value)}`);
  return pairs.length === 0 ? "" : ` (${pairs.join(", ")})`;
};
