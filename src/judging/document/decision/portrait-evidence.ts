import type { PortraitEvidence } from "#contract/portrait-evidence";
import { type DocumentCue, portraitCues } from "./attacks/cue.ts";
import type { Finding } from "./finding.ts";
import type { FindingName } from "./finding-names.ts";

/**
 * Different traces that must fit before print counts as consistent: a file that is no JPEG, or a card without
 * detail, leaves one or none of them. The number is our choice.
 */
const tracesMin = 2;

/** No portrait was found, or one of several: of none of them it is known that it is the document's. */
const withoutPortrait: readonly FindingName[] = ["portrait-missing", "front-not-alone"];

/**
 * What shows that the portrait belongs to the document, from the traces of its images and the findings about
 * its holder. Print is consistent where traces were measured and none is seen, not even weakly. Chips and
 * registries give no evidence yet.
 */
export const portraitEvidenceOf = (
  cues: readonly DocumentCue[],
  findings: readonly Finding[],
): PortraitEvidence => {
  if (findings.some(({ name, holds }) => holds === true && withoutPortrait.includes(name))) return "unproven";
  const traces = cues.filter(({ name }) => portraitCues.includes(name));
  const isSeen = traces.some(({ level }) => level !== "none");
  if (isSeen) return "unproven";
  if (traces.some(({ name }) => name === "ghost-differs")) return "ghost";
  if (findings.some(({ name, holds }) => name === "portrait-of-no-registered-user" && holds === false)) {
    return "reference";
  }
  const kinds = new Set(traces.map(({ name }) => name));
  return kinds.size >= tracesMin ? "print-consistent" : "unproven";
};
