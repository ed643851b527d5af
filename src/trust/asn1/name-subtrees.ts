import type { GeneralName } from "./name-forms.ts";

/**
 * Whether a name is in a subtree. `unreadable`: the name has the form, and the constraint cannot be applied
 * to it.
 */
export type Place = "inside" | "outside" | "unreadable";

const placeOf = (isInside: boolean): Place => (isInside ? "inside" : "outside");

const lower = (text: string): string => text.toLowerCase().replace(/\.$/, "");

/** A host within a domain; a domain with a leading dot holds only what is below it. */
const isHostIn = (host: string, domain: string, takesBelow: boolean): boolean => {
  const [own, wanted] = [lower(host), lower(domain)];
  if (wanted === "") return true;
  if (wanted.startsWith(".")) return own.length > wanted.length && own.endsWith(wanted);
  return own === wanted || (takesBelow && own.endsWith(`.${wanted}`));
};

/** A wildcard covers hosts that an excluded subtree may hold. */
const placeDns = (name: string, base: string, isExcluded: boolean): Place => {
  const isWildcard = name.startsWith("*.");
  const covers =
    isExcluded &&
    isWildcard &&
    lower(base)
      .replace(/^\./, "")
      .endsWith(lower(name.slice(1)));
  return placeOf(covers || isHostIn(name, base, true));
};

const placeMail = (name: string, base: string): Place => {
  const at = name.lastIndexOf("@");
  if (at <= 0 || at === name.length - 1) return "unreadable";
  const [local, host] = [name.slice(0, at), name.slice(at + 1)];
  const baseAt = base.lastIndexOf("@");
  if (baseAt < 0) return placeOf(isHostIn(host, base, false));
  // The part before the host is compared as it is written, and without case where a subject states it: no
  // authority gives two mailboxes that differ by it.
  const isLocal = local.toLowerCase() === base.slice(0, baseAt).toLowerCase();
  return placeOf(isLocal && lower(host) === lower(base.slice(baseAt + 1)));
};

/** The host of an address; RFC 5280 demands that an address without a host name is refused. */
const placeUri = (name: string, base: string): Place => {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:[\]]+)(?::\d*)?(?:[/?#]|$)/i.exec(name)?.[1];
  if (host === undefined || /^\d+(\.\d+){3}$/.test(host)) return "unreadable";
  return placeOf(isHostIn(host, base, false));
};

/** An address and its mask, each of 4 or of 16 bytes. */
const placeIp = (name: Uint8Array, base: Uint8Array): Place => {
  if (name.length !== 4 && name.length !== 16) return "unreadable";
  if (base.length !== 8 && base.length !== 32) return "unreadable";
  if (base.length !== 2 * name.length) return "outside";
  const mask = base.subarray(name.length);
  return placeOf(name.every((byte, index) => (byte & mask[index]!) === (base[index]! & mask[index]!)));
};

/** Whether a name is in the subtree of a base of its form (RFC 5280, 4.2.1.10). */
export const placeIn = (name: GeneralName, base: GeneralName, isExcluded: boolean): Place => {
  if (name.form === "directory" && base.form === "directory")
    return placeOf(base.parts.every((part, index) => name.parts[index] === part));
  if (name.form === "ip" && base.form === "ip") return placeIp(name.bytes, base.bytes);
  if (name.form === "dns" && base.form === "dns") return placeDns(name.text, base.text, isExcluded);
  if (name.form === "rfc822" && base.form === "rfc822") return placeMail(name.text, base.text);
  if (name.form === "uri" && base.form === "uri") return placeUri(name.text, base.text);
  return "unreadable";
};
