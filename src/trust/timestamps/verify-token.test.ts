import { createHash, randomBytes } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { makeEgress } from "#machine/egress/make-egress";
import { listenLocally } from "#support/egress/local-server";
import { makeTestAuthority, type Oddness } from "#support/timestamps/authority";
import { opensslHash, opensslRoot, opensslTime, opensslToken } from "#support/timestamps/openssl-token";
import { tags } from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";
import { der, integer, sequence } from "#trust/asn1/write-der";
import { makeAuthority } from "./authority.ts";
import { TimestampError } from "./request.ts";
import { readRoots } from "./trust.ts";
import { type Verified, verifyToken } from "./verify-token.ts";

const hash = createHash("sha256").update("a chain").digest();
const hex = hash.toString("hex");
const authority = makeTestAuthority();
const roots = readRoots(authority.rootPem);
const refusalOf = (verified: Verified): string => ("refusal" in verified ? verified.refusal : "none");

describe("a token", () => {
  it("of another implementation is valid, at its time, for its hash alone", () => {
    const token = Buffer.from(opensslToken, "base64");
    expect(verifyToken(token, opensslHash, readRoots(opensslRoot))).toMatchObject({
      at: Date.parse(opensslTime),
      signer: "O=Example, CN=Example TSA",
      isTrusted: true,
    });
    expect(refusalOf(verifyToken(token, hex, readRoots(opensslRoot)))).toBe("the token stamps another hash");
    expect(refusalOf(verifyToken(token, opensslHash, roots))).toContain("leads to none of the given roots");
  });

  it.each(["ecdsa", "rsa", "rsa-pss", "ed25519"] as const)("signed with %s is valid", (kind) => {
    const own = makeTestAuthority({ kind });
    const at = new Date("2026-11-23T08:00:00Z");
    expect(verifyToken(own.stamp(hash, { at }), hex, readRoots(own.rootPem))).toMatchObject({
      at: at.getTime(),
      signer: "CN=Test stamps",
      isTrusted: true,
    });
  });

  it("is reported as not trusted where no root is given", () => {
    expect(verifyToken(authority.stamp(hash), hex)).toMatchObject({ isTrusted: false });
  });

  it("may have its own certificate as the trusted one", () => {
    expect(verifyToken(authority.stamp(hash), hex, readRoots(authority.signerPem))).toMatchObject({
      isTrusted: true,
    });
  });

  it("is not valid where one byte of its content, signature or certificates differs", () => {
    const token = authority.stamp(hash);
    const sound = verifyToken(token, hex, roots);
    let refused = 0;
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.integer({ min: 1, max: 255 }), (place, mask) => {
        const changed = Uint8Array.from(token);
        changed[place]! ^= mask;
        const verified = verifyToken(changed, hex, roots);
        // No signature covers some bytes, such as the version of the message. Then the stamp is the same.
        if ("refusal" in verified) refused += 1;
        else expect(verified).toStrictEqual(sound);
      }),
      { numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(250);
  });

  it("that is no token is refused without an exception", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(refusalOf(verifyToken(bytes, hex, roots))).not.toBe("none");
      }),
    );
    const token = authority.stamp(hash);
    for (let length = 0; length < token.length; length += 7) {
      expect(refusalOf(verifyToken(token.subarray(0, length), hex, roots))).not.toBe("none");
    }
    expect(refusalOf(verifyToken(Buffer.concat([token, Buffer.alloc(1)]), hex, roots))).not.toBe("none");
  });

  it.each([
    ["another hash", { hashOid: oids.sha512 }, "stamps another hash"],
    ["content that was changed after it was signed", { swapContent: laterBy1990 }, "differs from the signed"],
    ["a signature for another certificate", { namesOther: true }, "does not name the certificate"],
    ["a signature for no certificate", { omitName: true }, "does not name the certificate"],
    ["no certificate", { omitCertificates: true }, "no certificate of its signer"],
  ] as const)("with %s is refused", (_, stamping, reason) => {
    expect(refusalOf(verifyToken(authority.stamp(hash, stamping), hex, roots))).toContain(reason);
  });

  it.each<[string, Oddness, string]>([
    ["another purpose beside", { purposes: [oids.timeStamping, "1.3.6.1.5.5.7.3.3"] }, "not for time-stamps"],
    ["another purpose", { purposes: ["1.3.6.1.5.5.7.3.1"] }, "not for time-stamps"],
    ["a purpose that is not critical", { isPurposeCritical: false }, "not for time-stamps"],
    ["an issuer that is no authority", { hasWeakIssuer: true }, "none of the given roots"],
    [
      "an end before the stamped time",
      { valid: [new Date("2020-01-01T00:00:00Z"), new Date("2020-06-01T00:00:00Z")] },
      "none of the given roots",
    ],
  ])("of a certificate with %s is refused", (_, oddness, reason) => {
    const own = makeTestAuthority(oddness);
    expect(refusalOf(verifyToken(own.stamp(hash), hex, readRoots(own.rootPem)))).toContain(reason);
  });

  it("stays valid after the end of its certificate, for a time before it", () => {
    const [from, to] = [new Date("2020-01-01T00:00:00Z"), new Date("2020-06-01T00:00:00Z")];
    const own = makeTestAuthority({ valid: [from, to] });
    const stampAt = (at: Date) => verifyToken(own.stamp(hash, { at }), hex, readRoots(own.rootPem));
    expect(stampAt(to)).toMatchObject({ isTrusted: true });
    expect(refusalOf(stampAt(new Date(to.getTime() + 1000)))).toContain("none of the given roots");
  });

  it("of another authority with certificates of the same names is refused", () => {
    const forger = makeTestAuthority();
    expect(refusalOf(verifyToken(forger.stamp(hash), hex, roots))).toContain("none of the given roots");
  });
});

