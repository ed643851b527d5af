import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { readCertificate } from "#trust/asn1/certificate";
import {
  childrenOf,
  childrenWithTag,
  contextTag,
  type Der,
  DerError,
  expectTag,
  insideOf,
  oidOf,
  readDer,
  tags,
} from "#trust/asn1/der";
import { isSame } from "#trust/revocation/certificate-id";
import { makeSigner, type OpenedSigner, signWithKey } from "./make-signer.ts";
import { decryptPart, fitsMac } from "./pkcs12-encryption.ts";
import { orderChain, readCertificatesFile, readSignerFile } from "./read-pem.ts";
import { SignerError } from "./signer-error.ts";

export type Pkcs12SignerConfig = {
  readonly kind: "pkcs12";
  readonly file: string;
  readonly password: string;
  /** friendlyName of the key, where there are several. */
  readonly key?: string | undefined;
  readonly certificatesFile?: string | undefined;
};

/** Identifiers of RFC 7292 (PKCS #12) and RFC 2985 (friendlyName). */
const encryptedData = "1.2.840.113549.1.7.6";
const plainKeyBag = "1.2.840.113549.1.12.10.1.1";
const shroudedKeyBag = "1.2.840.113549.1.12.10.1.2";
const certificateBag = "1.2.840.113549.1.12.10.1.3";
const friendlyName = "1.2.840.113549.1.9.20";

/** A file of some keys and chains has 10 kB. */
const fileBytesMax = 1_048_576;

type Bag = { readonly type: string; readonly value: Der; readonly name: string | undefined };
type NamedKey = { readonly key: KeyObject; readonly name: string | undefined };

const asFile = ({ file }: Pkcs12SignerConfig, fault: string): SignerError =>
  new SignerError(`IDEM_SIGNER_FILE names ${file}: ${fault}`);

const otherForm =
  "it is encrypted or written in a way that is not read (RC2, 3DES, BER, a MAC with PBKDF2). Convert it: openssl pkcs12 -legacy -in OLD -nodes -out PEM, then openssl pkcs12 -export -in PEM -out NEW.";

/** Type and content of a ContentInfo. */
const contentOf = (info: Der | undefined): readonly [string, Der] => {
  const [type, content] = childrenWithTag(info, tags.sequence);
  return [oidOf(type), insideOf(content, contextTag(0))];
};

/** The parts of the file in DER, signed by the MAC that follows them. Throws DerError. */
const readFile = (bytes: Uint8Array): { readonly parts: Uint8Array; readonly mac: Der | undefined } => {
  const [, authenticated, mac] = childrenWithTag(readDer(bytes), tags.sequence);
  const [, safe] = contentOf(authenticated);
  return { parts: expectTag(safe, tags.octetString).content, mac };
};

/** The parts of the file, once the MAC shows that the password is right. */
const checkPassword = (bytes: Uint8Array, config: Pkcs12SignerConfig): Uint8Array => {
  try {
    const { parts, mac } = readFile(bytes);
    if (fitsMac(parts, mac, config.password)) return parts;
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    throw asFile(config, `it is no PKCS#12 file, or ${otherForm}`);
  }
  throw asFile(config, "the password is wrong. Check IDEM_SIGNER_PASSWORD.");
};

/** The parts, decrypted: each is a list of bags. */
const openParts = async (parts: Uint8Array, password: string): Promise<readonly Der[]> =>
  await Promise.all(
    childrenWithTag(readDer(parts), tags.sequence)
      .map(contentOf)
      .map(async ([type, content]) =>
        readDer(
          type === encryptedData
            ? await decryptPart(content, password)
            : expectTag(content, tags.octetString).content,
        ),
      ),
  );

const readBag = (bag: Der): Bag => {
  const [type, value, attributes] = childrenWithTag(bag, tags.sequence);
  const named = (attributes === undefined ? [] : childrenOf(attributes))
    .map((attribute) => childrenWithTag(attribute, tags.sequence))
    .find(([id]) => oidOf(id) === friendlyName);
  const text = named && childrenWithTag(named[1], tags.set)[0];
  // A BMPString: two bytes for each character.
  const name = text && Buffer.from(text.content).swap16().toString("utf16le");
  return { type: oidOf(type), value: insideOf(value, contextTag(0)), name };
};

const openKey = ({ type, value, name }: Bag, passphrase: string): readonly NamedKey[] => {
  if (type !== shroudedKeyBag && type !== plainKeyBag) return [];
  const key = createPrivateKey({ key: Buffer.from(value.bytes), format: "der", type: "pkcs8", passphrase });
  return [{ key, name }];
};

/** x509Certificate of a CertBag. */
const openCertificate = ({ type, value }: Bag): readonly Uint8Array[] => {
  if (type !== certificateBag) return [];
  const [, wrapped] = childrenWithTag(value, tags.sequence);
  return [expectTag(insideOf(wrapped, contextTag(0)), tags.octetString).content];
};

const readContent = async (encoded: Uint8Array, config: Pkcs12SignerConfig) => {
  try {
    const parts = await openParts(encoded, config.password);
    const bags = parts.flatMap((part) => childrenWithTag(part, tags.sequence).map(readBag));
    return {
      keys: bags.flatMap((bag) => openKey(bag, config.password)),
      certificates: bags.flatMap(openCertificate),
    };
  } catch (error) {
    // The password is right: what fails now is the encryption or the form.
    if (error instanceof DerError || error instanceof Error) throw asFile(config, otherForm);
    throw error;
  }
};

const chooseKey = (keys: readonly NamedKey[], config: Pkcs12SignerConfig): NamedKey => {
  const names = keys.map(({ name }) => name ?? "(without a name)").join(", ");
  const fitting = config.key === undefined ? keys : keys.filter(({ name }) => name === config.key);
  const [first, ...others] = fitting;
  if (keys.length === 0) throw asFile(config, "it holds no private key. Export it with its key.");
  if (first === undefined)
    throw asFile(config, `it has no key of the name ${config.key}. Its keys: ${names}.`);
  if (others.length > 0)
    throw asFile(config, `it holds several keys. Name one with IDEM_SIGNER_KEY: ${names}.`);
  return first;
};

/** Opens a PKCS#12 file (RFC 7292). Throws SignerError with the fault and the next step. */
export const openPkcs12Signer = async (config: Pkcs12SignerConfig): Promise<OpenedSigner> => {
  const bytes = await readSignerFile(config.file, "IDEM_SIGNER_FILE");
  if (bytes.length > fileBytesMax) throw asFile(config, "it is too long for a PKCS#12 file.");
  const content = await readContent(checkPassword(bytes, config), config);
  const { key } = chooseKey(content.keys, config);
  const certificates = [...content.certificates, ...(await readCertificatesFile(config.certificatesFile))];
  const spki = createPublicKey(key).export({ type: "spki", format: "der" });
  const own = certificates.find((one) => isSame(readCertificate(one).publicKeyInfo, spki));
  if (own === undefined) {
    throw asFile(config, "it holds no certificate of its key. Name one with IDEM_SIGNER_CERTIFICATES.");
  }
  return makeSigner(own, orderChain(own, certificates), signWithKey(key));
};
