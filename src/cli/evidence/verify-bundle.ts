import { open } from "node:fs/promises";
import { linkDepsOf } from "#app/evidence-bundle";
import { bundleLimits } from "#features/signing/evidence/bundle/limits";
import { verifySignedBundle } from "#features/signing/evidence/bundle/verify/verify-signed-bundle";
import { readCertificate } from "#trust/asn1/certificate";
import type { Roots } from "#trust/timestamps/trust";
import { CommandError } from "../command.ts";
import { printBundle } from "./bundle-report.ts";

/**
 * Whether a file begins as a PDF does (ISO 32000-2, 7.5.2): then it is a bundle, else an export of a chain.
 */
export const isPdf = async (path: string): Promise<boolean> => {
  const handle = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read (${error.code ?? error.message}).`);
  });
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(1024), 0, 1024, 0);
    return buffer.subarray(0, bytesRead).includes("%PDF-");
  } finally {
    await handle.close();
  }
};

/** Verifies a bundle and prints what it proves. Returns the exit code. */
export const verifyBundleFile = async (
  path: string,
  roots: Roots | undefined,
  isJson: boolean,
): Promise<number> => {
  const pdf = await readBounded(path, bundleLimits.pdfBytesMax);
  const trusted = (roots ?? []).map(({ raw }) => readCertificate(new Uint8Array(raw)));
  const report = await verifySignedBundle(linkDepsOf(roots), pdf, { roots: trusted, now: new Date() });
  return printBundle(report, isJson);
};

const readBounded = async (path: string, bytesMax: number): Promise<Uint8Array> => {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    if (size > bytesMax)
      throw new CommandError(`${path} has ${size} bytes; a bundle has at most ${bytesMax}.`);
    return new Uint8Array(await handle.readFile());
  } finally {
    await handle.close();
  }
};
