import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import { finish, onboard } from "#cli/kit/service/onboarding";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { drawCases } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { makeHarness } from "./harness/service.ts";

const operation = { operationId: "an-operation", extraData: "its tracking token" };

/** A service with an onboarding that has ended, and a folder that holds nothing of the service. */
const open = async () => {
  const harness = await makeHarness();
  const receiver = await mkdtemp(join(tmpdir(), "idem-receiver-"));
  onTestFinished(async () => {
    await harness.clear();
    await rm(receiver, { recursive: true, force: true });
  });
  const service = await harness.start();
  const client = makeClient(service.url, service.apiKey);
  const { genuine } = await drawCases();
  if (genuine === undefined) throw new Error("No genuine case");
  const result = await onboard(client, await fetchPublishedKeys(service.url), genuine, { operation });
  await finish(client, result, operation);
  const variables = { IDEM_DATA: harness.directory };
  const idem = (...args: readonly string[]) => runIdem(["evidence", ...args], variables);
  /** A machine of the receiver: no settings, no data directory, no key. */
  const verify = async (...args: readonly string[]) => {
    const empty = join(receiver, "empty");
    await mkdir(empty, { recursive: true });
    return await runIdem(["evidence", "verify", ...args], { IDEM_DATA: empty });
  };
  return { harness, service, client, receiver, idem, verify };
};

it("a bundle from the interface or the command proves an operation on a machine without anything of the service", {
  timeout: 300_000,
}, async () => {
  const { client, receiver, idem, verify, harness } = await open();
  const path = `/operator/operations/${operation.operationId}/evidence`;
  const { status, body } = await client.get(path);
  expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
  const answer = Object(body);
  expect(answer).toMatchObject({ level: "B-LTA", faults: [], operationId: operation.operationId });
  const [bundle, roots] = [join(receiver, "bundle.pdf"), join(receiver, "roots.pem")];
  await writeFile(bundle, Buffer.from(answer.bundle, "base64"));
  expect(await idem("roots", "--out", roots)).toMatchObject({ code: 0 });

  const whole = await verify(bundle, "--roots", roots, "--json");
  expect(whole, whole.stdout + whole.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(whole.stdout)).toMatchObject({
    verdict: "valid",
    operation: operation.operationId,
    state: "SUCCEEDED",
    signature: { verdict: "valid", profile: expect.stringContaining("B-LTA") },
    faults: [],
  });
  const unrooted = await verify(bundle);
  expect(unrooted).toMatchObject({ code: 1, stdout: expect.stringContaining("--roots") });

  const second = join(receiver, "second.pdf");
  const written = await idem(
    "export",
    "--operation",
    operation.operationId,
    "--environment",
    "test",
    "--out",
    second,
  );
  expect(written, written.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("B-LTA") });
  const verified = await verify(second, "--roots", roots);
  expect(verified, verified.stdout).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("result:     valid"),
  });

  const bytes = await readFile(bundle);
  const changed = join(receiver, "changed.pdf");
  for (const at of [2_000, Math.floor(bytes.length / 3), Math.floor(bytes.length / 2)]) {
    const copy = Buffer.from(bytes);
    copy[at] = copy[at] === 0x41 ? 0x42 : 0x41;
    await writeFile(changed, copy);
    const { code, stdout } = await verify(changed, "--roots", roots);
    expect([at, code, stdout.includes("result:     valid")]).toEqual([at, 1, false]);
  }

  const sqlite = new Database(join(harness.directory, "idem.sqlite"));
  sqlite.exec(
    "drop trigger evidence_no_update; update evidence set kind = 'x' where kind = 'document_decided'",
  );
  sqlite.close();
  const refused = await client.get(path);
  expect([refused.status, Object(refused.body).failure]).toEqual([409, "evidence_damaged"]);
  expect(JSON.stringify(refused.body)).toContain("id or kind");
  const anyway = join(receiver, "anyway.pdf");
  const command = ["export", "--operation", operation.operationId, "--environment", "test", "--out", anyway];
  expect(await idem(...command)).toMatchObject({ code: 1, stderr: expect.stringContaining("id or kind") });
  expect(await idem(...command, "--anyway")).toMatchObject({ code: 1 });
  const stated = await verify(anyway, "--roots", roots);
  expect(stated).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("found when the bundle was made"),
  });
});
