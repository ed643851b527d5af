import { readFile, stat } from "node:fs/promises";
import { Failure } from "#contract/failure";
import { worstOf } from "#features/signing/verify/judge-signature";
import type { Verdict } from "#features/signing/verify/reasons";
import type { PdfReport } from "#features/signing/verify/report";
import type { TrustedRoots } from "#features/signing/verify/trust/judge-times";
import { verifyPdf } from "#features/signing/verify/verify-pdf";
import { makeEgress } from "#machine/egress/make-egress";
import { type Certificate, readCertificate } from "#trust/asn1/certificate";
import { makeFetchValidation } from "#trust/revocation/fetch-validation";
import type { FetchValidation } from "#trust/revocation/ports";
import { CommandError, parseOptions, print, type Run, UsageError } from "../command.ts";
import { describePdfReason } from "../kit/pdf-reason.ts";
import { readRootOption } from "../kit/root-option.ts";
import { describeReport } from "./describe-report.ts";

/** Larger files are refused before they are read. */
const fileBytesMax = 256 * 1024 * 1024;

/** A file that cannot be read, or is too large, counts as invalid: nothing in it is proven. */
const exitCodes: Readonly<Record<Verdict, number>> = {
  valid: 0,
  invalid: 1,
  indeterminate: 3,
  unknown_signer: 4,
};

export const runVerifyPdf: Run = async (args) => {
  const { values, positionals } = parseOptions(
    args,
    {
      roots: { type: "string" },
      "stamp-roots": { type: "string" },
      online: { type: "boolean" },
      json: { type: "boolean" },
    },
    true,
  );
  if (positionals.length === 0) throw new UsageError("Name a file: idem verify-pdf FILE");
  const signers = await readTrusted(values.roots, "--roots");
  const more = await readTrusted(values["stamp-roots"], "--stamp-roots");
  const roots = { signers, stamps: [...signers, ...more] };
  const fetch = values.online === true ? openFetch() : undefined;
  const all: Verdict[] = [];
  for (const path of positionals) {
    const result = await verifyFile(path, roots, fetch);
    all.push("failure" in result || result.verdict === "unsigned" ? "invalid" : result.verdict);
    if (values.json === true) print(JSON.stringify({ file: path, ...result }));
    else for (const line of linesOf(path, result)) print(line);
  }
  return exitCodes[worstOf(all)];
};

type FileResult = PdfReport | { readonly failure: string; readonly text: string };

const linesOf = (path: string, result: FileResult): readonly string[] =>
  "failure" in result ? [`${path}: ${result.failure}. ${result.text}`] : describeReport(path, result);

const readTrusted = async (path: string | undefined, option: string): Promise<readonly Certificate[]> =>
  path === undefined
    ? []
    : (await readRootOption(path, option)).map(({ raw }) => readCertificate(new Uint8Array(raw)));

/** Public addresses alone: the file names them. */
const openFetch = (): FetchValidation =>
  makeFetchValidation({ egress: makeEgress({ allow: [] }), clock: () => new Date() });

const verifyFile = async (
  path: string,
  roots: TrustedRoots,
  fetch: FetchValidation | undefined,
): Promise<FileResult> => {
  try {
    return await verifyPdf(await readBytes(path), { roots, now: new Date(), ...(fetch && { fetch }) });
  } catch (error) {
    if (error instanceof CommandError) return { failure: "file_unreadable", text: error.message };
    if (!(error instanceof Failure)) throw error;
    const { reason } = error.facts;
    return {
      failure: error.code,
      text: `${error.message}${typeof reason === "string" ? `: ${describePdfReason(reason)}` : ""}`,
    };
  }
};

const readBytes = async (path: string): Promise<Uint8Array> => {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) throw new CommandError(`${path} is no file that can be read.`);
  if (found.size > fileBytesMax) throw new CommandError(`${path} has more than 256 MB.`);
  return await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read (${error.code ?? error.message}).`);
  });
};
