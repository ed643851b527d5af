import type { BundleReport } from "#features/signing/evidence/bundle/verify/verify-bundle";
import { print } from "../command.ts";

const verdicts = {
  valid: "valid",
  untrusted: "whole, but its signer leads to none of the given roots: name them with --roots",
  indeterminate: "whole inside, but its signature cannot be judged",
  invalid: "INVALID",
} as const;

const endTexts = {
  head: "to the head of the chain",
  anchor: "to a time-stamped anchor",
  entry: "to no anchor",
} as const;

const timeOf = (at: number): string => new Date(at).toISOString();

const describeSignature = ({ signature: { verdict, profile, signer, at, until, reasons } }: BundleReport) =>
  [
    verdict,
    profile,
    signer && `signed by ${signer}`,
    at && `at ${at}`,
    until && `provable until ${until}`,
    ...(verdict === "valid" ? [] : reasons),
  ]
    .filter((part) => part !== undefined && part !== "")
    .join(", ");

const describeChain = ({ chain, content }: BundleReport): string => {
  const ends = new Set(content?.chain.segments.map(({ end }) => endTexts[end]));
  const own = content?.entries.length ?? 0;
  const links = chain?.links ?? 0;
  return links === 0
    ? "the operation has no entry yet"
    : `${own} entries of the operation, ${links} links, ${[...ends].join(" and ")}`;
};

const describeAnchors = ({ chain }: BundleReport): string => {
  const newest = chain?.newest;
  if (newest === undefined) return "none: the time-stamps of the signature alone prove the time";
  const signer = newest.isTrusted ? newest.signer : `${newest.signer}, signer not checked`;
  return `${chain?.anchors ?? 0}, the newest of ${timeOf(newest.at)} for entry ${newest.seq} by ${signer}`;
};

/** The lines of a report, for a reader. */
export const describeBundle = (report: BundleReport): readonly string[] => {
  const { content, faults, verdict } = report;
  const about =
    content === undefined
      ? []
      : [
          `operation:  ${content.operation.id}, ${content.operation.state}`,
          `of:         ${content.tenant.name}, environment ${content.environment}`,
          `made:       ${content.madeAt} by Idem ${content.release}`,
          `holds:      ${content.transactions.length} calls and decisions, ${content.events.length} events, ${content.images.length} images`,
        ];
  return [
    ...about,
    `signature:  ${describeSignature(report)}`,
    ...(content === undefined
      ? []
      : [`chain:      ${describeChain(report)}`, `anchors:    ${describeAnchors(report)}`]),
    ...faults.map(({ place, finding }) => `fault:      ${place}: ${finding}`),
    `result:     ${verdicts[verdict]}`,
  ];
};

/** Prints a report. Returns the exit code: 0 for a valid bundle alone. */
export const printBundle = (report: BundleReport, isJson: boolean): number => {
  if (isJson) {
    const { verdict, signature, chain, faults, content } = report;
    const about = content && {
      operation: content.operation.id,
      state: content.operation.state,
      tenant: content.tenant,
      environment: content.environment,
      madeAt: content.madeAt,
      entries: content.entries.length,
    };
    print(JSON.stringify({ verdict, ...about, signature, chain, faults }));
  } else {
    describeBundle(report).forEach((line) => print(line));
  }
  return report.verdict === "valid" ? 0 : 1;
};
