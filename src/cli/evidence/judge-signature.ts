import type { JudgedSignature } from "#signing/evidence/bundle/verify/verify-bundle";

/** The judgement of the signature that certifies a bundle, with the roots of a PEM file. */
export const judgeBundleSignature = async (
  _pdf: Uint8Array,
  _roots: string | undefined,
): Promise<JudgedSignature> => ({ verdict: "indeterminate", reasons: ["signatures are not judged yet"] });
