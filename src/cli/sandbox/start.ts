import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeApiKey } from "#contract/api-key";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { startClearingSimulator } from "#sandbox/clearing/clearing-simulator";
import { makePhotoOf } from "#sandbox/persons/photos";
import { type Sandbox, startSandbox } from "#sandbox/sandbox";
import { type SandboxFiles, writeSandboxFiles } from "#sandbox/settings";
import { type Issued, issueCertificate } from "#trust/signers/issue-certificate";
import { makeSigner, signWithKey } from "#trust/signers/make-signer";
import { makeRespond } from "#trust/timestamps/respond";
import { makeDirectory } from "../kit/make-directory.ts";
import { developmentKeyFile } from "../kit/store/first-key.ts";
import { writeFirst } from "../kit/store/write-first.ts";

export type StartedSandbox = {
  readonly sandbox: Sandbox;
  readonly files: SandboxFiles;
  /** The test key that a service on these settings takes over at its first start. */
  readonly apiKey: string;
  readonly startMs: number;
};

const clock = (): Date => new Date();

/** Starts all simulators and writes their settings into a folder. Port 0 takes free ports. */
export const openSandbox = async (folder: string, port: number): Promise<StartedSandbox> => {
  const began = performance.now();
  const stamper = await issueStamper(clock());
  const sandbox = await startSandbox({
    port,
    photoOf: makePhotoOf(makeImaging({ limits: defaultImagingLimits })),
    respondTimeStamp: makeRespond({
      signer: makeSigner(stamper.certificate, [], signWithKey(stamper.key)),
      clock,
    }),
    startClearing: startClearingSimulator,
  });
  const apiKey = await settleKey(join(folder, "data"), developmentKeyFile);
  const files = await writeSandboxFiles(folder, sandbox, {
    timeStampRoot: pemOf(stamper.certificate),
    certificateKey: await settleKey(join(folder, "secrets"), "certificate-key"),
  });
  return { sandbox, files, apiKey, startMs: performance.now() - began };
};

const dayMs = 86_400_000;

/** A time-stamping authority that is its own root: no status of it can be asked, and none needs to be. */
const issueStamper = (now: Date): Promise<Issued> =>
  issueCertificate({
    profile: "stamper",
    subject: "CN=SANDBOX time-stamping authority, O=Idem SANDBOX - proves nothing",
    form: "p256",
    from: new Date(now.getTime() - dayMs),
    to: new Date(now.getTime() + 30 * dayMs),
  });

/** The test key in a file; a new one where there is none. The service stores its hash when it starts. */
const settleKey = async (directory: string, name: string): Promise<string> => {
  await makeDirectory(directory, 0o700);
  await writeFirst(join(directory, name), `${makeApiKey("test")}\n`);
  return (await readFile(join(directory, name), "utf8")).trim();
};

const pemOf = (certificate: Uint8Array): string => {
  const lines = Buffer.from(certificate)
    .toString("base64")
    .replaceAll(/.{1,64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`;
};
