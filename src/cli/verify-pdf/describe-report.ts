import type { Verdict } from "#features/signing/verify/reasons";
import type { PdfReport, SignatureReport } from "#features/signing/verify/report";

const words: Readonly<Record<Verdict | "unsigned", string>> = {
  valid: "VALID",
  unknown_signer: "WHOLE, UNKNOWN SIGNER",
  indeterminate: "INDETERMINATE",
  invalid: "INVALID",
  unsigned: "NOT SIGNED",
};

/** More changes of one signature are counted, not shown. */
const changesShown = 10;

/** A report in lines for a person. */
export const describeReport = (path: string, report: PdfReport): readonly string[] => [
  `${path}: ${words[report.verdict]}`,
  ...report.removed.map(
    (field) => `  The signature ${field} stands in an earlier state of the file and was removed.`,
  ),
  ...report.signatures.flatMap((one) => describe(one, report.fileBytes).map((line) => `  ${line}`)),
];

const describe = (one: SignatureReport, fileBytes: number): readonly string[] => [
  `${one.kind === "timestamp" ? "Document time-stamp" : "Signature"} ${one.field}: ${words[one.verdict]}`,
  ...one.reasons.map(({ text }) => `  - ${text}`),
  ...row("covers", describeCoverage(one, fileBytes)),
  ...row("profile", one.kind === "timestamp" ? undefined : describeProfile(one)),
  ...row("signer", one.signer?.name),
  ...row("chain", describeChain(one)),
  ...one.stamps.flatMap(({ at, authority, doubt }) => {
    const proof = doubt === undefined ? "" : `, not proven: ${doubt}`;
    return row("time-stamp", `${at} by ${authority ?? "unknown"}${proof}`);
  }),
  ...row("claimed", describeClaims(one)),
  ...row("proven", one.provenAt),
  ...row("until", one.provableUntil),
  ...describeChanges(one),
];

const row = (label: string, text: string | undefined): readonly string[] =>
  text === undefined || text === "" ? [] : [`  ${label.padEnd(11)}${text}`];

const describeCoverage = ({ coverage }: SignatureReport, fileBytes: number): string => {
  if (coverage.scope === "whole_file") return "the whole file";
  if (coverage.scope === "partial") return "no complete state of the file";
  return `the file up to byte ${coverage.bytes} of ${fileBytes}`;
};

const describeProfile = ({ profile }: SignatureReport): string =>
  profile.level ?? `not PAdES: ${profile.reasons.join(", ")}`;

const describeChain = ({ chain }: SignatureReport): string => {
  const revoked = chain.revokedAt === undefined ? "" : ` at ${chain.revokedAt}`;
  const above = chain.names.slice(1).join(" < ");
  return `${chain.trust}, revocation ${chain.revocation}${revoked}${above === "" ? "" : `: ${above}`}`;
};

const describeClaims = ({ claimed }: SignatureReport): string =>
  Object.entries(claimed)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([key, value]) => `${key} ${value}`)
    .join("; ");

const describeChanges = ({ changes }: SignatureReport): readonly string[] => [
  ...changes
    .slice(0, changesShown)
    .flatMap(({ kind, what, judgement }) => row("changed", `${kind} (${judgement}): ${what}`)),
  ...row("", changes.length > changesShown ? `and ${changes.length - changesShown} more` : undefined),
];