function laterBy1990(content: Uint8Array): Uint8Array {
  return Buffer.from(
    Buffer.from(content)
      .toString("latin1")
      .replace(/20\d\d/, "1990"),
    "latin1",
  );
}

describe("roots", () => {
  it.each(["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"])(
    "are not read from %j",
    (pem) => {
      expect(() => readRoots(pem)).toThrow();
    },
  );
});

describe("an authority", () => {
  const servers: { close: () => void }[] = [];
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  const serve = async (listener: RequestListener) => {
    const server = createServer(listener);
    servers.push(server);
    const url = `http://127.0.0.1:${await listenLocally(server)}/tsr`;
    const egress = makeEgress({ allow: ["127.0.0.1"] });
    return (authorization?: string) =>
      makeAuthority({ egress, url, roots, authorization, clock: () => new Date() }).stamp(
        { hash: "sha256", digest: hash },
        new AbortController().signal,
      );
  };
  const answering = (answer: (request: Uint8Array) => Uint8Array, status = 200) =>
    serve(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      response.writeHead(status, { "content-type": "application/timestamp-reply" });
      response.end(answer(Buffer.concat(chunks)));
    });

  it("stamps a hash, and gets the credentials and nothing but the hash", async () => {
    const seen: (string | undefined)[] = [];
    const ask = await serve(async (request, response) => {
      seen.push(request.method, request.headers["content-type"], request.headers.authorization);
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      response.end(authority.answer(Buffer.concat(chunks)));
    });
    const { token, stamp } = await ask("Basic dXNlcjpwYXNz");
    expect(seen).toStrictEqual(["POST", "application/timestamp-query", "Basic dXNlcjpwYXNz"]);
    expect(stamp).toMatchObject({ isTrusted: true });
    expect(verifyToken(token, hex, roots)).toMatchObject({ at: stamp.at });
  });

  it.each<[string, (request: Uint8Array) => Uint8Array, string]>([
    ["a refusal", () => authority.refuse("no hay\ncrédito"), "refused (status 2): no hay crédito"],
    ["a refusal with a code alone", () => refusalWith(failInfo), "The authority refused (status 2)"],
    [
      "words in another form",
      () => refusalWith(sequence(failInfo)),
      "no answer of a time-stamping authority",
    ],
    ["a status in another form", () => sequence(der(tags.null)), "no answer of a time-stamping authority"],
    ["a stamp of another hash", (asked) => makeOther(asked), "stamps another hash"],
    ["an older answer", () => authorityAnswerOf(randomBytes(8)), "another random number"],
    ["an answer without random number", () => authorityAnswerOf(undefined), "another random number"],
    ["another authority's stamp", (asked) => makeTestAuthority().answer(asked), "none of the given roots"],
    ["a page", () => Buffer.from("<html>"), "no answer of a time-stamping authority"],
    ["nothing", () => new Uint8Array(), "no answer of a time-stamping authority"],
  ])("fails with %s", async (_, answer, reason) => {
    const ask = await answering(answer);
    const error = await ask().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TimestampError);
    expect(error).toHaveProperty("message", expect.stringMatching(new RegExp(`${RegExp.escape(reason)}$`)));
  });

  const failInfo = der(tags.bitString, Uint8Array.of(2, 0x24));
  const refusalWith = (second: Uint8Array): Uint8Array =>
    sequence(sequence(integer(Uint8Array.of(2)), second));

  const authorityAnswerOf = (nonce: Uint8Array | undefined): Uint8Array =>
    authority.grant(authority.stamp(hash, nonce === undefined ? {} : { nonce }));
  const makeOther = (asked: Uint8Array): Uint8Array => {
    const other = Buffer.from(asked);
    const place = other.indexOf(hash);
    other[place]! ^= 1;
    return authority.answer(other);
  };

  it("fails for another status, and for an answer that is too long", async () => {
    await expect((await answering(() => new Uint8Array(), 500))()).rejects.toThrow("HTTP 500");
    await expect((await answering(() => new Uint8Array(70_000)))()).rejects.toThrow("65536");
  });
});
