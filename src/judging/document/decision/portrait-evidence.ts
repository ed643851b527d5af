import type { PortraitEvidence } from "#contract/portrait-evidence";
import { type DocumentCue, type DocumentCueName, portraitCues } from "./attacks/cue.ts";
import type { Finding } from "./finding.ts";
import type { FindingName } from "./finding-names.ts";

/**
 * Traces by what they measure: noise and grid are of one measurement, which any portrait has. Print counts as
 * consistent where two measurements fit, so that one of them is the history of compressions or the detail.
 * A file that was saved once, without detail, leaves the first alone. The number is our choice.
 */
const measurementsMin = 2;
const measurementOf: Readonly<Partial<Record<DocumentCueName, string>>> = {
  "portrait-noise": "noise",
  "portrait-even-noise": "noise",
  "portrait-grid": "noise",
  "portrait-history": "history",
  "portrait-detail": "detail",
};

/** No portrait was found, or one of several: of none of them it is known that it is the document's. */
const withoutPortrait: readonly FindingName[] = ["portrait-missing", "front-not-alone"];

const isWithoutPortrait = ({ name, holds, evidence }: Finding): boolean =>
  (holds === true && withoutPortrait.includes(name)) ||
  (name === "portrait-missing" && evidence["isSizeUnknown"] === true);

/**
 * What shows that the portrait belongs to the document, from the traces of its images and the findings about
 * its holder. Print is consistent where traces of the front were measured and none is seen, not even weakly.
 * The registered user counts beside consistent print alone: it shows whose face that is, and nothing about
 * the card. Traces of the back speak against the document, never for the portrait of the front. Chips and
 * registries give no evidence yet.
 */
export const portraitEvidenceOf = (
  cues: readonly DocumentCue[],
  findings: readonly Finding[],
): PortraitEvidence => {
  if (findings.some(isWithoutPortrait)) return "unproven";
  const traces = cues.filter(({ name }) => portraitCues.includes(name));
  const isSeen = traces.some(({ level }) => level !== "none");
  if (isSeen) return "unproven";
  const fitting = traces.filter(({ on }) => on === "front").map(({ name }) => name);
  if (fitting.includes("ghost-differs")) return "ghost";
  const measurements = new Set(fitting.flatMap((name) => measurementOf[name] ?? []));
  if (measurements.size < measurementsMin) return "unproven";
  return findings.some(({ name, holds }) => name === "portrait-of-no-registered-user" && holds === false)
    ? "reference"
    : "print-consistent";
};
