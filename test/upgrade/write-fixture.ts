/**
 * Writes a data directory with the code of an earlier release, and what that release answered: the fixture of
 * upgrade.system.test.ts. Run once for each release, with a checkout of it that has its packages:
 *
 *   node test/upgrade/write-fixture.ts CHECKOUT VERSION
 *
 * It writes test/upgrade/VERSION.tar.gz and VERSION.json. All images are drawn: no person is shown.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Client, makeClient } from "#cli/kit/service/client";
import { awaitDecision, call } from "#cli/kit/service/onboarding";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { sealToken } from "#trust/tokens/seal";
import { memberOf } from "../../scripts/contract/json.ts";
import { endWithHelp } from "../../scripts/help.ts";
import { toBase64 } from "../harness/images.ts";
import { runIdem } from "../harness/run-idem.ts";
import { type Answered, type FormerStore, masterKey, tenants } from "./former-store.ts";

endWithHelp(import.meta.filename);

const [checkout = "", version = ""] = process.argv.slice(2);
const run = promisify(execFile);
const home = await mkdtemp(join(tmpdir(), "idem-fixture-"));
const directory = join(home, "data");
const environment = { IDEM_DATA: directory, IDEM_MASTER_KEY: masterKey };
const program = resolve(checkout, "src/cli/idem.ts");

const former = async (...args: readonly string[]): Promise<string> =>
  (await run(process.execPath, [program, ...args], { env: { PATH: process.env["PATH"], ...environment } }))
    .stdout;

/** Longer than anybody will run the test. */
const days = "36500";
const makeKey = async (tenant: string): Promise<string> =>
  (await former("keys", "create", "--tenant", tenant, "--scopes", "all", "--days", days)).trim();

const draw = async (persona: string, name: string): Promise<Uint8Array> => {
  const out = join(home, "images");
  const { code, stderr } = await runIdem(["personas", "download", "--out", out, persona]);
  if (code !== 0) throw new Error(stderr);
  return new Uint8Array(await readFile(join(out, persona, `${name}.jpg`)));
};

const startDocument = async (client: Client, image: Uint8Array): Promise<string> => {
  const documentFrontRawImage = toBase64(image);
  const body = { country: "CHL", idType: "PASSPORT", documentFrontRawImage };
  return String(memberOf(await call(client, "/verify/documentValidation/v2/start", body), "scanReference"));
};

const decide = async (client: Client, image: Uint8Array): Promise<Answered> => {
  const scanReference = await startDocument(client, image);
  await awaitDecision(client, scanReference);
  const data = await call(client, "/verify/documentValidation/v2/data", { scanReference });
  return { scanReference, data };
};

/** The service of the former release, when it is ready. */
const start = async () => {
  const settings = { IDEM_PORT: "0", IDEM_LOG_LEVEL: "error", IDEM_WORKERS: "1" };
  const env = { PATH: process.env["PATH"], ...environment, ...settings };
  const child = spawn(process.execPath, [program, "serve"], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  let text = "";
  const { promise, resolve: found } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      text += part.toString();
      const url = /Idem is ready at (http:\S+)/.exec(text)?.[1];
      if (url !== undefined) found(url);
    });
  }
  const url = await Promise.race([promise, ended.then(() => Promise.reject(new Error(text)))]);
  return { url, ended, kill: () => child.kill("SIGKILL") };
};

const write = async (): Promise<void> => {
  const keys = [await makeKey(tenants[0]), await makeKey(tenants[1])] as const;
  const service = await start();
  try {
    const client = makeClient(service.url, keys[0]);
    const published = await fetchPublishedKeys(service.url);
    const seal = async (image: Uint8Array) =>
      await sealToken({ keys: published, kind: "best-image", payload: image, now: new Date() });
    const [portrait, selfie] = [
      await draw("user-authenticated", "portrait"),
      await draw("user-authenticated", "selfie"),
    ];
    const passport = await draw("document-approved", "front");
    const users = "/services/authenticateUser/v2";
    const user = { userId: "customer-7", merchantReferenceId: "a", image: toBase64(portrait) };
    const enrolled = await call(client, users, { ...user, bestImageToken: await seal(selfie) });
    const identity = await call(client, "/onboarding/v2/identity", {
      token1: toBase64(portrait),
      bestImageToken: await seal(selfie),
      method: "3",
    });
    const documents = {
      approved: await decide(client, passport),
      inReview: await decide(client, await draw("document-check-digit", "front")),
    };
    const second = makeClient(service.url, keys[1]);
    await call(second, "/services/evaluatePassiveLiveness", { imageBuffer: toBase64(selfie) });
    // The process dies with work that it has acknowledged.
    const pending = await startDocument(client, passport);
    service.kill();
    await service.ended;
    const facts: FormerStore = {
      keys,
      user: { userId: user.userId, template: String(memberOf(enrolled, "registeredTemplateRaw")) },
      identity: {
        transactionId: String(memberOf(identity, "serviceTransactionId")),
        facial: memberOf(identity, "facialAuthenticationResult"),
        liveness: memberOf(identity, "passiveLivenessResult"),
      },
      documents,
      pending,
    };
    const file = new URL(`./${version}`, import.meta.url).pathname;
    await writeFile(`${file}.json`, `${JSON.stringify(facts, null, 2)}\n`);
    // What a killed process leaves, without its lock and its socket.
    const names = ["idem.sqlite", "idem.sqlite-wal", "blobs"];
    await run("tar", [
      "--sort=name",
      "--owner=0",
      "--group=0",
      "-czf",
      `${file}.tar.gz`,
      "-C",
      directory,
      ...names,
    ]);
  } finally {
    service.kill();
    await rm(home, { recursive: true, force: true });
  }
};

await write();
