import type { Egress } from "#machine/egress/egress";
import { readCertificate } from "#trust/asn1/certificate";
import { judgeUse } from "./judge-signer.ts";
import type { OpenedSigner } from "./make-signer.ts";
import type { Pkcs11SignerConfig } from "./pkcs11-token.ts";
import type { Pkcs12SignerConfig } from "./pkcs12-signer.ts";
import { openRemoteSigner, type RemoteSignerConfig } from "./remote-signer.ts";
import { SignerError } from "./signer-error.ts";

/** A signer that the operator named. */
export type SignerConfig = Pkcs12SignerConfig | Pkcs11SignerConfig | RemoteSignerConfig;

/**
 * Opens the signer of the settings. Libraries of a kind load only for it. Throws SignerError with the
 * setting, the fault and the next step, also for a certificate whose signatures a verification takes for
 * unfit. A signer that has expired opens too: `judge` says so, and it signs nothing.
 */
export const openSigner = async (
  config: SignerConfig,
  means: { readonly egress: Egress },
): Promise<OpenedSigner> => {
  const signer = await openKind(config, means);
  const fault = judgeUse(readCertificate(signer.certificate));
  if (fault === undefined) return signer;
  throw new SignerError(
    `The certificate of ${signer.subject}: ${fault}. Ask its authority for one with digitalSignature or nonRepudiation, and with documentSigning or emailProtection where it names purposes.`,
  );
};

const openKind = async (
  config: SignerConfig,
  { egress }: { readonly egress: Egress },
): Promise<OpenedSigner> => {
  if (config.kind === "remote") return await openRemoteSigner(config, egress);
  if (config.kind === "pkcs12") {
    const { openPkcs12Signer } = await import("./pkcs12-signer.ts");
    return await openPkcs12Signer(config);
  }
  const { openPkcs11Signer } = await import("./pkcs11-signer.ts");
  return await openPkcs11Signer(config);
};
