import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runIdem } from "./harness/run-idem.ts";

it("onboards only the genuine person, through the real command line", {
  timeout: 240_000,
}, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "idem-demo-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const images = path.join(folder, "pictures");
  const { code, stdout, stderr } = await runIdem(["demo", "--exit", "--json", "--keep", images]);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  const ms = expect.any(Number);
  const events = [
    "operation_started",
    "id_captured",
    "selfie_captured",
    "facial_authentication_evaluated",
    "passive_liveness_evaluated",
    "id_validated",
    "operation_finished",
  ];
  expect(lines, stderr).toEqual([
    {
      case: "genuine",
      outcome: "approved",
      facialAuthenticationResult: 3,
      passiveLivenessResult: 3,
      verificationCode: 9001,
      reasonCode: null,
      portraitEvidence: "print-consistent",
      ms,
      clearing: "clearing_assurance_too_low",
      events,
    },
    {
      case: "other-person",
      outcome: "rejected",
      facialAuthenticationResult: 1,
      passiveLivenessResult: 3,
      verificationCode: 9001,
      reasonCode: null,
      portraitEvidence: "print-consistent",
      ms,
      clearing: "clearing_face_not_positive",
      events,
    },
    {
      case: "screen",
      outcome: "rejected",
      facialAuthenticationResult: 3,
      passiveLivenessResult: 17,
      verificationCode: 9001,
      reasonCode: null,
      portraitEvidence: "print-consistent",
      ms,
      clearing: "clearing_not_live",
      events,
    },
    {
      case: "expired",
      outcome: "rejected",
      facialAuthenticationResult: 3,
      passiveLivenessResult: 3,
      verificationCode: 9102,
      reasonCode: 511,
      portraitEvidence: "print-consistent",
      ms,
      clearing: "clearing_not_approved",
      events,
    },
    {
      case: "broken-check-digit",
      outcome: "review",
      facialAuthenticationResult: 3,
      passiveLivenessResult: 3,
      verificationCode: 9121,
      reasonCode: 507,
      portraitEvidence: "print-consistent",
      ms,
      clearing: "clearing_not_approved",
      events,
    },
    {
      case: "pasted-portrait",
      outcome: "rejected",
      facialAuthenticationResult: 3,
      passiveLivenessResult: 17,
      verificationCode: 9121,
      reasonCode: 102,
      portraitEvidence: "unproven",
      ms,
      clearing: "clearing_not_live",
      events,
    },
  ]);
  expect(await readdir(images)).toHaveLength(2 * lines.length + 1);
  const document = await readFile(path.join(images, "genuine-document.jpg"));
  expect(document.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  expect(code).toBe(0);
});
