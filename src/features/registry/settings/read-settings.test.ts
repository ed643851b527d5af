import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registryFields } from "#contract/civil-code";
import { makeJudgeUrl } from "#machine/egress/make-egress";
import { makeCertificate } from "#support/egress/certificate";
import { readRegistrySettings } from "./read-settings.ts";
import { dateFormats } from "./settings.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "idem-registries-"));
  write("secret", "s3cret-value\n");
  write("open", "s3cret-value");
  chmodSync(join(folder, "open"), 0o604);
  write("group", "of a group");
  chmodSync(join(folder, "group"), 0o640);
  write("lines", "one\ntwo");
  write("blank", "\n");
  const [one, other] = [makeCertificate("registry.example"), makeCertificate("other.example")];
  write("own.pem", one.cert);
  write("own.key", one.key);
  write("other.key", other.key);
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
};

const judgeUrl = makeJudgeUrl({ allow: [] });
const read = (yaml: string) => readRegistrySettings(write("registries.yaml", yaml), judgeUrl);

const problemsOf = (yaml: string): readonly string[] => {
  try {
    read(yaml);
    return [];
  } catch (error) {
    return error instanceof Error
      ? error.message.split("\n").flatMap((line) => (line.startsWith("  ") ? [line.trim()] : []))
      : [String(error)];
  }
};

const errorOf = (yaml: string): Error => {
  try {
    read(yaml);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("The file was read");
};

/** A gateway of Ecuador for test keys, with lines replaced or added. */
const gateway = (change: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    test: {
      ECU: {
        connector: "gateway",
        legalBasis: "Contract 12/2026, art. 6",
        request: { method: "GET", url: "https://registry.example/personas/{documentNumber}" },
        answer: { fields: { firstName: "/persona/nombres" } },
        ...change,
      },
    },
  });

