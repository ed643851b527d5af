import { expect, it } from "vitest";
import { decideDocument } from "#judging/document/decision/decide";
import { defaultDocumentPolicy } from "#judging/document/decision/policy";
import type { DocumentReading } from "#judging/document/reading/reading";
import { drawnCases, type ImageName } from "./drawn-cases.ts";
import { approvedImages } from "./drawn-readings.ts";
import { mergeSources, now as today } from "./reading.ts";

/** What is decided of the drawn cases. */
export const describeReasons = (
  read: (images: ImageName) => Promise<DocumentReading>,
  timeoutMs?: number,
): void => {
  it.each(approvedImages)(
    "approves %s",
    async (images) => {
      const reading = await read(images);
      const fields = mergeSources(reading, today);
      const declared = { country: "CHL", type: "PASSPORT" } as const;
      const { decision } = decideDocument({ reading, fields }, declared, today, defaultDocumentPolicy);
      expect(decision).toMatchObject({ code: 9001, reasonCode: null });
    },
    timeoutMs,
  );

  it.each(drawnCases)(
    "brings $code with $decision from $images",
    async (one) => {
      const { declared = { country: "CHL", type: "PASSPORT" }, attempt = 1 } = one;
      const now = one.now === undefined ? today : new Date(one.now);
      const reading = await read(one.images);
      const fields = mergeSources(reading, now);
      const policy = { ...defaultDocumentPolicy, ...one.policy };
      const { decision } = decideDocument({ reading, fields }, declared, now, policy, {}, attempt);
      expect(decision.code).toBe(one.decision);
      expect([decision.reasonCode, ...decision.others]).toContain(one.code);
    },
    timeoutMs,
  );
};
