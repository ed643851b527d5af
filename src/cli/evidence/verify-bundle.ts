import { open } from "node:fs/promises";
import { linkDepsOf } from "#app/evidence-bundle";
import { Failure } from "#contract/failure";
import { bundleLimits } from "#signing/evidence/bundle/limits";
import { verifyBundle } from "#signing/evidence/bundle/verify/verify-bundle";
import { readAttachments } from "#signing/pdf/read-attachments";
import type { Roots } from "#timestamps/trust";
import { CommandError } from "../command.ts";
import { printBundle } from "./bundle-report.ts";
import { judgeBundleSignature } from "./judge-signature.ts";

/** Whether a file begins as a PDF does (ISO 32000-2, 7.5.2): then it is a bundle, else an export of a chain. */
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
  roots: { readonly pem: string; readonly read: Roots } | undefined,
  isJson: boolean,
): Promise<number> => {
  const pdf = await readBounded(path, bundleLimits.pdfBytesMax);
  const signature = await judgeBundleSignature(pdf, roots?.pem);
  const files = await readAttachments(pdf, bundleLimits).catch((error: unknown) => {
    const isRefused = error instanceof Failure;
    throw isRefused ? new CommandError(`${path}: ${error.message} (${JSON.stringify(error.facts)}).`) : error;
  });
  return printBundle(await verifyBundle(linkDepsOf(roots?.read), files, signature), isJson);
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
