import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeConfiguration } from "../../../scripts/configuration-table.ts";
import { ConfigError, readConfig, summariseConfig } from "./config.ts";
import { developmentKeyPrefix } from "./master-key.ts";
import { variables } from "./variables.ts";

const keyBytes = createHash("sha256").update("a master key of tests").digest();
const key = keyBytes.toString("base64");
const production = { IDEM_MODE: "production", IDEM_MASTER_KEY: key };

const problemsOf = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(environment);
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
  return [];
};

describe("the configuration", () => {
  it("has a default for everything that development needs", () => {
    const config = readConfig({});
    expect(config.mode).toBe("development");
    expect(config.http).toMatchObject({ host: "127.0.0.1", port: 8080 });
    expect(config.inference.workers).toBeGreaterThan(0);
    expect(config.tokens.ageMsMax).toMatchObject({ "best-image": 600_000, template: null });
  });

  it("names every wrong variable at once, with its value and the next step", () => {
    expect(problemsOf({ IDEM_PORT: "eighty", IDEM_MODE: "prod", IDEM_BEHIND_TLS: "1" })).toEqual([
      'IDEM_MODE is "prod". Set it to one of development, production.',
      'IDEM_PORT is "eighty". Set it to a whole number from 0 to 65535.',
      'IDEM_BEHIND_TLS is "1". Set it to true or false.',
    ]);
  });

  it.each(["-1", "65536", "80.5", "1e3", "0x50"])("refuses %s as a port", (port) => {
    expect(problemsOf({ IDEM_PORT: port })).toHaveLength(1);
  });

  it("refuses an unknown variable", () => {
    expect(problemsOf({ IDEM_PROT: "80" })[0]).toContain("IDEM_PROT is not a variable of this service");
    expect(problemsOf({ IDEM_TEST_ANYTHING: "x", OTHER: "x", IDEM_PORT: "" })).toEqual([]);
  });

  it.each([
    ["IDEM_PROT", "IDEM_PORT"],
    ["IDEM_MASTERKEY", "IDEM_MASTER_KEY"],
    ["IDEM_DATABASE_URL_FIEL", "IDEM_DATABASE_URL_FILE"],
  ])("recognises %s as a misspelt %s", (wrong, right) => {
    expect(problemsOf({ [wrong]: "x" }).join()).toContain(`Did you mean ${right}`);
  });

  it("does not guess a name that is far from all variables", () => {
    expect(problemsOf({ IDEM_COLOUR_OF_THE_SKY: "x" }).join()).toContain("configuration.md");
  });

  it.each([
    [
      "IDEM_HOST",
      ["256.1.1.1", "1.2.3", "a b", "-a", "http://x", "::g"],
      ["::1", "localhost", "a-b.example", "db_1"],
    ],
    [
      "IDEM_PUBLIC_URL",
      [
        "foo bar/",
        "https://a/",
        "https://a/b/",
        "ftp://a",
        "https://",
        "a.example",
        "https://a?b",
        "https://a b",
      ],
      ["https://a.example", "http://127.0.0.1:8080", "https://a.example/idem"],
    ],
    [
      "IDEM_DATABASE_URL",
      ["mysql://a/b", "localhost:5432", "postgres://"],
      ["postgres://u:p@h/d", "postgresql://h"],
    ],
    ["IDEM_DEFAULT_COUNTRY", ["XYZ", "chl", "CH"], ["CHL", "UTO"]],
  ] as const)("checks the shape of %s", (name, wrong, right) => {
    for (const value of wrong) {
      expect(problemsOf({ [name]: value }), value).toEqual([expect.stringMatching(`^${name} is `)]);
    }
    for (const value of right) {
      expect(problemsOf({ [name]: value }), value).toEqual([]);
    }
  });

  it.each([
    ["IDEM_TRUSTED_PROXIES", "10.0.0.0/8 , ::1,loopback", ["abc", "10.0.0.0/33", "::1/129", "1.1.1.1/8/8"]],
    ["IDEM_EGRESS_ALLOW", "10.0.0.0/8, ::1", ["loopback", "10.0.0.0/33"]],
    ["IDEM_TEST_RECEIVERS", "a.example ,127.0.0.1", ["a b", "http://x"]],
    ["IDEM_TIMESTAMP_URL", "https://a.example, http://b.example", ["ftp://a", "https://u:p@a"]],
  ] as const)("names the wrong item of the list %s", (name, right, wrong) => {
    const needed = name === "IDEM_TIMESTAMP_URL" ? { IDEM_TIMESTAMP_CA: "/etc/roots.pem" } : {};
    expect(problemsOf({ ...needed, [name]: right })).toEqual([]);
    for (const item of wrong) {
      expect(problemsOf({ ...needed, [name]: `${right}, ${item}` })).toEqual([
        expect.stringMatching(
          `^${name} has the item ${JSON.stringify(item).replaceAll("/", "\\/")}\\. Set it to `,
        ),
      ]);
    }
    for (const value of [`${right},`, ",", `${right.split(",")[0]},,${right}`]) {
      expect(problemsOf({ ...needed, [name]: value }), value).toEqual([
        expect.stringMatching(`^${name} has an empty item: a comma too many\\. Set it to `),
      ]);
    }
  });

  it.each(["IDEM_S3_ENDPOINT", "IDEM_S3_PREFIX"])("refuses %s without a bucket", (name) => {
    const value = name === "IDEM_S3_PREFIX" ? "idem" : "http://s3.example";
    expect(problemsOf({ [name]: value })).toEqual([
      `${name} is set, but IDEM_S3_BUCKET is not. Name the bucket, or leave it out.`,
    ]);
    expect(problemsOf({ [name]: value, IDEM_S3_BUCKET: "b" })).toEqual([]);
  });

  it("accepts a document provider with all its settings, or none of them", () => {
    const access = {
      IDEM_MORPHOLOGY_URL: "https://provider.example",
      IDEM_MORPHOLOGY_KEY: "k",
      IDEM_MORPHOLOGY_SECRET: "s",
    };
    expect(problemsOf({ IDEM_MORPHOLOGY: "veriff", ...access })).toEqual([]);
    const wanted = problemsOf({ IDEM_MORPHOLOGY: "veriff" });
    expect(wanted).toEqual(Object.keys(access).map((name) => expect.stringMatching(`^${name} is not set`)));
    const idle = problemsOf(access);
    expect(idle).toEqual(Object.keys(access).map((name) => expect.stringMatching(`^${name} is set, but`)));
  });

  it("shows the value, except a text as long as a secret", () => {
    expect(problemsOf({ IDEM_PORT: key })[0]).toContain("is a text of 44 characters.");
    expect(problemsOf({ IDEM_MASTER_KEY: "x" })[0]).toContain("is a text of 1 character.");
  });

  it("never repeats a secret", () => {
    const environment = { IDEM_MASTER_KEY: "hunter2", IDEM_DATABASE_URL: "postgres://u:hunter2@db/idem" };
    expect(problemsOf(environment).join()).not.toContain("hunter2");
    const summary = summariseConfig({ ...environment, IDEM_MASTER_KEY: key });
    expect(JSON.stringify(summary)).not.toMatch(/hunter2|BwgJ/);
    expect(summary).toContainEqual(["IDEM_DATABASE_URL", "set"]);
    expect(summary).toContainEqual(["IDEM_S3_ACCESS_KEY_ID", "not set"]);
  });

  it("reads a secret from the file of NAME_FILE", () => {
    const directory = mkdtempSync(join(tmpdir(), "idem-config-"));
    const file = join(directory, "key");
    writeFileSync(file, `${key}\n`);
    expect(readConfig({ IDEM_MASTER_KEY_FILE: file }).masterKey).toEqual(keyBytes);
    rmSync(directory, { recursive: true });
    expect(problemsOf({ IDEM_MASTER_KEY_FILE: file })[0]).toContain(
      `IDEM_MASTER_KEY_FILE names a file that cannot be read: ${file} (ENOENT).`,
    );
  });

  it("refuses a secret beside the file that holds it", () => {
    expect(problemsOf({ IDEM_MASTER_KEY: key, IDEM_MASTER_KEY_FILE: "/etc/idem/key" })).toContain(
      "IDEM_MASTER_KEY and IDEM_MASTER_KEY_FILE are both set. Leave one of them out.",
    );
    expect(problemsOf({ IDEM_MASTER_KEY: key, IDEM_MASTER_KEY_FILE: "" })).toEqual([]);
  });
});

