import { expect, it } from "vitest";
import { decideDocument } from "#judging/document/decision/decide";
import { defaultDocumentPolicy } from "#judging/document/decision/policy";
import type { DocumentReading } from "#judging/document/reading/reading";
import { steerDecision } from "#sandbox/personas/steer-decision";
import { mergeSources } from "#support/document/reading";
import { type DecidedDocument, declaredOf } from "./decided-documents.ts";

const decide = steerDecision(decideDocument);

/** What is decided of the documents of personas. */
export const describeDocuments = (
  documents: readonly DecidedDocument[],
  read: (document: DecidedDocument) => Promise<DocumentReading>,
  timeoutMs?: number,
): void => {
  it.each(documents)(
    "$name is decided as it promises",
    async (document) => {
      const { expected, reasons = [] } = document.answer;
      const now = new Date();
      const reading = { ...(await read(document)), persona: document.name };
      const fields = mergeSources(reading, now);
      const { decision } = decide({ reading, fields }, declaredOf(document), now, defaultDocumentPolicy);
      expect(decision).toMatchObject({
        code: expected["verification.code"],
        status: expected["verification.status"],
        ...(reasons.length === 0 && { reasonCode: null }),
      });
      expect([decision.reasonCode, ...decision.others]).toEqual(expect.arrayContaining([...reasons]));
    },
    timeoutMs,
  );
};
