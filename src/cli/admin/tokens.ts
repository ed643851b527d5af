import { readFile } from "node:fs/promises";
import { Type } from "typebox";
import type { ReadyConfig } from "#app/storage";
import { makeCheck } from "#contract/make-check";
import { readConfig } from "#machine/config/config";
import { tokenKinds } from "#trust/tokens/envelope";
import type { TokenKeyStore } from "#trust/tokens/key-store";
import { publishKeys } from "#trust/tokens/keys";
import { claimedKind, makeOpenToken } from "#trust/tokens/open";
import { type PublishedKeys, sealToken } from "#trust/tokens/seal";
import type { TokenKind } from "#trust/tokens/token";
import { CommandError, parseOptions, print, type Run, say, UsageError, wrongAction } from "../command.ts";
import { findDeployment } from "../serve/first-start.ts";
import { wayOut } from "../way-out.ts";

export const runTokens: Run = async ([verb, ...args]) => {
  if (verb === "seal") {
    return await seal(args);
  }
  if (verb === "open") {
    return await open(args);
  }
  if (verb === "rotate") {
    return await rotate(args);
  }
  throw wrongAction("tokens", verb, ["seal", "open", "rotate"]);
};

const withKeyStore = async <Result>(
  use: (keyStore: TokenKeyStore, config: ReadyConfig) => Promise<Result>,
): Promise<Result> => {
  const config = await findDeployment(readConfig());
  // Loaded late: the demo and the benchmark use this file without a service in their own process.
  const { openTokenKeys } = await import("#app/storage");
  const { openCommandStore } = await import("../reach-store.ts");
  const { store, close } = await openCommandStore(config, wayOut.stop);
  try {
    return await use(openTokenKeys(store, config), config);
  } finally {
    await close();
  }
};

const seal = async (args: readonly string[]): Promise<number> => {
  const { values, positionals } = parseOptions(
    args,
    { kind: { type: "string" }, url: { type: "string" } },
    true,
  );
  const kind = parseKind(values.kind);
  if (kind === undefined) {
    throw new UsageError(`Name the kind: --kind ${tokenKinds.join(" | ")}`);
  }
  const payload = await readInput(positionals[0]);
  const published =
    values.url === undefined
      ? await withKeyStore(async (keyStore) => publishKeys(await keyStore.loadOrCreate(new Date())))
      : await fetchPublishedKeys(values.url);
  print(await sealToken({ keys: published, kind, payload, now: new Date() }));
  return 0;
};

const open = async (args: readonly string[]): Promise<number> => {
  const { values, positionals } = parseOptions(args, { kind: { type: "string" } }, true);
  const text = Buffer.from(await readInput(positionals[0])).toString("ascii");
  const token = Buffer.from(text, "base64");
  const kind = parseKind(values.kind) ?? claimedKind(token);
  if (kind === undefined) {
    throw new CommandError("This is not a token of this service.");
  }
  const opener = await withKeyStore(async (keyStore, config) =>
    makeOpenToken(await keyStore.loadOrCreate(new Date()), config.tokens),
  );
  const opened = await opener(token, kind, { caller: undefined, receivedAt: new Date() });
  say(
    `${opened.kind}, sealed ${opened.issuedAt.toISOString()}, ${opened.payload.length} bytes, SHA-256 ${opened.hash}`,
  );
  process.stdout.write(opened.payload);
  return 0;
};

const rotate = async (args: readonly string[]): Promise<number> => {
  parseOptions(args, {});
  const keys = await withKeyStore((keyStore) => keyStore.rotate(new Date()));
  say(`New key ${keys.current.kid}. Running services publish it within two seconds.`);
  return 0;
};

const parseKind = (text: string | undefined): TokenKind | undefined => {
  const kind = tokenKinds.find((known) => known === text);
  if (text !== undefined && kind === undefined) {
    throw new UsageError(`Unknown kind "${text}". Kinds: ${tokenKinds.join(", ")}`);
  }
  return kind;
};

const readInput = async (path: string | undefined): Promise<Uint8Array> => {
  if (path === undefined) {
    throw new UsageError('Name a file, or "-" for standard input');
  }
  return await readFile(path === "-" ? "/dev/stdin" : path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read (${error.code ?? error.message}).`);
  });
};

const publishedKeys = makeCheck(
  Type.Object({
    keys: Type.Array(
      Type.Object({
        kty: Type.Literal("EC"),
        crv: Type.Literal("P-256"),
        x: Type.String(),
        y: Type.String(),
        kid: Type.String(),
        use: Type.Literal("enc"),
      }),
    ),
  }),
);

/**
 * The public keys of a running service. Throws CommandError where no service, or another program, answers.
 */
export const fetchPublishedKeys = async (url: string): Promise<PublishedKeys> => {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new UsageError(`--url is ${JSON.stringify(url)}. Use an address such as http://127.0.0.1:8080.`);
  }
  const response = await fetch(`${url.replace(/\/+$/, "")}/.well-known/idem-keys.json`, {
    signal: AbortSignal.timeout(answerMsMax),
  }).catch((error: unknown) => {
    throw new CommandError(`${url} does not answer. Start the service, or correct --url.`, { cause: error });
  });
  const keys: unknown = await response.json().catch(() => undefined);
  if (!publishedKeys.Check(keys)) {
    throw new CommandError(
      `${url} publishes no keys of this service (HTTP ${response.status}). Correct --url.`,
    );
  }
  return keys;
};

/** A service that takes longer to send a few hundred bytes counts as not running. */
const answerMsMax = 10_000;
