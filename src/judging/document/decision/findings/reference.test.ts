import { expect, it } from "vitest";
import { caseOf, mrzOf, passportLines, readingOf, sideOf } from "#support/document/reading";
import { judgeDocument } from "../judge.ts";
import type { DocumentPolicy } from "../policy.ts";
import { findAll } from "./all-rules.ts";

const strict: Partial<DocumentPolicy> = { consequences: { "portrait-of-no-registered-user": "decline" } };

it.each([
  ["is the one", "same", {}, 9001, null],
  ["is not the one", "other", {}, 9121, 120],
  ["is not the one, under a strict policy,", "other", strict, 9102, 120],
  ["cannot be compared with the one", "unknown", {}, 9121, 120],
  ["was sent without a name", "unnamed", {}, 9102, 121],
  ["was sent under the name of none", "unregistered", {}, 9102, 122],
] as const)(
  "a portrait that %s of the registered user ends %4$i with %5$s",
  (_, reference, policy, code, reasonCode) => {
    const reading = readingOf(sideOf({ mrz: mrzOf(passportLines) }));
    const document = { ...caseOf(reading, undefined, policy), history: { reference } };
    expect(judgeDocument(findAll(document), document.policy)).toMatchObject({ code, reasonCode });
  },
);
