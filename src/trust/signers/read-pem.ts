import { readFile } from "node:fs/promises";
import { type Certificate, readCertificate } from "#trust/asn1/certificate";
import { isSame } from "#trust/revocation/certificate-id";
import { hasIssued } from "#trust/revocation/find-chain";
import { SignerError } from "./signer-error.ts";

const certificateBlock = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g;

/** The certificates of a PEM text in DER. */
export const readPem = (text: string): readonly Uint8Array[] =>
  [...text.matchAll(certificateBlock)].map(
    ([, base64 = ""]) => new Uint8Array(Buffer.from(base64, "base64")),
  );

/** Reads a file. Throws SignerError with the setting that names it. */
export const readSignerFile = async (path: string, setting: string): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await readFile(path));
  } catch {
    throw new SignerError(`${setting} names ${path}, which cannot be read. Check the path and the rights.`);
  }
};

/** The certificates of the file of IDEM_SIGNER_CERTIFICATES; none without it. */
export const readCertificatesFile = async (path: string | undefined): Promise<readonly Uint8Array[]> => {
  if (path === undefined) return [];
  const setting = "IDEM_SIGNER_CERTIFICATES";
  const found = readPem(Buffer.from(await readSignerFile(path, setting)).toString("latin1"));
  if (found.length === 0)
    throw new SignerError(`${setting} names ${path}, which holds no certificate in PEM.`);
  return found;
};

/** The issuers of a certificate among others, from the nearest on. */
export const orderChain = (leaf: Uint8Array, others: readonly Uint8Array[]): readonly Uint8Array[] => {
  const pool = others.map(readCertificate);
  const chain: Certificate[] = [];
  let current = readCertificate(leaf);
  while (!current.isSelfIssued) {
    const below = current;
    const issuer = pool.find(
      (one) => hasIssued(one, below) && !chain.some(({ bytes }) => isSame(bytes, one.bytes)),
    );
    if (issuer === undefined) break;
    chain.push(issuer);
    current = issuer;
  }
  return chain.map(({ bytes }) => bytes);
};
