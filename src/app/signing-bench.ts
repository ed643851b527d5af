/**
 * Composition of `idem bench signing`: the product's signatures over an authority in memory, without server,
 * store and network.
 */

import type { Level } from "#features/signing/pades/level";
import type { SignRequest } from "#features/signing/pades/place-signature";
import type { SignedPdf } from "#features/signing/pades/sign-pdf";
import { signWhole } from "#features/signing/verify/sign-proven";
import { openMemoryAuthority } from "#trust/signers/memory-authority";
import { openSigningThreads } from "./signing-threads.ts";

export type SigningBench = {
  /** Signs in the calling thread. */
  readonly sign: (document: Uint8Array, level: Level) => Promise<SignedPdf>;
  /** One thread, as the service has them. */
  readonly openThreads: () => Promise<{
    readonly sign: (document: Uint8Array, level: Level) => Promise<Pick<SignedPdf, "parts">>;
    readonly close: () => Promise<void>;
  }>;
};

/**
 * Root and issuing authority have RSA-3072 and the time-stamping authority RSA-2048, as most public ones
 * have.
 */
export const openSigningBench = async (form: "p256" | "rsa3072"): Promise<SigningBench> => {
  const authority = await openMemoryAuthority({
    form,
    issuerForm: "rsa3072",
    stamperForm: "rsa2048",
    name: "Bench",
  });
  const { signer, roots, ports } = authority;
  const { sign: _, ...identity } = signer;
  const requestOf = (level: Level): SignRequest => ({
    signer: identity,
    level,
    revision: { at: new Date(), reason: "benchmark" },
    known: roots,
  });
  return {
    sign: (document, level) => signWhole(document, requestOf(level), ports),
    openThreads: async () => {
      const threads = openSigningThreads({ threads: 1, ports, onDeath: () => undefined });
      await threads.ready;
      return {
        sign: (document, level) => threads.signPdf(document, requestOf(level)),
        close: threads.close,
      };
    },
  };
};
