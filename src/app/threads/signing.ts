/**
 * Entry of a thread that signs, extends and verifies PDF documents. It holds no key, no egress and nothing
 * between two tasks.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MessagePort } from "node:worker_threads";
import type { Attachment } from "#features/signing/evidence/bundle/bundle";
import { type SigningTerms, signWithStatement } from "#features/signing/evidence/sign-with-statement";
import type { SigningInstruction } from "#features/signing/evidence/signing-revision";
import type { ArchiveRequest } from "#features/signing/pades/archive";
import type { SignRequest } from "#features/signing/pades/place-signature";
import { openPdf } from "#features/signing/pdf/open-pdf";
import { askMain } from "#features/signing/questions/ask-main";
import { buffersOf, ownBytes } from "#features/signing/questions/own-bytes";
import { extendProven, signWhole } from "#features/signing/verify/sign-proven";
import { verifyPdf } from "#features/signing/verify/verify-pdf";
import { stepBack } from "#machine/threads/priority";
import { serveTasks } from "#machine/threads/serve-tasks";
import { Moved } from "#machine/threads/task";
import { currentThread } from "#machine/threads/thread-time";
import { readCertificate } from "#trust/asn1/certificate";
import type { SigningPorts } from "#trust/revocation/ports";

/** A document and the way to the main thread. */
export type Asking = { readonly document: Uint8Array; readonly port: MessagePort };

/** Runs the work with ports to the main thread, and lets the port go. */
const withPorts = async <Result>(
  port: MessagePort,
  work: (ports: SigningPorts) => Promise<Result>,
): Promise<Result> => {
  const ports = askMain(port, currentThread());
  try {
    return await work(ports);
  } finally {
    ports.close();
  }
};

const moved = <Value extends { readonly parts: readonly Uint8Array[] }>(value: Value) => {
  const parts = value.parts.map(ownBytes);
  return new Moved({ ...value, parts }, buffersOf(parts));
};

/**
 * Draws the lines of visible signatures: it has the letters of Spanish and of most other languages of Europe.
 */
const fontFile = "dejavu-fonts-ttf/ttf/DejaVuSans.ttf";
const font: Uint8Array = readFileSync(fileURLToPath(import.meta.resolve(fontFile)));

const writing = () => import("./written-documents.ts");

type SignDocumentTask = Asking & { readonly instruction: SigningInstruction; readonly terms: SigningTerms };

type SignReportTask = Asking & {
  readonly files: readonly Attachment[];
  readonly request: SignRequest;
};

/** Trusted roots in DER: of signers, and of time-stamps. */
export type RootFiles = { readonly signers: readonly Uint8Array[]; readonly stamps: readonly Uint8Array[] };

/** How a file is verified. No server is asked. */
export type VerifyRequest = { readonly roots: RootFiles; readonly now: Date };

const tasks = {
  signDocument: async ({ document, port, instruction, terms }: SignDocumentTask) =>
    withPorts(port, async (ports) =>
      moved(await signWithStatement(document, instruction, terms, font, ports)),
    ),
  signPdf: async ({ document, port, request }: Asking & { readonly request: SignRequest }) =>
    withPorts(port, async (ports) => moved(await signWhole(document, request, ports))),
  /** Writes the report of an evidence bundle and signs it. The document is `evidence.json`. */
  signReport: async ({ document, port, files, request }: SignReportTask) =>
    withPorts(port, async (ports) => {
      const report = await (await writing()).reportOf(document, files);
      return moved(await signWhole(report, request, ports));
    }),
  /** Draws a certificate of pension clearing and signs it. The document is its content in JSON. */
  signCertificate: async ({ document, port, request }: Asking & { readonly request: SignRequest }) =>
    withPorts(port, async (ports) => {
      const certificate = await (await writing()).certificateOf(document);
      return moved(await signWhole(certificate, request, ports));
    }),
  extendPdf: async ({ document, port, request }: Asking & { readonly request: ArchiveRequest }) =>
    withPorts(port, async (ports) => {
      // A file that was signed here grows with each extension, also above the limit of a signature.
      const file = await openPdf(document, { limits: { bytesMax: document.length } });
      return moved(await extendProven(file, request, ports));
    }),
  verifyPdf: async ({
    document,
    port,
    request: { roots, now },
  }: Asking & { readonly request: VerifyRequest }) =>
    withPorts(port, () => {
      const trusted = {
        signers: roots.signers.map(readCertificate),
        stamps: roots.stamps.map(readCertificate),
      };
      return verifyPdf(document, { roots: trusted, now });
    }),
};

/** Inputs and results of `pool.run`, by the name of the task. */
export type SigningTasks = typeof tasks;

// A hostile file must not take processor time from the thread that answers.
stepBack();

/** The pool waits for this promise before it counts the thread as ready. */
export const runTask = Promise.resolve(serveTasks(tasks, () => ({})));