describe("production", () => {
  it("starts with its own master key on loopback, or on other addresses behind TLS", () => {
    expect(problemsOf(production)).toEqual([]);
    expect(problemsOf({ ...production, IDEM_HOST: "0.0.0.0", IDEM_BEHIND_TLS: "true" })).toEqual([]);
  });

  it.each([
    ["no master key", { IDEM_MASTER_KEY: undefined }, "IDEM_MASTER_KEY is not set"],
    ["a development master key", { IDEM_MASTER_KEY: developmentKeyPrefix + key }, "is a development key"],
    [
      "a former development master key",
      { IDEM_MASTER_KEY_PREVIOUS: developmentKeyPrefix + key },
      "is a development key",
    ],
    ["plain HTTP for all", { IDEM_HOST: "0.0.0.0" }, "set IDEM_BEHIND_TLS=true"],
    ["a name that only begins like loopback", { IDEM_HOST: "127.evil.example" }, "set IDEM_BEHIND_TLS=true"],
  ])("refuses %s", (_, change, words) => {
    expect(problemsOf({ ...production, ...change }).join()).toContain(words);
  });
});

describe("the guide", () => {
  it("agrees with the schema", () => {
    const file = join(import.meta.dirname, "../../../docs/guides/operate/configuration.md");
    expect(readFileSync(file, "utf8")).toBe(describeConfiguration());
  });

  it("has a description for every variable", () => {
    for (const [name, schema] of Object.entries(variables.properties)) {
      expect("description" in schema ? schema.description : "", name).toMatch(/\w+.*[.\d)]/);
    }
  });

  it("refuses a master key that is not exactly the Base64 of 32 bytes", () => {
    expect(readConfig({ IDEM_MASTER_KEY: key }).masterKey).toEqual(keyBytes);
    for (const damaged of ["a".repeat(43), `${key.slice(0, 20)} ${key.slice(20)}`, `!${key}`]) {
      expect(() => readConfig({ IDEM_MASTER_KEY: damaged })).toThrow(/IDEM_MASTER_KEY/);
    }
  });

  it.each(["", "/", "/a", "a/", "a//b", "..", "a.b", "ü", "a".repeat(201)])(
    "refuses %j as the prefix of a bucket",
    (prefix) => {
      const problems = problemsOf({ IDEM_S3_BUCKET: "b", IDEM_S3_PREFIX: prefix });
      // An empty variable counts as not set.
      expect(problems.join()).toMatch(prefix === "" ? /^$/ : /^IDEM_S3_PREFIX is .*without a slash/);
    },
  );

  it("accepts a path as the prefix of a bucket", () => {
    const { s3 } = readConfig({ IDEM_S3_BUCKET: "b", IDEM_S3_PREFIX: "idem/prod-1" });
    expect(s3?.prefix).toBe("idem/prod-1");
  });

  it("refuses half a pair of S3 keys, and a body too small for two images", () => {
    expect(() => readConfig({ IDEM_S3_ACCESS_KEY_ID: "id" })).toThrow(/belong together/);
    expect(() => readConfig({ IDEM_BODY_BYTES_MAX: "12582912" })).toThrow(/IDEM_BODY_BYTES_MAX is too small/);
  });

  it("limits the rate of keys only with a setting", () => {
    expect(readConfig({}).http.rate).toBeUndefined();
    expect(readConfig({ IDEM_RATE_PER_SECOND: "10" }).http.rate).toEqual({ perSecond: 10, burst: 200 });
  });
});

