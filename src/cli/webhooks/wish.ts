import type { WishedAuth, WishedDestination } from "#record/webhooks/destinations/judge-destination";
import { UsageError } from "../command.ts";
import type { Values } from "../kit/action.ts";
import type { settingOptions } from "./setting-options.ts";

/** The values of the options of a destination, as the command line holds them. */
export type SettingValues = Partial<Values<typeof settingOptions>>;

/** Whether the options name credentials, which are then read from stdin or the environment. */
export const needsCredential = (values: SettingValues): boolean =>
  values["api-key-header"] !== undefined || values["token-url"] !== undefined;

/** The settings that the options name. Throws UsageError for a value that no option can have. */
export const wishOf = (values: SettingValues, credential: string | undefined): WishedDestination => {
  const { name, url, topics, order, handshake, timeout, retry, concurrent } = values;
  const headers = headersOf(values);
  const auth = authOf(values, credential);
  return {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(topics !== undefined && { topics: topics.split(",").map((topic) => topic.trim()) }),
    ...(order !== undefined && { isOrdered: onOrOff("--order", order) }),
    ...(headers && { headers }),
    ...(auth && { auth }),
    ...(handshake !== undefined && { handshake: onOrOff("--handshake", handshake) }),
    ...(timeout !== undefined && { timeoutSeconds: wholeNumber("--timeout", timeout) }),
    ...(retry !== undefined && { retrySchedule: scheduleOf(retry) }),
    ...(concurrent !== undefined && { maxConcurrent: wholeNumber("--concurrent", concurrent) }),
  };
};

const onOrOff = (option: string, text: string): boolean => {
  if (text === "on") return true;
  if (text === "off") return false;
  throw new UsageError(`Set ${option} to on or off, not to "${text}"`);
};

/** A whole number; its bounds are those of the destination. */
export const wholeNumber = (option: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`Set ${option} to a whole number, not to "${text}"`);
  return Number(text);
};

const scheduleOf = (text: string): readonly number[] =>
  text === "default" ? [] : text.split(",").map((part) => wholeNumber("--retry", part.trim()));

const headersOf = (values: SettingValues): WishedDestination["headers"] => {
  const { header: stated = [], "no-headers": isNone } = values;
  if (isNone === true && stated.length > 0) throw new UsageError("Use --header or --no-headers, not both");
  if (isNone !== true && stated.length === 0) return undefined;
  return stated.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageError("Write a header as NAME=VALUE: --header x-source=idem");
    return { name: text.slice(0, at), value: text.slice(at + 1) };
  });
};

const authOf = (values: SettingValues, credential: string | undefined): WishedAuth | undefined => {
  const { "api-key-header": header, "token-url": tokenUrl, "client-id": clientId, scope } = values;
  const kinds = [header !== undefined, tokenUrl !== undefined, values["no-auth"] === true];
  if (kinds.filter(Boolean).length > 1) {
    throw new UsageError("Use one of --api-key-header, --token-url and --no-auth");
  }
  if (tokenUrl === undefined) {
    const stray = (["client-id", "scope", "credentials-in"] as const).find(
      (name) => values[name] !== undefined,
    );
    if (stray !== undefined)
      throw new UsageError(`--${stray} belongs to --token-url URL, which is not there`);
  }
  if (header !== undefined) return { kind: "api-key", header, value: credential ?? "" };
  if (tokenUrl !== undefined) {
    const credentialsIn = placeOf(values["credentials-in"]);
    return {
      kind: "oauth2",
      tokenUrl,
      clientSecret: credential ?? "",
      ...(clientId !== undefined && { clientId }),
      ...(scope !== undefined && { scope }),
      ...(credentialsIn && { credentialsIn }),
    };
  }
  return values["no-auth"] === true ? { kind: "none" } : undefined;
};

const placeOf = (text: string | undefined): "header" | "body" | undefined => {
  if (text === undefined || text === "header" || text === "body") return text;
  throw new UsageError(`Set --credentials-in to header or body, not to "${text}"`);
};
