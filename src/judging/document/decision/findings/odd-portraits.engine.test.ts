import { describe, expect, it } from "vitest";
import { drawOddPortrait, type OddPortrait } from "#support/document/odd-portraits";
import { openReader } from "#support/document/reader";
import { caseOf } from "#support/document/reading";
import { openReadings } from "#support/document/recorded-readings";
import type { DocumentReading } from "../../reading/reading.ts";
import { decideDocument } from "../decide.ts";
import { diagnose } from "../pad/diagnose.ts";

/** Both sides are drawn, photographed and read with all networks. */
const timeoutMs = 300_000;

const { imaging, readDocument } = await openReader();
const measured = openReadings(import.meta.url);

let back: Promise<Uint8Array> | undefined;
/** All cards have one back. */
const drawBack = () => (back ??= drawOddPortrait(imaging, "back"));

const read = async (odd?: OddPortrait): Promise<DocumentReading> =>
  measured(odd ?? "nothing odd", async () => {
    const front = await drawOddPortrait(imaging, "front", odd);
    return readDocument({ front, back: await drawBack() }, { type: "ID_CARD", attacks: true });
  });

const decide = async (odd?: OddPortrait) => {
  const reading = await read(odd);
  const { fields, declared, now, policy } = caseOf(reading, { country: "CHL", type: "ID_CARD" });
  const decided = decideDocument({ reading, fields }, declared, now, policy);
  const { code, reasonCode, others } = decided.decision;
  return {
    ...decided,
    code,
    reasons: [reasonCode, ...others],
    diagnostic: diagnose(reading, decided, undefined, policy),
  };
};

describe("a card with an odd portrait", () => {
  it(
    "is approved where nothing is odd",
    async () => {
      expect(await decide()).toMatchObject({
        code: 9001,
        portraitEvidence: "ghost",
        diagnostic: { decision: "Credible" },
      });
    },
    timeoutMs,
  );

  it.each([
    ["ten pasted portraits", 642, "front-not-alone"],
    ["a portrait of 12 px", 643, "portrait-missing"],
    // The ghost was taken for the portrait, and the card was approved.
    ["a ghost without a portrait", 643, "portrait-missing"],
  ] as const)(
    "is requested again with %s: %d",
    async (odd, reason, name) => {
      const { code, reasons, findings, portraitEvidence, diagnostic } = await decide(odd);
      expect([code, reasons[0], portraitEvidence]).toEqual([9103, reason, "unproven"]);
      expect(findings.find((one) => one.name === name)?.holds).toBe(true);
      expect(diagnostic.decision).toBe("Doubtful");
      expect(diagnostic.reasons.includes("NOT_PROCESSED_PHOTO_CHECK")).toBe(reason === 643);
    },
    timeoutMs,
  );

  it.each(["a card on a screen", "a screen in a photograph of a screen"] as const)(
    "is found to be %s, and is not approved",
    async (odd) => {
      const { code, reasons, diagnostic } = await decide(odd);
      // Strokes that the pattern of the screen changed may contradict the zone: then the card is declined.
      expect([9121, 9102]).toContain(code);
      expect(reasons).toContain(504);
      expect(["Doubtful", "Spoof"]).toContain(diagnostic.decision);
      expect(diagnostic.reasons).toContain("Screen_Replay_Attack");
    },
    timeoutMs,
  );
});