describe("the retention and the anchors", () => {
  it("have their defaults in milliseconds", () => {
    const { evidence, validation } = readConfig({});
    const dayMs = 86_400_000;
    expect(evidence).toStrictEqual({
      transactionsKeptMs: 400 * dayMs,
      bodiesKeptMs: 1_825 * dayMs,
      anchorEveryMs: dayMs,
      authority: undefined,
    });
    expect(validation.keptMs).toBe(1_825 * dayMs);
  });

  it("of an operation is at least six days, longer than the attempts of a delivery", () => {
    const problems = (days: string) => problemsOf({ IDEM_OPERATION_DAYS: days }).length;
    expect(["5", "6", "3650", "3651"].map(problems)).toEqual([1, 0, 0, 1]);
  });

  it.each(["IDEM_TRANSACTION_DAYS", "IDEM_VALIDATION_DAYS", "IDEM_EVIDENCE_DAYS"])(
    "%s is between a day and a hundred years",
    (name) => {
      const problems = (days: string) => problemsOf({ [name]: days, IDEM_IDEMPOTENCY_HOURS: "23" });
      expect(["0", "1", "36500", "36501"].map((days) => problems(days).length)).toEqual([1, 0, 0, 1]);
    },
  );

  it.each([
    ["IDEM_IDEMPOTENCY_HOURS", "47", "48"],
    ["IDEM_MERCHANT_REFERENCE_MINUTES", "1439", "1440"],
  ])("keep the record of a call longer than its retries are known: %s", (name, below, beyond) => {
    const days = name === "IDEM_IDEMPOTENCY_HOURS" ? "2" : "1";
    const settings = { IDEM_IDEMPOTENCY_HOURS: "1", IDEM_TRANSACTION_DAYS: days };
    expect(problemsOf({ ...settings, [name]: below })).toEqual([]);
    expect(problemsOf({ ...settings, [name]: beyond })).toEqual([
      `IDEM_TRANSACTION_DAYS is not longer than ${name}. Raise it, or lower the other.`,
    ]);
  });

  it("refuse an authority without its roots, and what belongs to an authority without one", () => {
    const [url, ca] = ["https://tsa.example/tsr", "/etc/roots.pem"];
    expect(readConfig({ IDEM_TIMESTAMP_URL: url, IDEM_TIMESTAMP_CA: ca }).evidence.authority).toEqual({
      url,
      caFile: ca,
      authorization: undefined,
    });
    expect(problemsOf({ IDEM_TIMESTAMP_URL: url })[0]).toContain("but IDEM_TIMESTAMP_CA is not");
    expect(problemsOf({ IDEM_TIMESTAMP_CA: ca })[0]).toContain("but IDEM_TIMESTAMP_URL is not");
    expect(problemsOf({ IDEM_TIMESTAMP_AUTHORIZATION: "Basic x" })[0]).toContain("IDEM_TIMESTAMP_URL is not");
    expect(problemsOf({ IDEM_TIMESTAMP_URL: "ftp://tsa.example", IDEM_TIMESTAMP_CA: ca })).toHaveLength(1);
  });

  it("refuse credentials that would end the header, and never print them", () => {
    const authority = { IDEM_TIMESTAMP_URL: "https://tsa.example/tsr", IDEM_TIMESTAMP_CA: "/etc/roots.pem" };
    const problems = problemsOf({ ...authority, IDEM_TIMESTAMP_AUTHORIZATION: "Basic secret\r\nx-other: 1" });
    expect(problems).toHaveLength(1);
    expect(problems[0]).not.toContain("secret");
    expect(problemsOf({ ...authority, IDEM_TIMESTAMP_AUTHORIZATION: "Basic c2VjcmV0" })).toEqual([]);
  });
});
