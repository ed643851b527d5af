import { childrenOf, childrenWithTag, type Der, DerError, oidOf, readDer, tags } from "./der.ts";
import { oids } from "./oids.ts";

/**
 * A general name (RFC 5280, 4.2.1.6) of a form that is judged, with its text, its bytes, or its relative
 * names.
 */
export type GeneralName =
  | { readonly form: "rfc822" | "dns" | "uri"; readonly text: string }
  | { readonly form: "ip"; readonly bytes: Uint8Array }
  | { readonly form: "directory"; readonly parts: readonly string[] }
  | { readonly form: "other"; readonly tag: number };

const emailAddress = "1.2.840.113549.1.9.1";

const bmpString = 0x1e;
const latinStrings: readonly number[] = [0x12, tags.printableString, 0x14, tags.ia5String, 0x1a];

/** A text as names are compared: without a difference of case and of inner spaces (RFC 5280, 7.1). */
const foldText = (text: string): string =>
  text.normalize("NFKC").trim().replaceAll(/\s+/g, " ").toLowerCase();

const valueText = (value: Der): string => {
  const bytes = Buffer.from(value.content);
  if (value.tag === tags.utf8String) return foldText(bytes.toString("utf8"));
  if (value.tag === bmpString && bytes.length % 2 === 0)
    return foldText(Buffer.from(bytes).swap16().toString("utf16le"));
  return latinStrings.includes(value.tag)
    ? foldText(bytes.toString("latin1"))
    : `#${value.tag} ${bytes.toString("hex")}`;
};

const attributesOf = (relative: Der): readonly (readonly [string, string])[] =>
  childrenWithTag(relative, tags.set).map((attribute) => {
    const [type, value] = childrenWithTag(attribute, tags.sequence);
    if (value === undefined) throw new DerError("An attribute of a name has no value");
    return [oidOf(type), valueText(value)] as const;
  });

/** The relative names of a Name, each in one text that is equal for equal ones. Throws DerError. */
export const relativeNames = (name: Der): readonly string[] =>
  childrenWithTag(name, tags.sequence).map((relative) =>
    JSON.stringify(
      attributesOf(relative)
        .map((pair) => JSON.stringify(pair))
        .toSorted(),
    ),
  );

/** The mail addresses in a Name (DER): attributes of the type emailAddress. Throws DerError. */
export const mailAddressesOf = (name: Uint8Array): readonly string[] =>
  childrenWithTag(readDer(name), tags.sequence)
    .flatMap(attributesOf)
    .flatMap(([type, text]) => (type === emailAddress ? [text] : []));

const textForms: ReadonlyMap<number, "rfc822" | "dns" | "uri"> = new Map([
  [0x81, "rfc822"],
  [0x82, "dns"],
  [0x86, "uri"],
]);

/** Reads a general name. Throws DerError. */
export const readGeneralName = (name: Der): GeneralName => {
  const form = textForms.get(name.tag);
  if (form !== undefined) return { form, text: Buffer.from(name.content).toString("latin1") };
  if (name.tag === 0x87) return { form: "ip", bytes: name.content };
  if (name.tag !== 0xa4) return { form: "other", tag: name.tag & 0x1f };
  const [inner] = childrenOf(name);
  if (inner === undefined) throw new DerError("A directory name is empty");
  return { form: "directory", parts: relativeNames(inner) };
};

/** The names of the extension subjectAltName; none without it. Throws DerError. */
export const alternativeNames = (
  extensions: ReadonlyMap<string, { readonly value: Uint8Array }>,
): readonly GeneralName[] | undefined => {
  const extension = extensions.get(oids.subjectAlternativeName);
  return extension && childrenWithTag(readDer(extension.value), tags.sequence).map(readGeneralName);
};
