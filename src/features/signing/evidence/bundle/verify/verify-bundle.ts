import { compareRecords } from "../compare-records.ts";
import { attachmentNames, type BundleContent, type BundleFault } from "../content.ts";
import { compareFiles, type Files, hashOf, readAnchors, readContent } from "./read-content.ts";
import { type LinkDeps, type LinkReport, verifyLinks } from "./verify-links.ts";

/** The judgement of the signature that certifies a bundle. */
export type JudgedSignature = {
  /** `untrusted`: whole, but its signer leads to none of the given roots. */
  readonly verdict: "valid" | "untrusted" | "indeterminate" | "invalid";
  readonly signer?: string;
  /** The time that a time-stamp proves, UTC in ISO 8601. */
  readonly at?: string;
  /** Until when the signature can be proven, UTC in ISO 8601. */
  readonly until?: string;
  readonly profile?: string;
  /** Why the verdict is not valid. */
  readonly reasons: readonly string[];
  /** SHA-256 (hex) of `evidence.json` as the signature dictionary states it. */
  readonly stated?: string;
};

/** What a bundle proves, and each fault of it. */
export type BundleReport = {
  /** The verdict of the signature, or `invalid` where anything inside does not fit. */
  readonly verdict: JudgedSignature["verdict"];
  readonly signature: JudgedSignature;
  /** Absent where `evidence.json` cannot be read. */
  readonly content?: BundleContent;
  readonly chain?: Omit<LinkReport, "faults">;
  readonly faults: readonly BundleFault[];
};

/** Verifies a bundle: its signature was judged, its attachments were read. Needs no store and no key. */
export const verifyBundle = async (
  deps: LinkDeps,
  files: Files,
  signature: JudgedSignature,
): Promise<BundleReport> => {
  const signed = signature.verdict === "invalid" ? faultsOf(signature) : [];
  const inside = await verifyFiles(deps, files);
  const faults = [...signed, ...compareStated(files, signature), ...inside.faults];
  return { ...inside, verdict: faults.length > 0 ? "invalid" : signature.verdict, signature, faults };
};

/** Verifies what a bundle holds, without its signature. */
export const verifyFiles = async (
  deps: LinkDeps,
  files: Files,
): Promise<Pick<BundleReport, "content" | "chain" | "faults">> => {
  const content = readContent(files);
  if ("fault" in content) return { faults: [content.fault] };
  const { value } = content;
  const anchors = readAnchors(files);
  const { faults: linkFaults, ...chain } = await verifyLinks(
    deps,
    value,
    "fault" in anchors ? [] : anchors.value.anchors,
    files.get(attachmentNames.chain) ?? new Uint8Array(),
  );
  const faults = [
    ...compareFiles(value, files),
    ...("fault" in anchors ? [anchors.fault] : []),
    ...linkFaults,
    ...compareHead(value),
    ...statedFaults(value),
  ];
  return { content: value, chain, faults };
};

const faultsOf = ({ reasons }: JudgedSignature): readonly BundleFault[] =>
  (reasons.length === 0 ? ["it is not valid"] : reasons).map((finding) => ({ place: "signature", finding }));

const compareStated = (files: Files, { stated }: JudgedSignature): readonly BundleFault[] => {
  const bytes = files.get(attachmentNames.content);
  return stated === undefined || bytes === undefined || hashOf(bytes) === stated
    ? []
    : [{ place: attachmentNames.content, finding: "its hash is not that of the signature" }];
};

/** The links that lead to the head must end there. */
const compareHead = ({ chain: { head, segments } }: BundleContent): readonly BundleFault[] =>
  segments
    .filter(
      ({ end, lastSeq, lastHash }) => end === "head" && (lastSeq !== head?.seq || lastHash !== head.hash),
    )
    .map(({ lastSeq }) => ({
      place: `${attachmentNames.content}, head`,
      finding: `the links end at entry ${lastSeq}, which is not the head`,
    }));

/**
 * What did not fit when the bundle was made stays a fault; what `evidence.json` does not state is a new one.
 */
const statedFaults = (content: BundleContent): readonly BundleFault[] => {
  const stated = content.faults.map(({ place, finding }) => `${place}: ${finding}`);
  const found = compareRecords(content).filter(
    ({ place, finding }) => !stated.includes(`${place}: ${finding}`),
  );
  return [
    ...content.faults.map(({ place, finding }) => ({
      place,
      finding: `${finding} (found when the bundle was made)`,
    })),
    ...found,
  ];
};
