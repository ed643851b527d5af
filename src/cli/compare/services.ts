import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { readConfig } from "#machine/config/config";
import type { EgressRules } from "#machine/egress/egress";
import { makeEgress } from "#machine/egress/make-egress";
import { CommandError, UsageError } from "../command.ts";
import { makeSend, type Send } from "./send.ts";

/**
 * Where a key is read from. A key is never in an option, because other users of the machine can read options.
 */
export type KeySource =
  | { readonly option: string; readonly variable: string }
  | { readonly option: string; readonly file: string };

export type ServicesOptions = {
  readonly theirs: { readonly url: string; readonly key: KeySource };
  readonly ours: { readonly url: string; readonly key: KeySource };
  readonly pauseMs: number;
  readonly timeoutMs: number;
};

/** The senders of both services, each with its own key and addresses. Throws UsageError without a key. */
export const openServices = async ({
  theirs,
  ours,
  pauseMs,
  timeoutMs,
}: ServicesOptions): Promise<{ readonly theirs: Send; readonly ours: Send }> => {
  const rules = readConfig().egress;
  const open = async ({ url, key }: ServicesOptions["theirs"]): Promise<Send> =>
    makeSend({ url, key: await readKey(key), egress: makeEgress(withTyped(rules, url)), pauseMs, timeoutMs });
  return { theirs: await open(theirs), ours: await open(ours) };
};

const loopback = ["127.0.0.0/8", "::1"];

/**
 * Opens the address that the operator typed: a literal one, or localhost. A name that leads to a private
 * address stays closed, since a name server chose it, unless IDEM_EGRESS_ALLOW opens its range.
 */
export const withTyped = ({ allow, ...rest }: EgressRules, url: string): EgressRules => {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const typed = host === "localhost" ? loopback : isIP(host) === 0 ? [] : [host];
  return { ...rest, allow: [...allow, ...typed] };
};

/**
 * The key without its line end. No message holds a part of the key, nor the name, because a user may write
 * the key there by mistake.
 */
const readKey = async (source: KeySource): Promise<string> => {
  const { option } = source;
  const key =
    "variable" in source
      ? process.env[source.variable]
      : await readFile(source.file, "utf8").catch((cause: NodeJS.ErrnoException) => {
          throw new CommandError(`The file of ${option}-file cannot be read (${cause.code ?? "unknown"}).`);
        });
  const text = key?.replace(/\r?\n$/, "") ?? "";
  if (text === "") {
    throw new UsageError(`The variable or file that ${option}-env or ${option}-file names holds no key.`);
  }
  if (!/^[\x21-\x7e]{1,4096}$/.test(text)) {
    throw new UsageError(`The key of ${option}-env or ${option}-file is no text of one line without spaces.`);
  }
  return text;
};
