import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

const key = createHash("sha256").update("a master key of tests").digest("base64");
const production = { IDEM_MODE: "production", IDEM_MASTER_KEY: key };
const stamped = { IDEM_TIMESTAMP_URL: "https://tsa.example/tsr", IDEM_TIMESTAMP_CA: "/etc/tsa.pem" };

const problemsOf = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(environment);
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
  return [];
};

describe("the signer", () => {
  it("is the development authority in development, and none in production", () => {
    expect(readConfig({}).signing.signer).toEqual({ kind: "development" });
    expect(readConfig(production).signing.signer).toEqual({ kind: "none" });
  });

  it.each([
    ["pkcs12", { IDEM_SIGNER_FILE: "/etc/signer.p12" }],
    [
      "pkcs11",
      {
        IDEM_SIGNER_PKCS11_MODULE: "/usr/lib/hsm.so",
        IDEM_SIGNER_PKCS11_PIN: "1234",
        IDEM_SIGNER_KEY: "signer",
      },
    ],
    [
      "remote",
      { IDEM_SIGNER_URL: "https://signer.example/sign", IDEM_SIGNER_CERTIFICATES: "/etc/signer.pem" },
    ],
  ])("of kind %s needs each of its settings", (kind, settings) => {
    expect(readConfig({ IDEM_SIGNER: kind, ...settings }).signing.signer).toMatchObject({ kind });
    for (const name of Object.keys(settings)) {
      expect(problemsOf({ IDEM_SIGNER: kind, ...settings, [name]: "" })).toEqual([
        `${name} is not set. A signer of kind ${kind} needs it.`,
      ]);
    }
  });

  it("refuses a setting that its kind does not use", () => {
    expect(problemsOf({ IDEM_SIGNER_FILE: "/etc/signer.p12" })).toEqual([
      "IDEM_SIGNER_FILE is set, but a signer of kind development has no use for it. Change IDEM_SIGNER, or leave it out.",
    ]);
  });

  it("never repeats a password, a PIN or credentials", () => {
    const secrets = {
      IDEM_SIGNER_PASSWORD: "hunter2",
      IDEM_SIGNER_PKCS11_PIN: "hunter2",
      IDEM_SIGNER_AUTHORIZATION: "hunter2\r\nx-other: 1",
    };
    const problems = problemsOf(secrets);
    expect(problems.join()).not.toContain("hunter2");
    expect(problems.join()).toContain("IDEM_SIGNER_AUTHORIZATION is a text of");
  });
});

describe("signatures in production", () => {
  const own = { ...production, IDEM_SIGNER: "pkcs12", IDEM_SIGNER_FILE: "/etc/signer.p12" };

  it("are refused with the development authority", () => {
    const problems = problemsOf({ ...production, ...stamped, IDEM_SIGNER: "development" });
    expect(problems).toEqual([expect.stringContaining("IDEM_SIGNER is development")]);
  });

  it("need a time-stamping authority from level B-T on", () => {
    expect(problemsOf({ ...own, ...stamped })).toEqual([]);
    expect(problemsOf({ ...own, IDEM_SIGNING_LEVEL: "B-B" })).toEqual([]);
    for (const level of ["B-T", "B-LT", "B-LTA"]) {
      expect(problemsOf({ ...own, IDEM_SIGNING_LEVEL: level })).toEqual([
        expect.stringContaining("IDEM_TIMESTAMP_URL is not set"),
      ]);
    }
  });
});

describe("the time-stamping authorities", () => {
  const urls = "https://a.example/tsr, http://b.example";

  it("stand in the order in which they are asked, each with its credentials", () => {
    const { timestamps, evidence } = readConfig({
      IDEM_TIMESTAMP_URL: urls,
      IDEM_TIMESTAMP_CA: "/etc/tsa.pem",
      IDEM_TIMESTAMP_AUTHORIZATION: "-,Basic dXNlcjpwYXNz",
    });
    expect(timestamps).toEqual({
      caFile: "/etc/tsa.pem",
      authorities: [
        { url: "https://a.example/tsr", authorization: undefined },
        { url: "http://b.example", authorization: "Basic dXNlcjpwYXNz" },
      ],
    });
    expect(evidence.authority).toMatchObject({ url: "https://a.example/tsr", authorization: undefined });
  });

  it("are refused with credentials for fewer or more authorities", () => {
    const settings = { ...stamped, IDEM_TIMESTAMP_URL: urls };
    expect(problemsOf({ ...settings, IDEM_TIMESTAMP_AUTHORIZATION: "Basic x" })).toEqual([
      "IDEM_TIMESTAMP_AUTHORIZATION has 1 value for 2 authorities. Give one for each, and - for none.",
    ]);
    expect(problemsOf({ ...settings, IDEM_TIMESTAMP_AUTHORIZATION: "a,b,c" })).toHaveLength(1);
    expect(problemsOf({ ...settings, IDEM_TIMESTAMP_AUTHORIZATION: "a," })[0]).toContain("has 1 value for 2");
    expect(problemsOf({ ...settings, IDEM_TIMESTAMP_AUTHORIZATION: "a,b" })).toEqual([]);
  });

  it("may be one, with credentials that hold a comma", () => {
    const { timestamps } = readConfig({ ...stamped, IDEM_TIMESTAMP_AUTHORIZATION: 'Digest a="b",c="d"' });
    expect(timestamps?.authorities).toEqual([
      { url: stamped.IDEM_TIMESTAMP_URL, authorization: 'Digest a="b",c="d"' },
    ]);
  });
});
