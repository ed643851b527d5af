import { childrenOf, childrenWithTag, type Der, oidOf, readDer, tags } from "./der.ts";

/** Short names of attributes (RFC 4514, 3, and X.520). Others are shown by their identifiers. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ["2.5.4.3", "CN"],
  ["2.5.4.4", "SN"],
  ["2.5.4.5", "serialNumber"],
  ["2.5.4.6", "C"],
  ["2.5.4.7", "L"],
  ["2.5.4.8", "ST"],
  ["2.5.4.10", "O"],
  ["2.5.4.11", "OU"],
  ["2.5.4.12", "T"],
  ["2.5.4.42", "GN"],
  ["2.5.4.97", "organizationIdentifier"],
  ["1.2.840.113549.1.9.1", "emailAddress"],
]);

/** The identifier of an attribute by its short name. Throws for any other name. */
export const idOfName = (type: string): string => {
  const found = [...shortNames].find(([, name]) => name === type);
  if (found === undefined) throw new Error(`No attribute of a name is called ${type}`);
  return found[0];
};

/** A longer value is cut. */
const valueCharactersMax = 200;

/** One attribute of a name: its short name or identifier, and its text. */
export type NamePart = { readonly type: string; readonly text: string };

/** The attributes of a Name (RFC 5280, 4.1.2.4), in their order. Throws DerError. */
export const readName = (name: Uint8Array): readonly NamePart[] =>
  childrenWithTag(readDer(name), tags.sequence).flatMap((relative) =>
    childrenWithTag(relative, tags.set).map((attribute) => {
      const [type, value] = childrenWithTag(attribute, tags.sequence);
      const id = oidOf(type);
      return { type: shortNames.get(id) ?? id, text: textOf(value) };
    }),
  );

/** A name in one line: `CN=…, O=…, C=…`. Without control characters. Throws DerError. */
export const describeName = (name: Uint8Array): string =>
  readName(name)
    .map(({ type, text }) => `${type}=${text}`)
    .join(", ");

/** The common name, or the whole name where it has none. Throws DerError. */
export const commonNameOf = (name: Uint8Array): string =>
  readName(name).find(({ type }) => type === "CN")?.text ?? describeName(name);

const bmpString = 0x1e;
/** Strings of one byte for each character: TeletexString, which encoders fill with Latin-1, and its like. */
const latinStrings: readonly number[] = [0x12, tags.printableString, 0x14, tags.ia5String, 0x1a];

const textOf = (value: Der | undefined): string => {
  if (value === undefined) return "";
  return decode(value)
    .replaceAll(/[\p{C}]+/gu, " ")
    .slice(0, valueCharactersMax);
};

const decode = (value: Der): string => {
  const bytes = Buffer.from(value.content);
  if (value.tag === tags.utf8String) return bytes.toString("utf8");
  if (value.tag === bmpString && bytes.length % 2 === 0)
    return Buffer.from(bytes).swap16().toString("utf16le");
  return latinStrings.includes(value.tag) ? bytes.toString("latin1") : `#${bytes.toString("hex")}`;
};

/** Web addresses (http, https) among general names (RFC 5280, 4.2.1.6). */
export const webAddressesOf = (names: readonly Der[]): readonly string[] =>
  names
    .filter(({ tag, content }) => tag === uriTag && content.length <= addressBytesMax)
    .map(({ content }) => Buffer.from(content).toString("latin1"))
    .filter((text) => /^https?:\/\/[\x21-\x7e]+$/i.test(text));

/** uniformResourceIdentifier, `[6] IMPLICIT IA5String`. */
const uriTag = 0x86;
const addressBytesMax = 2048;

/** Addresses of the points where CRLs are published (RFC 5280, 4.2.1.13). Throws DerError. */
export const crlAddressesOf = (points: Der): readonly string[] =>
  childrenWithTag(points, tags.sequence).flatMap((point) => {
    const name = childrenWithTag(point, tags.sequence).find(({ tag }) => tag === 0xa0);
    const full = name && childrenOf(name).find(({ tag }) => tag === 0xa0);
    return full === undefined ? [] : webAddressesOf(childrenOf(full));
  });
