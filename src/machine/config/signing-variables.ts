import { Type } from "typebox";
import { number, secret, text } from "./variable-kinds.ts";

/** The kinds of signer that an operator may name. */
export const signerKinds = ["development", "pkcs12", "pkcs11", "remote", "none"] as const;

/** The levels of a signature (ETSI EN 319 142-1, clause 6), the weakest first. */
export const signatureLevels = ["B-B", "B-T", "B-LT", "B-LTA"] as const;

/** What becomes of a file to sign that is readable only after a repair. */
export const repairPolicies = ["refuse", "allow"] as const;

/** Settings of signatures in PDF. The authorities of their time-stamps are those of `IDEM_TIMESTAMP_URL`. */
export const signingVariables = {
  IDEM_SIGNER: Type.Optional(
    Type.Enum([...signerKinds], {
      description:
        "Key that signs PDF documents: of the development authority (`development`, refused in production), a PKCS#12 file (`pkcs12`), a token of PKCS#11 (`pkcs11`), a signing service over HTTP (`remote`) or no key (`none`): docs/guides/integrate/signing.md. Absent: `development` in development, `none` in production.",
    }),
  ),
  IDEM_SIGNER_FILE: text("PKCS#12 file with the signer's key and certificate.", "a path"),
  IDEM_SIGNER_PASSWORD: secret("Password of that file. Absent: a file without password."),
  IDEM_SIGNER_KEY: text(
    "Name of the key, where there are several: friendlyName in a PKCS#12 file, label in a token (needed there), keyId of a remote signer.",
  ),
  IDEM_SIGNER_CERTIFICATES: text(
    "PEM file with the signer's certificate and its issuers. A remote signer needs it; elsewhere it adds what file or token lacks.",
    "a path",
  ),
  IDEM_SIGNER_PKCS11_MODULE: text(
    "Library of the token, such as `/usr/lib/softhsm/libsofthsm2.so`. Needs the package pkcs11js: docs/guides/integrate/signing.md.",
    "a path",
  ),
  IDEM_SIGNER_PKCS11_TOKEN: text("Label of the token. Absent: the only token of the library."),
  IDEM_SIGNER_PKCS11_PIN: secret("User PIN of the token."),
  IDEM_SIGNER_URL: text(
    "Address of the remote signer (docs/guides/integrate/signing.md).",
    "an http or https URL",
  ),
  IDEM_SIGNER_AUTHORIZATION: secret(
    "Value of the Authorization header for the remote signer. Absent: none.",
    "words of printable ASCII characters with one space between them",
  ),
  IDEM_SIGNING_ROOTS: text(
    "PEM file with root certificates: a signature of a PDF is trusted if its signer leads to one of them. The signer's own chain ends there too. Absent: the last issuer of the signer.",
    "a path",
  ),
  IDEM_SIGNING_LEVEL: Type.Enum([...signatureLevels], {
    default: "B-LTA",
    description:
      "Level of signatures (PAdES, ETSI EN 319 142-1): signature alone (`B-B`), with time-stamp (`B-T`), with what its validation needs (`B-LT`), and with a time-stamp over all of that (`B-LTA`), which can be proven when the certificates have expired.",
  }),
  IDEM_SIGNING_AUTHENTICATION_MINUTES: number(
    1,
    10_080,
    30,
    "Greatest age of the positive face call that a signature rests on (`facialAuthenticationHash`).",
  ),
  IDEM_SIGNED_DOCUMENT_DAYS: number(
    0,
    36_500,
    0,
    "Days for which signed documents are kept, encrypted. Their time-stamps are renewed in this time. 0 keeps none.",
  ),
  IDEM_SIGNING_MB_MAX: number(
    1,
    50,
    20,
    "Largest PDF that is signed or verified, in megabytes of 1,000,000 bytes.",
  ),
  IDEM_SIGNING_REPAIR: Type.Enum([...repairPolicies], {
    default: "refuse",
    description:
      "What becomes of a PDF to sign that is readable only after a repair, such as one with a damaged cross-reference: it is refused (`refuse`), or repaired and signed where nothing is lost of what its pages show (`allow`). A file that is signed already is never repaired.",
  }),
  IDEM_SIGNING_THREADS: number(1, 64, 2, "Threads that sign, verify and bundle."),
};
