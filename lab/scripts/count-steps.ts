/**
 * Counts the steps and the processor time of opening, signing and verifying honest and hostile PDF files:
 * `node lab/scripts/count-steps.ts [COUNT]`. The limits of steps rest on it
 * (src/features/signing/pdf/steps.ts).
 */

import { endWithHelp } from "../../scripts/help.ts";
import { Failure } from "../../src/contract/failure.ts";
import { signPdf } from "../../src/features/signing/pades/sign-pdf.ts";
import { openPdf, standardLimits } from "../../src/features/signing/pdf/open-pdf.ts";
import { verifyStepsMax } from "../../src/features/signing/pdf/reader/open-view.ts";
import { makeSteps, type Steps } from "../../src/features/signing/pdf/steps.ts";
import { verifyPdf } from "../../src/features/signing/verify/verify-pdf.ts";
import { openMemoryAuthority } from "../../src/trust/signers/memory-authority.ts";
import { adversarial } from "../../test/support/signing/adversarial.ts";
import { signWith } from "../../test/support/signing/pdf/append.ts";
import { makePdf } from "../../test/support/signing/pdf/make-pdf.ts";

endWithHelp(import.meta.filename);

const measure = async (
  label: string,
  bytes: Uint8Array,
  stepsMax: number,
  work: (steps: Steps) => Promise<void>,
) => {
  const steps = makeSteps(stepsMax);
  const before = process.cpuUsage();
  const end = await work(steps).then(
    () => "done",
    (error: unknown) => {
      if (error instanceof Failure) return `${error.code}: ${String(error.facts.reason ?? "")}`;
      throw error;
    },
  );
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  const taken = steps.taken();
  const figures = [
    `${(bytes.length / 1e6).toFixed(2)} MB`,
    `${(taken / 1e6).toFixed(1)} M steps`,
    `${(taken / bytes.length).toFixed(1)} a byte`,
    `${ms.toFixed(0)} ms`,
    `${((ms * 1e6) / Math.max(1, taken)).toFixed(0)} ns a step`,
    end,
  ];
  process.stdout.write(`${label.padEnd(60)} ${figures.join(", ")}\n`);
};

const open = (bytes: Uint8Array) => async (steps: Steps) => {
  const file = await openPdf(bytes, { steps, repair: "allow" });
  file.fields();
  signWith(file);
};

const verify = (bytes: Uint8Array) => async (steps: Steps) => {
  await verifyPdf(bytes, { roots: { signers: [], stamps: [] }, now: new Date(), steps });
};

const authority = await openMemoryAuthority({ form: "p256" });
let signed: Uint8Array = makePdf({ pages: 20 });
for (let count = 1; count <= 20; count++) {
  const { parts } = await signPdf(
    await openPdf(Uint8Array.from(signed)),
    { signer: authority.signer, level: "B-LTA", revision: { at: new Date() }, known: authority.roots },
    authority.ports,
  );
  signed = Buffer.concat(parts);
}
const honest = {
  "20 B-LTA signatures": signed,
  "2,000 pages": makePdf({ pages: 2000 }),
  "2,000 pages in object streams": makePdf({ pages: 2000, xref: "object-streams" }),
};
for (const [name, bytes] of Object.entries(honest)) {
  await measure(`open: ${name}`, bytes, Number.MAX_SAFE_INTEGER, open(bytes));
  await measure(`verify: ${name}`, bytes, Number.MAX_SAFE_INTEGER, verify(bytes));
}
for (const [name, make] of Object.entries(adversarial)) {
  const bytes = make(Number(process.argv[2] ?? 20_000));
  await measure(`open: ${name}`, bytes, standardLimits.stepsMax, open(bytes));
  await measure(`verify: ${name}`, bytes, verifyStepsMax, verify(bytes));
}
