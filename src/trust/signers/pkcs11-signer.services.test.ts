import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeEgress } from "#machine/egress/make-egress";
import { pemOf } from "#support/asn1/certificates";
import { makeTestAuthority } from "#support/revocation/authority";
import { openOpenssl } from "#support/signing/openssl";
import type { KeyForm } from "./issue-certificate.ts";
import { openSigner, type SignerConfig } from "./open-signer.ts";

/** Debian's softhsm2, and `npm ci --prefix ops/pkcs11 --ignore-scripts=false`. */
const module = "/usr/lib/softhsm/libsofthsm2.so";
const hasPackage = (): boolean => {
  try {
    return (
      createRequire(new URL("../../../ops/pkcs11/package.json", import.meta.url)).resolve("pkcs11js") !== ""
    );
  } catch {
    // Not installed: the tests are skipped.
    return false;
  }
};

const openssl = openOpenssl();
afterAll(openssl.close);

const run = (program: string, ...args: readonly string[]): void => {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
};

const open = (change: Partial<Extract<SignerConfig, { kind: "pkcs11" }>> = {}) =>
  openSigner(
    { kind: "pkcs11", module, token: "idem", pin: "1234", key: "p256", ...change },
    { egress: makeEgress({ allow: [] }) },
  );

describe.skipIf(!existsSync(module) || !hasPackage())("a signer of PKCS#11", () => {
  const forms: readonly KeyForm[] = ["p256", "p384", "rsa3072"];
  beforeAll(async () => {
    mkdirSync(openssl.path("tokens"));
    process.env["SOFTHSM2_CONF"] = openssl.write(
      "softhsm.conf",
      `directories.tokendir = ${openssl.path("tokens")}\n`,
    );
    run("softhsm2-util", ..."--init-token --free --label idem --pin 1234 --so-pin 5678".split(" "));
    const authority = await makeTestAuthority();
    for (const [at, form] of forms.entries()) {
      const { certificate, key } = await authority.issue({}, form);
      const id = `0${at + 1}`;
      const keyFile = openssl.write(`${form}.key`, key.export({ type: "pkcs8", format: "pem" }));
      const place = ["--token", "idem", "--label", form, "--id", id, "--pin", "1234"];
      run("softhsm2-util", "--import", keyFile, ...place);
      const file = openssl.write(`${form}.der`, certificate);
      const object = ["--write-object", file, "--type", "cert", "--label", form, "--id", id];
      run("pkcs11-tool", "--module", module, "--token-label", "idem", "--login", "--pin", "1234", ...object);
    }
    openssl.write("chain.pem", authority.chain.map((one) => pemOf(one)).join(""));
  });

  it("says what is wrong with a PIN, a label or a library", async () => {
    await expect(open({ pin: "0000" })).rejects.toThrow("IDEM_SIGNER_PKCS11_PIN");
    await expect(open({ key: "other" })).rejects.toThrow("0 private keys of the label other");
    await expect(open({ token: "other" })).rejects.toThrow("names no token");
    await expect(open({ module: "/none.so" })).rejects.toThrow("IDEM_SIGNER_PKCS11_MODULE");
  });

  it("signs with each kind of key, and its certificate verifies the signature", async () => {
    for (const form of forms) {
      const signer = await open({ key: form, certificatesFile: openssl.path("chain.pem") });
      expect(signer.name).toBe("Test signer");
      expect(signer.chain).toHaveLength(2);
      const signatures = await Promise.all(["a", "b", "c"].map((text) => signer.sign(Buffer.from(text))));
      expect(signatures).toHaveLength(3);
    }
  });
});
