// Needs PostgreSQL and S3: eval "$(test/services/start-postgres.sh)"; eval "$(test/services/start-s3.sh)".
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from "@aws-sdk/client-s3";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import { createDatabase, type PostgresDatabase } from "#support/storage/postgres-database";
import { drawCases, toBase64 } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness } from "./harness/service.ts";
import { serviceVariable } from "./services/environment.ts";

const run = promisify(execFile);
const variable = (name: string): string => serviceVariable(`IDEM_TEST_S3_${name}`, "start-s3.sh");
const bucket = `${variable("BUCKET")}-backup-${Date.now()}`;
const client = new S3Client({
  endpoint: variable("ENDPOINT"),
  region: variable("REGION"),
  forcePathStyle: true,
  credentials: { accessKeyId: variable("ACCESS_KEY"), secretAccessKey: variable("SECRET_KEY") },
});
const masterKey = randomBytes(32).toString("base64");

/** The settings of a deployment on a database and a prefix of the bucket. */
const settingsOf = ({ url }: PostgresDatabase, prefix: string) => ({
  IDEM_DATABASE_URL: url,
  IDEM_MASTER_KEY: masterKey,
  IDEM_S3_ENDPOINT: variable("ENDPOINT"),
  IDEM_S3_REGION: variable("REGION"),
  IDEM_S3_BUCKET: bucket,
  IDEM_S3_ACCESS_KEY_ID: variable("ACCESS_KEY"),
  IDEM_S3_SECRET_ACCESS_KEY: variable("SECRET_KEY"),
  IDEM_S3_PREFIX: prefix,
});

let harness: Harness;
let databases: readonly [PostgresDatabase, PostgresDatabase];
beforeAll(async () => {
  harness = await makeHarness();
  databases = [await createDatabase(), await createDatabase()];
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
});
afterAll(async () => {
  await harness.clear();
  for (const database of databases) await database.remove();
});

/** What `aws s3 sync` does: copies every object of a prefix. Returns the keys of the copies. */
const copyPrefix = async (from: string, to: string): Promise<readonly string[]> => {
  const { Contents = [] } = await client.send(
    new ListObjectsV2Command({ Bucket: bucket, Prefix: `${from}/` }),
  );
  const copies: string[] = [];
  for (const { Key = "" } of Contents) {
    const copy = Key.replace(`${from}/`, `${to}/`);
    await client.send(new CopyObjectCommand({ Bucket: bucket, CopySource: `${bucket}/${Key}`, Key: copy }));
    copies.push(copy);
  }
  return copies;
};

it("a manifest shows whether a database and a bucket that were restored hold every answer from before it", async () => {
  const [live, restored] = databases;
  const settings = { ...settingsOf(live, "live"), IDEM_DATA: harness.directory };
  expect(await runIdem(["migrate"], settings)).toMatchObject({ code: 0 });
  const service = await harness.start(settings);
  const { post } = makeClient(service.url, service.apiKey);
  const image = toBase64((await drawCases())["genuine"]!.document);
  const start = async () =>
    await post("/verify/documentValidation/v2/start", {
      country: "CHL",
      idType: "PASSPORT",
      documentFrontRawImage: image,
    });
  const { body } = await start();
  const manifest = join(dirname(harness.directory), "manifest.jsonl");
  const dump = join(dirname(harness.directory), "dump");

  const written = await runIdem(["backup", "--manifest", manifest, "--json"], settings);
  expect(written, written.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(written.stdout)).toMatchObject({ files: 1, missing: 0 });
  await run("pg_dump", ["--format=custom", `--file=${dump}`, live.url]);
  expect((await start()).status).toBe(200);
  const copies = await copyPrefix("live", "copy");
  await service.stop();

  await run("pg_restore", ["--no-owner", `--dbname=${restored.url}`, dump]);
  const target = { ...settingsOf(restored, "copy"), IDEM_DATA: join(dirname(harness.directory), "restored") };
  const check = () => runIdem(["restore", "--manifest", manifest, "--check"], target);
  const right = await check();
  expect(right, right.stderr).toMatchObject({ code: 0, stdout: "All of it is there.\n" });

  const { scanReference } = Compile(Type.Object({ scanReference: Type.String() })).Parse(body);
  const again = await harness.start({ ...target, IDEM_DATA: harness.directory });
  const found = await makeClient(again.url, again.apiKey).post("/verify/documentValidation/v2/status", {
    scanReference,
  });
  expect(found.status).toBe(200);
  await again.stop();

  for (const Key of copies) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
  const lost = await check();
  expect(lost).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is missing, and the store names it"),
  });
  const empty = await runIdem(["restore", "--manifest", manifest, "--check"], {
    ...target,
    IDEM_DATABASE_URL: live.url,
  });
  expect(empty.code).toBe(1);
}, 180_000);

it("on PostgreSQL a backup in one file is refused with the way that there is", async () => {
  const settings = { ...settingsOf(databases[0], "live"), IDEM_DATA: harness.directory };
  const refused = await runIdem(["backup", "--out", "x", "--recipient", "y"], settings);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("pg_dump") });
});
