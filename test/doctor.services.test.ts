// Needs PostgreSQL and an S3 server: eval "$(test/services/start-postgres.sh)" && eval
// "$(test/services/start-s3.sh)".
import { randomBytes } from "node:crypto";
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness, type Run } from "./harness/service.ts";
import { serviceVariable } from "./services/environment.ts";

const server = serviceVariable("IDEM_TEST_POSTGRES_URL", "start-postgres.sh");
const s3 = (name: string): string => serviceVariable(`IDEM_TEST_S3_${name}`, "start-s3.sh");
const name = `idem_test_${randomBytes(6).toString("hex")}`;
const bucket = `${s3("BUCKET")}-doctor-${Date.now()}`;
const databaseUrl = (user: string): string => {
  const url = new URL(server);
  url.pathname = `/${name}`;
  url.username = user;
  return url.href;
};
const client = new S3Client({
  endpoint: s3("ENDPOINT"),
  region: s3("REGION"),
  forcePathStyle: true,
  credentials: { accessKeyId: s3("ACCESS_KEY"), secretAccessKey: s3("SECRET_KEY") },
});

const query = async (url: string, ...statements: readonly string[]): Promise<readonly unknown[]> => {
  const connection = new Client({ connectionString: url });
  await connection.connect();
  try {
    let rows: readonly unknown[] = [];
    for (const statement of statements) {
      ({ rows } = await connection.query(statement));
    }
    return rows;
  } finally {
    await connection.end();
  }
};

let harness: Harness;
const doctor = (changes: Readonly<Record<string, string>> = {}): Promise<Run> =>
  runIdem(["doctor"], {
    IDEM_DATA: harness.directory,
    IDEM_PORT: "0",
    IDEM_MASTER_KEY: Buffer.alloc(32, 5).toString("base64"),
    IDEM_DATABASE_URL: databaseUrl(new URL(server).username),
    IDEM_S3_BUCKET: bucket,
    IDEM_S3_PREFIX: "idem/one",
    IDEM_S3_ENDPOINT: s3("ENDPOINT"),
    IDEM_S3_REGION: s3("REGION"),
    IDEM_S3_ACCESS_KEY_ID: s3("ACCESS_KEY"),
    IDEM_S3_SECRET_ACCESS_KEY: s3("SECRET_KEY"),
    ...changes,
  });

beforeAll(async () => {
  harness = await makeHarness();
  await query(server, `create database ${name}`, `create role ${name}_reader login`);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
});
afterAll(async () => {
  await query(server, `drop database ${name} with (force)`, `drop role ${name}_reader`);
  await harness.clear();
});

it("reports the faults of a database and a bucket, and leaves nothing in either", async () => {
  const fresh = await doctor();
  expect(fresh.stdout).toMatch(/RED {2}store +PostgreSQL, older[^]*Run idem migrate/);
  expect(fresh.stdout).toMatch(/ok {3}S3 .*idem\/one, an object was written, read and removed/);

  const environment = {
    IDEM_DATA: harness.directory,
    IDEM_DATABASE_URL: databaseUrl(new URL(server).username),
  };
  expect((await runIdem(["migrate"], environment)).code).toBe(0);
  const migrated = await doctor();
  expect(migrated.stdout).toMatch(/ok {3}store +PostgreSQL, reads and writes/);
  expect(migrated.code).toBe(0);
  expect(await query(databaseUrl(new URL(server).username), "select * from tenants")).toEqual([]);
  const left = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
  expect(left.Contents ?? []).toEqual([]);
});

it("is red where the database refuses this user's writes, and where the bucket's secret is wrong", async () => {
  await query(
    databaseUrl(new URL(server).username),
    `grant select on all tables in schema public to ${name}_reader`,
  );
  const { stdout, code } = await doctor({
    IDEM_DATABASE_URL: databaseUrl(`${name}_reader`),
    IDEM_S3_SECRET_ACCESS_KEY: "wrong",
  });
  expect(stdout).toMatch(/RED {2}store[^]*permission denied[^]*\(42501\)/);
  expect(stdout).toMatch(/RED {2}S3[^]*Check IDEM_S3_ENDPOINT/);
  expect(code).toBe(1);
});
