import { PDF } from "@libpdf/core";
import type { SigningBench } from "#app/signing-bench";
import type { Level } from "#features/signing/pades/level";

/** Signs with the library's own signer, over the same key, authority and responder. Its result is no PAdES (decision 0048). */
export const signWithLibpdf = async (
  { signer, stamp, findOcsp }: SigningBench,
  document: Uint8Array,
  level: Level,
): Promise<Uint8Array> => {
  const pdf = await PDF.load(document);
  const { bytes } = await pdf.sign({
    signer: {
      certificate: signer.certificate,
      certificateChain: [...signer.chain],
      keyType: signer.keyKind === "ec" ? "EC" : "RSA",
      signatureAlgorithm: signer.keyKind === "ec" ? "ECDSA" : "RSASSA-PKCS1-v1_5",
      sign: async (data) => signer.sign(data),
    },
    level,
    reason: "benchmark",
    timestampAuthority: {
      timestamp: async (digest) => stamp("sha256", digest),
    },
    revocationProvider: {
      getOCSP: async (certificate, issuer) => (await findOcsp(certificate, issuer)) ?? null,
    },
  });
  return bytes;
};
