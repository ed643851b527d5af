import { type Certificate, readCertificate } from "#trust/asn1/certificate";
import { childrenOf, contextTag, type Der, DerError } from "#trust/asn1/der";
import type { CmsSignature, SignedData } from "#trust/asn1/signed-data";
import { type Crl, crlBytesMax, readCrl } from "#trust/revocation/read-crl";
import { type OcspAnswer, readOcsp } from "#trust/revocation/read-ocsp";
import { PdfError } from "../../pdf/damaged.ts";
import { decodeStream } from "../../pdf/reader/decode-stream.ts";
import { dictionaryOf, itemsOf, type View } from "../../pdf/reader/open-view.ts";
import { type PdfValue } from "../../pdf/reader/pdf-value.ts";
import { tryRead } from "../../pdf/steps.ts";

/** Certificates and revocation data that a file holds. Nothing is verified. */
export type Evidence = {
  readonly certificates: readonly Certificate[];
  readonly ocsps: readonly OcspAnswer[];
  readonly crls: readonly Crl[];
};

/** More entries of one kind in one file are not read. */
const entriesMax = 1000;

/** Adobe's attribute with revocation data (ISO 32000-2, 12.8.3.3.2). */
const adobeRevocation = "1.2.840.113583.1.1.8";

const readAll = <Value>(all: readonly Uint8Array[], read: (bytes: Uint8Array) => Value): readonly Value[] =>
  all.slice(0, entriesMax).flatMap((bytes) => {
    try {
      return [read(bytes)];
    } catch (error) {
      if (error instanceof DerError) return [];
      throw error;
    }
  });

/**
 * The validation data of the document security store (ETSI EN 319 142-1, 5.4.2.2), one item after the other.
 */
export const readStore = (view: View): Evidence => {
  const store = dictionaryOf(view, dictionaryOf(view, view.trailer.get("Root")).get("DSS"));
  const items = <Value>(key: string, read: (bytes: Uint8Array) => Value): readonly Value[] =>
    uniqueItems(itemsOf(view, store.get(key)).slice(0, entriesMax)).flatMap((item) =>
      readAll(tryDecode(view, item), read),
    );
  return {
    certificates: items("Certs", readCertificate),
    ocsps: items("OCSPs", readOcsp),
    crls: items("CRLs", readCrl),
  };
};

/** Without references that stand there twice. */
const uniqueItems = (items: readonly PdfValue[]): readonly PdfValue[] => {
  const seen = new Set<number>();
  return items.filter((item) => {
    if (item.kind !== "reference") return false;
    const isNew = !seen.has(item.number);
    seen.add(item.number);
    return isNew;
  });
};

/** The bytes of an item, or none where it cannot be read or is longer than any CRL. */
const tryDecode = (view: View, item: PdfValue): readonly Uint8Array[] => {
  const bytes = tryRead(view.steps, PdfError, () => {
    const stream = view.resolve(item);
    return stream.kind === "stream" ? decodeStream(stream.entries, stream.raw, view, crlBytesMax) : undefined;
  });
  return bytes === undefined ? [] : [bytes];
};

/** The certificates and revocation data in a CMS. */
export const readEnclosed = (data: SignedData, signer: CmsSignature | undefined): Evidence => {
  const attribute = signer?.signedAttributes.get(adobeRevocation);
  const list = (number: number): readonly Uint8Array[] => {
    const found = attribute && childrenOf(attribute).find(({ tag }) => tag === contextTag(number));
    const [inner] = found === undefined ? [] : childrenOf(found);
    return inner === undefined ? [] : childrenOf(inner).map(({ bytes }: Der) => bytes);
  };
  return {
    certificates: readAll(data.certificates, readCertificate),
    ocsps: readAll(list(1), readOcsp),
    crls: readAll([...data.crls, ...list(0)], readCrl),
  };
};

export const joinEvidence = (all: readonly Evidence[]): Evidence => ({
  certificates: all.flatMap(({ certificates }) => certificates),
  ocsps: all.flatMap(({ ocsps }) => ocsps),
  crls: all.flatMap(({ crls }) => crls),
});
