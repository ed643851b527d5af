import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pemOf } from "#support/asn1/certificates";
import { hasOpenssl, openOpenssl } from "#support/signing/openssl";
import { readCertificate } from "#trust/asn1/certificate";
import { writeOcspRequest } from "#trust/revocation/ocsp-request";
import { type DevelopmentAuthority, openDevelopmentAuthority } from "./authority.ts";
import { type DevelopmentKeys, makeDevelopmentKeys } from "./make-keys.ts";
import { authorityUrls } from "./urls.ts";

const openssl = openOpenssl();
const withOpenssl = it.skipIf(!hasOpenssl);
let keys: DevelopmentKeys;
let authority: DevelopmentAuthority;
const now = new Date();
beforeAll(async () => {
  keys = await makeDevelopmentKeys(now);
  authority = openDevelopmentAuthority(keys, () => now);
  for (const [name, { certificate }] of Object.entries(keys))
    openssl.write(`${name}.pem`, pemOf(certificate));
});
afterAll(openssl.close);

const verify = (name: string, ...purpose: readonly string[]) =>
  openssl.run(
    "verify",
    ...purpose,
    "-x509_strict",
    "-CAfile",
    "root.pem",
    "-untrusted",
    "issuing.pem",
    `${name}.pem`,
  );

describe("the development authority", () => {
  it("says in every name what its signatures are worth", () => {
    for (const { certificate } of Object.values(keys)) {
      expect(Buffer.from(readCertificate(certificate).subject).toString("latin1")).toContain("DEVELOPMENT");
    }
  });

  withOpenssl.each([
    ["signer", "smimesign"],
    ["stamper", "timestampsign"],
    ["responder", "ocsphelper"],
  ])("has a chain for its %s that openssl accepts", (name, purpose) => {
    expect(verify(name, "-purpose", purpose)).toMatchObject({ code: 0 });
  });

  withOpenssl("answers OCSP requests of openssl, for both hash functions", () => {
    for (const hash of ["-sha1", "-sha256"]) {
      const asked = openssl.run(
        ..."ocsp -issuer issuing.pem".split(" "),
        hash,
        ..."-cert signer.pem -cert stamper.pem -reqout request.der".split(" "),
      );
      expect(asked.code).toBe(0);
      const request = openssl.read("request.der");
      openssl.write(
        "answer.der",
        authority.answer({ url: authorityUrls.ocsp, kind: "ocsp", body: request })!,
      );
      const { code, output } = openssl.run(
        ..."ocsp -no_nonce -respin answer.der -issuer issuing.pem -CAfile root.pem -verify_other issuing.pem".split(
          " ",
        ),
        hash,
        ..."-cert signer.pem -cert stamper.pem".split(" "),
      );
      expect(output).toContain("Response verify OK");
      expect(output).toContain("signer.pem: good");
      expect(output).toContain("stamper.pem: good");
      expect(code).toBe(0);
      const nonceOf = (text: string): string | undefined => /Nonce: \s*([0-9A-F]+)/.exec(text)?.[1];
      const repeated = nonceOf(
        openssl.run("ocsp", "-respin", "answer.der", "-noverify", "-resp_text").output,
      );
      expect(repeated).toBeDefined();
      expect(repeated).toBe(nonceOf(openssl.run("ocsp", "-reqin", "request.der", "-req_text").output));
    }
  });

  withOpenssl("states that it has no certificate of another authority, or with another number", () => {
    const issuer = readCertificate(keys.issuing.certificate);
    const other = { ...readCertificate(keys.signer.certificate), serial: Uint8Array.of(1, 2, 3) };
    openssl.write(
      "unknown.der",
      authority.answer({ url: authorityUrls.ocsp, kind: "ocsp", body: writeOcspRequest(other, issuer) })!,
    );
    expect(openssl.run("ocsp", "-respin", "unknown.der", "-noverify", "-resp_text").output).toContain(
      "Cert Status: unknown",
    );
  });

  withOpenssl("answers bytes that are no request as such", () => {
    const answer = authority.answer({ url: authorityUrls.ocsp, kind: "ocsp", body: Uint8Array.of(1, 2) })!;
    openssl.write("malformed.der", answer);
    expect(openssl.run("ocsp", "-respin", "malformed.der").output).toContain("malformedrequest");
  });

  withOpenssl("issues CRLs with which openssl accepts the chain", () => {
    for (const [name, url] of [
      ["root", authorityUrls.rootCrl],
      ["issuing", authorityUrls.issuingCrl],
    ] as const) {
      openssl.write(`${name}.crl`, pemOf(authority.answer({ url, kind: "crl" })!, "X509 CRL"));
    }
    const lists = ["root.crl", "issuing.crl"].flatMap((list) => ["-CRLfile", list]);
    expect(verify("signer", "-crl_check_all", ...lists)).toMatchObject({ code: 0 });
  });

  it("gives the certificates of its issuers, and nothing under other URLs", () => {
    expect(authority.answer({ url: authorityUrls.issuing, kind: "certificate" })).toBe(
      keys.issuing.certificate,
    );
    expect(authority.answer({ url: "http://ca.example/ocsp", kind: "ocsp" })).toBeUndefined();
  });

  withOpenssl("signs, and judges itself usable until its certificate ends", async () => {
    const { signer } = authority;
    openssl.write("message", "text");
    openssl.write("signature", await signer.sign(Buffer.from("text")));
    openssl.write("key.pem", openssl.run("x509", "-in", "signer.pem", "-noout", "-pubkey").output);
    const verified = openssl.run(..."dgst -sha256 -verify key.pem -signature signature message".split(" "));
    expect(verified.output).toContain("Verified OK");
    expect(signer.judge(now.getTime())).toBeUndefined();
    expect(signer.judge(signer.validTo)).toBeUndefined();
    expect(signer.judge(signer.validTo + 1)).toMatchObject({ reason: "expired" });
  });
});
