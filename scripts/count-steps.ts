/**
 * Counts the steps and the processor time of opening, signing and verifying honest and hostile PDF files: `node scripts/count-steps.ts`.
 * The limits of steps rest on it (src/signing/pdf/steps.ts).
 */
import { Failure } from "#contract/failure";
import { openMemoryAuthority } from "#signing/keys/memory-authority";
import { signPdf } from "#signing/pades/sign-pdf";
import { openPdf, standardLimits } from "#signing/pdf/open-pdf";
import { quietParser } from "#signing/pdf/quiet-parser";
import { makeSteps, type Steps } from "#signing/pdf/steps";
import { signWith } from "#signing/pdf/testing/append";
import { makePdf } from "#signing/pdf/testing/make-pdf";
import { adversarial } from "#signing/testing/adversarial";
import { verifyStepsMax } from "#signing/verify/file/open-view";
import { verifyPdf } from "#signing/verify/verify-pdf";

quietParser();

const measure = async (label: string, bytes: Uint8Array, stepsMax: number, work: (steps: Steps) => Promise<void>) => {
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
  const file = await openPdf(bytes, { steps });
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
