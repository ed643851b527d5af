import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import {
  authorityExtension,
  makeCertificate,
  makeKeys,
  pemOf,
  purposesExtension,
  signerOf,
} from "#support/asn1/certificates";
import { hasOpenssl, openOpenssl } from "#support/signing/openssl";
import { childrenWithTag, hasBit, readDer, smallIntegerOf, tags } from "#trust/asn1/der";
import { type HashName, oids } from "#trust/asn1/oids";
import {
  boolean,
  explicit,
  integer,
  nullValue,
  octetString,
  oid,
  sequence,
  smallInteger,
} from "#trust/asn1/write-der";
import { readTimestampAnswer, writeTimestampRequest } from "./request.ts";
import { makeEmbeddedAuthority, makeRespond, policyId } from "./respond.ts";
import { readToken } from "./token.ts";
import { readRoots } from "./trust.ts";
import { verifyToken } from "./verify-token.ts";

const root = makeCertificate({ name: "Root", extensions: [authorityExtension] });
const [from, to] = [new Date("2026-01-01T00:00:00Z"), new Date("2031-01-01T00:00:00Z")];
const certificate = makeCertificate({
  name: "Stamps",
  issuer: root,
  from,
  to,
  extensions: [purposesExtension([oids.timeStamping], true)],
});
const now = new Date("2026-11-23T21:00:00.250Z");
const signer = signerOf(certificate, [root]);
const respond = makeRespond({ signer, clock: () => now });
const roots = readRoots(pemOf(root.bytes));
const imprintOf = (hash: HashName) => ({ hash, digest: createHash(hash).update("a signature").digest() });
const imprint = imprintOf("sha256");
const nonce = Buffer.of(0x80, 1, 2, 3, 4, 5, 6, 7);
const asked = writeTimestampRequest(imprint, nonce);

/** The status of an answer and the set bits of its failure. */
const statusOf = (answer: Uint8Array) => {
  const [info] = childrenWithTag(readDer(answer), tags.sequence);
  const [status, , failure] = childrenWithTag(info, tags.sequence);
  const bits =
    failure === undefined ? [] : [0, 2, 5, 14, 15, 16, 17, 25].filter((bit) => hasBit(failure, bit));
  return { status: smallIntegerOf(status), bits };
};

/** A request with any hash, options and version. */
const request = (hashOid: string, digest: Uint8Array, options: readonly Uint8Array[] = [], version = 1) =>
  sequence(
    smallInteger(version),
    sequence(sequence(oid(hashOid), nullValue), octetString(digest)),
    ...options,
  );

const openssl = openOpenssl();
afterAll(openssl.close);

