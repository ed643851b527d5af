import { resolve } from "node:path";
import type { Static } from "typebox";
import { itemsOf } from "./comma-list.ts";
import { signerKindOf } from "./judge-signing.ts";
import type { variables } from "./variables.ts";

type Variables = Static<typeof variables>;

const pathOf = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : resolve(value);

/** The settings of a kind are complete: incomplete values are refused before. */
const mapSigner = (values: Variables) => {
  const shared = { key: values.IDEM_SIGNER_KEY, certificatesFile: pathOf(values.IDEM_SIGNER_CERTIFICATES) };
  switch (signerKindOf(values)) {
    case "pkcs12":
      return {
        kind: "pkcs12",
        file: resolve(values.IDEM_SIGNER_FILE ?? ""),
        password: values.IDEM_SIGNER_PASSWORD ?? "",
        ...shared,
      } as const;
    case "pkcs11":
      return {
        kind: "pkcs11",
        module: values.IDEM_SIGNER_PKCS11_MODULE ?? "",
        token: values.IDEM_SIGNER_PKCS11_TOKEN,
        pin: values.IDEM_SIGNER_PKCS11_PIN ?? "",
        ...shared,
        key: values.IDEM_SIGNER_KEY ?? "",
      } as const;
    case "remote":
      return {
        kind: "remote",
        url: values.IDEM_SIGNER_URL ?? "",
        authorization: values.IDEM_SIGNER_AUTHORIZATION,
        ...shared,
        certificatesFile: resolve(values.IDEM_SIGNER_CERTIFICATES ?? ""),
      } as const;
    case "development":
      return { kind: "development" } as const;
    default:
      return { kind: "none" } as const;
  }
};

/** Signatures of PDF documents. */
export const mapSigning = (values: Variables) => ({
  signer: mapSigner(values),
  rootsFile: pathOf(values.IDEM_SIGNING_ROOTS),
  level: values.IDEM_SIGNING_LEVEL,
  authenticationMsMax: values.IDEM_SIGNING_AUTHENTICATION_MINUTES * 60_000,
  /** 0: signed documents are not kept. */
  documentsKeptMs: values.IDEM_SIGNED_DOCUMENT_DAYS * 86_400_000,
  bytesMax: values.IDEM_SIGNING_MB_MAX * 1_000_000,
  repair: values.IDEM_SIGNING_REPAIR,
  threads: values.IDEM_SIGNING_THREADS,
});

/**
 * The time-stamping authorities in the order in which they are asked; undefined without one. Credentials: one
 * value for each authority, and a single value for a single authority.
 */
export const mapAuthorities = (values: Variables) => {
  const {
    IDEM_TIMESTAMP_URL: urls,
    IDEM_TIMESTAMP_CA: ca,
    IDEM_TIMESTAMP_AUTHORIZATION: credentials,
  } = values;
  if (urls === undefined || ca === undefined) return undefined;
  const list = itemsOf(urls);
  const authorizations =
    list.length === 1 ? [credentials] : credentials === undefined ? [] : itemsOf(credentials);
  return {
    caFile: resolve(ca),
    authorities: list.map((url, at) => {
      const authorization = authorizations[at];
      return { url, authorization: authorization === "-" ? undefined : authorization };
    }),
  };
};
