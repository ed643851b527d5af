import { readFile } from "node:fs/promises";
import { openTokenKeys } from "#app/storage";
import { publishKeys } from "#trust/tokens/keys";
import { claimedKind, makeOpenToken } from "#trust/tokens/open";
import { sealToken } from "#trust/tokens/seal";
import { CommandError, print, say } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { fetchPublishedKeys } from "../kit/service/published-keys.ts";
import { withStore } from "../kit/store/with-tenant.ts";
import type { tokens } from "./tokens.command.ts";

type Topics = (typeof tokens)["topics"];

export const seal: Work<Topics["seal"]> = async ({ kind, url }, path) => {
  const payload = await readInput(path);
  const keys =
    url === undefined
      ? await withStore(async ({ sealedStore, config }) =>
          publishKeys(await openTokenKeys(sealedStore, config).loadOrCreate(new Date())),
        )
      : await fetchPublishedKeys(url);
  print(await sealToken({ keys, kind, payload, now: new Date() }));
  return 0;
};

export const open: Work<Topics["open"]> = async ({ kind: wanted }, path) => {
  const text = Buffer.from(await readInput(path)).toString("ascii");
  const token = Buffer.from(text, "base64");
  const kind = wanted ?? claimedKind(token);
  if (kind === undefined) {
    throw new CommandError("This is not a token of this service.");
  }
  const opener = await withStore(async ({ sealedStore, config }) =>
    makeOpenToken(await openTokenKeys(sealedStore, config).loadOrCreate(new Date()), config.tokens),
  );
  const opened = await opener(token, kind, { caller: undefined, receivedAt: new Date() });
  say(
    `${opened.kind}, sealed ${opened.issuedAt.toISOString()}, ${opened.payload.length} bytes, SHA-256 ${opened.hash}`,
  );
  process.stdout.write(opened.payload);
  return 0;
};

export const rotate: Work<Topics["rotate"]> = () =>
  withStore(async ({ sealedStore, config }) => {
    const { current } = await openTokenKeys(sealedStore, config).rotate(new Date());
    say(`New key ${current.kid}. Running services publish it within two seconds.`);
    return 0;
  });

const readInput = async (path: string): Promise<Uint8Array> =>
  await readFile(path === "-" ? "/dev/stdin" : path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read (${error.code ?? error.message}).`);
  });