describe("the settings of civil registries", () => {
  it("are read whole, with their secrets and defaults", () => {
    const { live, test } = read(`
live:
  PAN: { connector: local, legalBasis: "Law 81" }
test:
  ECU:
    connector: gateway
    legalBasis: "Contract 12/2026, art. 6"
    timeoutMs: 500
    request:
      method: POST
      url: https://registry.example/personas/{documentNumber}
      headers: { x-client: idem }
      body: { cedula: "{documentNumber}", dactilar: "{documentCode}", list: [1, null, true] }
      isIdempotent: true
    auth: { kind: key, header: X-Api-Key, secretFile: secret }
    tls: { certificateFile: own.pem, keyFile: own.key, caFile: own.pem }
    answer:
      unknown: { status: [404], where: { /codigo: ["001"] } }
      fields:
        firstName: /persona/nombres
        lastName: [/persona/apellido1, /persona/apellido2]
        dateOfBirth: { from: /persona/fechaNacimiento, format: DD/MM/YYYY }
        gender: { from: /persona/sexo, values: { HOMBRE: M, MUJER: F } }
        photo: { from: /persona/foto }
`);
    expect(live).toEqual({ PAN: { connector: "local", legalBasis: "Law 81" } });
    expect(test.ECU).toMatchObject({
      timeoutMs: 500,
      bytesMax: 2_000_000,
      request: { method: "POST", isIdempotent: true, body: { list: [1, null, true] } },
      auth: { kind: "key", header: "x-api-key", secret: "s3cret-value" },
      tls: { certificate: expect.stringContaining("BEGIN CERTIFICATE") },
      answer: {
        unknown: { status: [404], where: { "/codigo": ["001"] } },
        fields: {
          firstName: { from: ["/persona/nombres"] },
          lastName: { from: ["/persona/apellido1", "/persona/apellido2"] },
          dateOfBirth: { format: "DD/MM/YYYY" },
        },
      },
    });
  });

  it("are read from the example of the guide", () => {
    const guide = readFileSync(
      new URL("../../../../docs/guides/integrate/civil-registries.md", import.meta.url),
      "utf8",
    );
    const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? [];
    mkdirSync(join(folder, "secrets"));
    for (const [name, from] of Object.entries({
      ecuador: "secret",
      "client.pem": "own.pem",
      "client.key": "own.key",
    })) {
      copyFileSync(join(folder, from), join(folder, "secrets", name));
    }
    const { live } = read(yaml);
    expect(live.PAN?.connector).toBe("local");
    expect(live.ECU).toMatchObject({ connector: "gateway", auth: { kind: "oauth2", scope: "personas" } });
    for (const field of registryFields) expect(guide).toContain(`\`${field}\``);
    for (const format of dateFormats) expect(guide).toContain(`\`${format}\``);
  });

  it("send a GET again and a POST never, unless the file says so", () => {
    const idempotent = (request: object): unknown => {
      const settings = read(gateway({ request: { url: "https://registry.example/", ...request } })).test.ECU;
      return settings?.connector === "gateway" && settings.request.isIdempotent;
    };
    expect(idempotent({ method: "GET" })).toBe(true);
    expect(idempotent({ method: "POST" })).toBe(false);
    expect(idempotent({ method: "GET", isIdempotent: false })).toBe(false);
  });

  it("may be an empty file, and lack an environment", () => {
    expect(read("")).toEqual({ live: {}, test: {} });
    expect(read("live: {}")).toEqual({ live: {}, test: {} });
  });

  it.each([
    [
      "a bound on the time below",
      gateway({ timeoutMs: 499 }),
      "/test/ECU/timeoutMs: must be >= 500 (it is 499)",
    ],
    [
      "a bound on the time above",
      gateway({ timeoutMs: 30_001 }),
      "/test/ECU/timeoutMs: must be <= 30000 (it is 30001)",
    ],
    ["no legal basis", gateway({ legalBasis: "" }), "/test/ECU/legalBasis"],
    [
      "an unknown connector",
      gateway({ connector: "soap" }),
      "/test/ECU/connector: must be one of gateway, local",
    ],
    ["an unknown entry", gateway({ timeout: 1 }), "/test/ECU/timeout: there is no such entry"],
    ["a country without a registry", "live: { CHL: {} }", "/live/CHL: must be one of ECU"],
    ["an unknown environment", "prod: {}", "/prod: there is no such entry"],
    [
      "a variable that does not exist",
      gateway({ request: { method: "GET", url: "https://a.example/{firstName}" } }),
      "/request/url: there is no variable {firstName}",
    ],
    [
      "a variable in the host",
      gateway({ request: { method: "GET", url: "https://{documentNumber}.example/" } }),
      "never in the host",
    ],
    [
      "an image in a URL",
      gateway({ request: { method: "GET", url: "https://a.example/?i={bestImage}" } }),
      "never in a URL",
    ],
    [
      "an optional variable in the path",
      gateway({ request: { method: "GET", url: "https://a.example/{gender}" } }),
      "may stand in the query alone",
    ],
    [
      "plain http",
      gateway({ request: { method: "GET", url: "http://a.example/" } }),
      "/test/ECU/request/url",
    ],
    [
      "a private address",
      gateway({ request: { method: "GET", url: "https://10.0.0.1/" } }),
      "/test/ECU/request/url",
    ],
    [
      "a body of a GET",
      gateway({ request: { method: "GET", url: "https://a.example/", body: {} } }),
      "GET has no body",
    ],
    [
      "a variable of a body",
      gateway({ request: { method: "POST", url: "https://a.example/", body: { a: ["{name}"] } } }),
      "/body/a/0: there is no variable {name}",
    ],
    [
      "credentials in a header",
      gateway({ request: { method: "GET", url: "https://a.example/", headers: { Authorization: "x" } } }),
      "credentials stand in auth",
    ],
    [
      "a variable in a header",
      gateway({ request: { method: "GET", url: "https://a.example/", headers: { x: "{gender}" } } }),
      "a header has no variables",
    ],
    [
      "a line end in a header",
      gateway({ request: { method: "GET", url: "https://a.example/", headers: { x: "a\r\nb" } } }),
      "/headers/x",
    ],
    [
      "a field that does not exist",
      gateway({ answer: { fields: { name: "/n" } } }),
      "/fields/name: there is no such field",
    ],
    ["a wrong pointer", gateway({ answer: { fields: { city: "n" } } }), "/fields/city/0: must match pattern"],
    [
      "a format of no date",
      gateway({ answer: { fields: { city: { from: "/c", format: "ISO" } } } }),
      "city is no date",
    ],
    [
      "an unknown format",
      gateway({ answer: { fields: { issueDate: { from: "/c", format: "MM/DD/YYYY" } } } }),
      "/issueDate/format: must be one of",
    ],
    [
      "a date in two places",
      gateway({ answer: { fields: { issueDate: ["/a", "/b"] } } }),
      "stands in one place",
    ],
    [
      "an unknown kind of auth",
      gateway({ auth: { kind: "digest" } }),
      "/test/ECU/auth/kind: must be one of none, key, basic, oauth2",
    ],
    [
      "a missing secret",
      gateway({ auth: { kind: "key", header: "x-key", secretFile: "none" } }),
      "cannot be read",
    ],
    ["an empty secret", gateway({ auth: { kind: "key", header: "x-key", secretFile: "blank" } }), "is empty"],
    [
      "a secret of two lines",
      gateway({ auth: { kind: "key", header: "x-key", secretFile: "lines" } }),
      "no single line",
    ],
    [
      "a secret that others may read",
      gateway({ auth: { kind: "key", header: "x-key", secretFile: "open" } }),
      "other users have rights on",
    ],
    [
      "a header of HTTP for the key",
      gateway({ auth: { kind: "key", header: "Host", secretFile: "secret" } }),
      "host is a header of HTTP itself",
    ],
    [
      "a colon in a user's name",
      gateway({ auth: { kind: "basic", user: "a:b", passwordFile: "secret" } }),
      "no colon",
    ],
    [
      "a token server in a private network",
      gateway({
        auth: { kind: "oauth2", tokenUrl: "https://10.0.0.1/t", clientId: "a", clientSecretFile: "secret" },
      }),
      "/auth/tokenUrl",
    ],
    [
      "a key of another certificate",
      gateway({ tls: { certificateFile: "own.pem", keyFile: "other.key" } }),
      "does not belong to the certificate",
    ],
    [
      "a certificate that is none",
      gateway({ tls: { certificateFile: "secret", keyFile: "own.key" } }),
      "no certificate in PEM",
    ],
    [
      "a key that is none",
      gateway({ tls: { certificateFile: "own.pem", keyFile: "secret" } }),
      "no private key in PEM",
    ],
  ])("refuse %s, with its place", (_, yaml, expected) => {
    expect(problemsOf(yaml)).toContainEqual(expect.stringContaining(expected));
  });

  it("name every problem at once, and no secret", () => {
    const problems = problemsOf(
      gateway({
        timeoutMs: 1,
        auth: { kind: "key", header: "x-key", secretFile: "open", secret: "my-secret" },
      }),
    );
    expect(problems.join()).not.toContain("my-secret");
    expect(
      problemsOf(gateway({ request: { method: "PUT", url: "ftp://a" }, answer: { fields: {} } })),
    ).toHaveLength(3);
  });

  it("take a secret that the group of the process may read", () => {
    const settings = read(gateway({ auth: { kind: "basic", user: "idem", passwordFile: "group" } })).test.ECU;
    expect(settings).toMatchObject({ auth: { kind: "basic", user: "idem", password: "of a group" } });
  });

  it.each([
    ["request/url", gateway({ request: { method: "GET", url: "https:/a.example/?key=s3cret" } })],
    ["request", gateway({ request: "https://a.example/?key=s3cret" })],
    ["auth", gateway({ auth: "s3cret" })],
  ])("show no value of %s, where a secret may stand", (place, yaml) => {
    const [problem = "", ...others] = problemsOf(yaml);
    expect([others, problem]).toEqual([[], expect.stringContaining(`/test/ECU/${place}: `)]);
    expect(problem).not.toContain("s3cret");
  });

  it("show the wrong value of other places up to 60 characters", () => {
    const problemOf = (length: number) => problemsOf(gateway({ timeoutMs: "x".repeat(length - 2) })).join();
    expect(problemOf(60)).toContain("(it is ");
    expect(problemOf(61)).not.toContain("(it is ");
  });

  it.each([
    ["a: [", "BAD_INDENT in line 1"],
    ["a: 1\nkey: s3cret: s3cret", "BLOCK_AS_IMPLICIT_KEY in line 2"],
    ["&a [*a]", "Alias resolution is disabled"],
    ["test: &a {}\nlive: *a", "Alias resolution is disabled"],
    ["key: *s3cret", "Alias resolution is disabled"],
  ])("refuse the YAML %j without a quotation", (yaml, reason) => {
    const error = errorOf(yaml);
    expect(error.message).toBe(`${join(folder, "registries.yaml")} cannot be read as YAML: ${reason}`);
    expect(inspect(error)).not.toContain("s3cret");
  });
});
