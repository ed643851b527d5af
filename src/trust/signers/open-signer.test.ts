import { createHash, sign as signWithNode } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { makeEgress } from "#machine/egress/make-egress";
import { pemOf } from "#support/asn1/certificates";
import { listenLocally } from "#support/egress/local-server";
import { makeTestAuthority } from "#support/revocation/authority";
import { hasOpenssl, openOpenssl } from "#support/signing/openssl";
import type { Issued, KeyForm } from "./issue-certificate.ts";
import { openSigner, type SignerConfig } from "./open-signer.ts";
import { SignerError } from "./signer-error.ts";

const openssl = openOpenssl();
const egress = makeEgress({ allow: ["127.0.0.1"] });
const servers: { close: () => void }[] = [];
afterAll(() => {
  openssl.close();
  for (const server of servers) server.close();
});

let authority: Awaited<ReturnType<typeof makeTestAuthority>>;
let issued: Issued;
beforeAll(async () => {
  authority = await makeTestAuthority();
  issued = await authority.issue();
  openssl.write("chain.pem", authority.chain.map((one) => pemOf(one)).join(""));
});

const open = (config: SignerConfig) => openSigner(config, { egress });
const faultOf = async (config: SignerConfig): Promise<string> =>
  open(config).then(
    () => "opened",
    (error: unknown) => (error instanceof SignerError ? error.message : String(error)),
  );

/** Writes a PKCS#12 file with openssl. */
const writeFile = (name: string, { certificate, key }: Issued, ...options: readonly string[]): string => {
  openssl.write("key.pem", key.export({ type: "pkcs8", format: "pem" }));
  openssl.write("own.pem", pemOf(certificate));
  const { code, output } = openssl.run(
    ..."pkcs12 -export -inkey key.pem -in own.pem -certfile chain.pem -passout pass:secret -out".split(" "),
    name,
    ...options,
  );
  if (code !== 0) throw new Error(output);
  return openssl.path(name);
};

describe.skipIf(!hasOpenssl)("a PKCS#12 signer", () => {
  it.each<[KeyForm, "rsa" | "ec", string]>([
    ["p256", "ec", "sha256"],
    ["p384", "ec", "sha384"],
    ["rsa2048", "rsa", "sha256"],
    ["rsa3072", "rsa", "sha256"],
  ])("signs with a key of %s from a file of openssl, with its chain", async (form, keyKind, hash) => {
    const one = await authority.issue({}, form);
    const signer = await open({ kind: "pkcs12", file: writeFile(`${form}.p12`, one), password: "secret" });
    expect(signer).toMatchObject({ keyKind, hash, name: "Test signer" });
    expect(signer.chain.map((bytes) => Buffer.from(bytes))).toEqual(
      authority.chain.map((bytes) => Buffer.from(bytes)),
    );
    expect((await signer.sign(Buffer.from("text"))).length).toBeGreaterThan(60);
    expect(signer.judge(Date.now())).toBeUndefined();
  });

  it.each([
    ["-macalg", "sha1", "-keypbe", "AES-128-CBC", "-certpbe", "AES-128-CBC"],
    ["-macalg", "sha384", "-keypbe", "AES-192-CBC", "-certpbe", "AES-192-CBC"],
    ["-macalg", "sha512", "-iter", "70000"],
    ["-certpbe", "NONE", "-maciter"],
    ["-nomaciter", "-noiter"],
  ])("opens a file that was made with %s %s %s %s", async (...options) => {
    const file = writeFile("other.p12", issued, ...options);
    const signer = await open({ kind: "pkcs12", file, password: "secret" });
    expect(signer.chain).toHaveLength(authority.chain.length);
    expect(await faultOf({ kind: "pkcs12", file, password: "Secret" })).toContain("the password is wrong");
  });

  it("says what is wrong with a file, and the next step", async () => {
    const file = writeFile("good.p12", issued);
    const kind = "pkcs12";
    expect(await faultOf({ kind, file, password: "wrong" })).toContain("the password is wrong");
    expect(await faultOf({ kind, file: "/none.p12", password: "" })).toContain("cannot be read");
    expect(await faultOf({ kind, file, password: "secret", key: "other" })).toContain(
      "no key of the name other",
    );
    const text = openssl.write("text.p12", "text");
    expect(await faultOf({ kind, file: text, password: "" })).toContain("no PKCS#12 file");
    const good = readFileSync(file);
    // BER: the length of the outer sequence is left open.
    const lengthless = Buffer.concat([Buffer.of(0x30, 0x80), good.subarray(4), Buffer.of(0, 0)]);
    expect(good.readUInt16BE(0)).toBe(0x3082);
    const fault = await faultOf({ kind, file: openssl.write("ber.p12", lengthless), password: "secret" });
    expect(fault).toContain("openssl pkcs12 -legacy");
    expect(fault).not.toContain("password is wrong");
    const keyless = writeFile("keyless.p12", issued, "-nokeys");
    expect(await faultOf({ kind, file: keyless, password: "secret" })).toContain("no private key");
    const old = writeFile("old.p12", issued, "-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES");
    expect(await faultOf({ kind, file: old, password: "secret" })).toContain("openssl pkcs12 -legacy");
  });

  it("refuses a certificate that a verification takes for unfit", async () => {
    const file = writeFile("stamper.p12", await authority.issue({ profile: "stamper" }));
    expect(await faultOf({ kind: "pkcs12", file, password: "secret" })).toContain(
      "extended key usage allows no signature of documents",
    );
  });

  it("refuses a weak key", async () => {
    openssl.run(
      ..."req -x509 -newkey rsa:1024 -nodes -keyout weak.key -out weak.pem -subj /CN=Weak -days 9".split(" "),
    );
    openssl.run(
      ..."pkcs12 -export -inkey weak.key -in weak.pem -passout pass:secret -out weak.p12".split(" "),
    );
    const fault = await faultOf({ kind: "pkcs12", file: openssl.path("weak.p12"), password: "secret" });
    expect(fault).toContain("its RSA key has 1024 bits");
  });
});

