import type { SigningPorts } from "#trust/revocation/ports";
import type { ArchiveRequest } from "../pades/archive.ts";
import { type ExtendedPdf, extendPdf } from "../pades/extend-pdf.ts";
import type { SignRequest } from "../pades/place-signature.ts";
import { type SignedPdf, signPdf } from "../pades/sign-pdf.ts";
import { makeStepTimes } from "../pades/step-times.ts";
import { openPdf } from "../pdf/open-pdf.ts";
import type { PdfFile } from "../pdf/types.ts";
import { proveAppended } from "./prove-appended.ts";

/**
 * Signs a file and verifies it: nothing unproven leaves this function. Fails as {@link signPdf} and {@link
 * proveAppended}.
 */
export const signProven = async (
  file: PdfFile,
  request: SignRequest,
  ports: SigningPorts,
): Promise<SignedPdf> => {
  const signed = await signPdf(file, request, ports);
  const { endStep, timings } = makeStepTimes();
  await proveAppended({ source: file.original, parts: signed.parts }, request.revision.at);
  endStep("prove");
  return { ...signed, timings: { ...signed.timings, ...timings } };
};

/** The same for the bytes of a file whose pages must be whole. Fails as {@link openPdf} too. */
export const signWhole = async (
  bytes: Uint8Array,
  request: SignRequest,
  ports: SigningPorts,
): Promise<SignedPdf> => await signProven(await openPdf(bytes, { requiresContents: true }), request, ports);

/** Extends a file and verifies it. Fails as {@link extendPdf} and {@link proveAppended}. */
export const extendProven = async (
  file: PdfFile,
  request: ArchiveRequest,
  ports: Pick<SigningPorts, "stamp" | "fetch">,
): Promise<ExtendedPdf> => {
  const extended = await extendPdf(file, request, ports);
  await proveAppended({ source: file.original, parts: extended.parts }, request.now);
  return extended;
};