describe("the embedded authority", () => {
  it.skipIf(!hasOpenssl).each(["sha256", "sha384", "sha512"])(
    "answers OpenSSL over %s, and OpenSSL verifies the answer",
    async (hash) => {
      openssl.write("data", "a signature");
      openssl.write("root.pem", pemOf(root.bytes));
      expect(openssl.run("ts", "-query", "-data", "data", `-${hash}`, "-cert", "-out", "q.tsq").code).toBe(0);
      openssl.write("a.tsr", await respond(openssl.read("q.tsq")));
      const verify = (...more: readonly string[]) =>
        openssl.run("ts", "-verify", "-in", "a.tsr", "-CAfile", "root.pem", ...more).output;
      expect(verify("-queryfile", "q.tsq")).toContain("Verification: OK");
      expect(verify("-data", "data")).toContain("Verification: OK");
      openssl.write("data", "another signature");
      expect(verify("-data", "data")).toContain("message imprint mismatch");
    },
  );

  it.each(["sha256", "sha384", "sha512"] as const)(
    "stamps a hash of %s, at its time, with the nonce",
    async (hash) => {
      const token = readTimestampAnswer(await respond(writeTimestampRequest(imprintOf(hash), nonce)));
      expect(verifyToken(token, imprintOf(hash), roots)).toMatchObject({
        at: now.getTime(),
        signer: "CN=Stamps",
        isTrusted: true,
      });
      expect(verifyToken(token, imprint, roots)).toMatchObject(
        hash === "sha256" ? { isTrusted: true } : { refusal: "the token stamps another hash" },
      );
      expect(readToken(token).facts).toMatchObject({
        policy: policyId,
        nonce: Buffer.concat([Buffer.of(0), nonce]),
      });
    },
  );

  it.each(["rsa", "P-384"] as const)("stamps with a key of kind %s", async (kind) => {
    const keys = makeKeys(kind);
    const own = makeCertificate({
      name: "Stamps",
      keys,
      issuer: root,
      extensions: [purposesExtension([oids.timeStamping], true)],
    });
    const answer = await makeRespond({
      signer: signerOf(own, [root], kind === "rsa" ? "sha512" : "sha384"),
      clock: () => now,
    })(asked);
    expect(verifyToken(readTimestampAnswer(answer), imprint, roots)).toMatchObject({ isTrusted: true });
  });

  it("gives each token another number of full length", async () => {
    const serials = await Promise.all(
      Array.from(
        { length: 50 },
        async () => readToken(readTimestampAnswer(await respond(asked))).facts.serial,
      ),
    );
    expect(new Set(serials.map((one) => Buffer.from(one).toString("hex"))).size).toBe(50);
    expect(serials.every((one) => one.length === 16)).toBe(true);
  });

  it("encloses its certificates only where the request asks for them", async () => {
    const token = async (options: readonly Uint8Array[]) =>
      readToken(readTimestampAnswer(await respond(request(oids.sha256, imprint.digest, options))));
    expect((await token([boolean(true)])).certificates).toHaveLength(2);
    expect((await token([boolean(false)])).certificates).toHaveLength(0);
    expect((await token([])).facts.nonce).toBeUndefined();
  });

  it.each([
    ["SHA-1", request(oids.sha1, new Uint8Array(20)), 0],
    ["an unknown hash function", request("1.2.3", new Uint8Array(32)), 0],
    ["a hash that is too short", request(oids.sha256, new Uint8Array(31)), 5],
    ["a hash that is too long", request(oids.sha512, new Uint8Array(65)), 5],
    ["another version", request(oids.sha256, imprint.digest, [], 2), 2],
    ["another policy", request(oids.sha256, imprint.digest, [oid("1.2.3.4")]), 15],
    ["an extension", request(oids.sha256, imprint.digest, [explicit(0, sequence())]), 16],
    ["two numbers", request(oids.sha256, imprint.digest, [integer(nonce), integer(nonce)]), 5],
    ["a number of 65 bytes", request(oids.sha256, imprint.digest, [integer(new Uint8Array(65).fill(1))]), 5],
    ["no request", Buffer.from("hello"), 5],
    ["nothing", new Uint8Array(), 5],
    ["more than 1,024 bytes", new Uint8Array(1025), 5],
  ])("refuses %s", async (_, bytes, bit) => {
    expect(statusOf(await respond(bytes))).toStrictEqual({ status: 2, bits: [bit] });
  });

  it("accepts its own policy, and a number of 64 bytes", async () => {
    const options = [oid(policyId), integer(new Uint8Array(64).fill(1))];
    expect(statusOf(await respond(request(oids.sha256, imprint.digest, options))).status).toBe(0);
  });

  it.each([
    ["before", new Date(from.getTime() - 1), 2],
    ["at", from, 0],
    ["at the end of", to, 0],
    ["after", new Date(to.getTime() + 1), 2],
  ])("%s the validity of its certificate answers as it must", async (_, at, status) => {
    expect(statusOf(await makeRespond({ signer, clock: () => at })(asked)).status).toBe(status);
  });

  it("is not made with a certificate for other purposes", () => {
    for (const purposes of [
      purposesExtension([oids.timeStamping]),
      purposesExtension([oids.timeStamping, oids.ocspSigning], true),
    ]) {
      const other = signerOf(makeCertificate({ name: "a", issuer: root, extensions: [purposes] }));
      expect(() => makeRespond({ signer: other, clock: () => now })).toThrow("for time-stamps alone");
    }
  });

  it("answers any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), fc.nat(asked.length), async (bytes, at) => {
        const changed = Buffer.concat([asked.subarray(0, at), bytes]);
        expect([0, 2]).toContain(statusOf(await respond(changed)).status);
      }),
      { numRuns: 500 },
    );
  });

  it("is asked in this process, and its token is verified", async () => {
    const signal = new AbortController().signal;
    const { stamp, authority } = await makeEmbeddedAuthority({ signer, clock: () => now, roots }).stamp(
      imprint,
      signal,
    );
    expect([stamp.at, stamp.isTrusted, authority]).toStrictEqual([now.getTime(), true, "embedded"]);
    const otherRoot = readRoots(
      pemOf(makeCertificate({ name: "Root", extensions: [authorityExtension] }).bytes),
    );
    const other = makeEmbeddedAuthority({ signer, clock: () => now, roots: otherRoot });
    await expect(other.stamp(imprint, signal)).rejects.toThrow("leads to none of the given roots");
  });
});