describe("a remote signer", () => {
  const serve = async (
    listener: RequestListener,
    certificate = issued.certificate,
  ): Promise<SignerConfig> => {
    const server = createServer(listener);
    servers.push(server);
    const certificatesFile = openssl.write(
      "remote.pem",
      [certificate, ...authority.chain].map((one) => pemOf(one)).join(""),
    );
    const url = `http://127.0.0.1:${await listenLocally(server)}/sign`;
    return { kind: "remote", url, authorization: "Bearer secret", key: "key-1", certificatesFile };
  };
  const reasonOf = async (config: SignerConfig): Promise<string> =>
    (await open(config)).sign(Buffer.from("text")).then(
      () => "signed",
      (error: unknown) =>
        error instanceof Failure ? `${error.code}: ${String(error.facts["reason"])}` : String(error),
    );

  it("gets the hash alone, and its signature fits the certificate", async () => {
    const seen: unknown[] = [];
    const config = await serve(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      seen.push(request.headers.authorization, JSON.parse(Buffer.concat(chunks).toString()));
      // The service of the test signs the message that it knows: a real one signs the digest.
      const signature = signWithNode("sha256", Buffer.from("text"), issued.key).toString("base64");
      response.end(JSON.stringify({ signature }));
    });
    expect(await reasonOf(config)).toBe("signed");
    const digest = createHash("sha256").update("text").digest("base64");
    expect(seen).toEqual(["Bearer secret", { hash: "sha256", digest, keyId: "key-1" }]);
  });

  it.each<[string, RequestListener, string]>([
    [
      "another key's signature",
      (_, response) => response.end('{"signature":"AAAA"}'),
      "does not fit its certificate",
    ],
    ["an error", (_, response) => void response.writeHead(500).end(), "answers HTTP 500"],
    ["another form", (_, response) => response.end("<html>"), "answers in another form"],
    ["too many bytes", (_, response) => response.end("x".repeat(20_000)), "cannot be reached"],
  ])("signs nothing with %s", async (_, listener, reason) => {
    expect(await reasonOf(await serve(listener))).toContain(`signer_unusable: `);
    expect(await reasonOf(await serve(listener))).toContain(reason);
  });
});
