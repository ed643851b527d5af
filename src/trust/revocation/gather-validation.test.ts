import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { makeTestAuthority } from "#support/revocation/authority";
import { makeSignedData } from "#trust/asn1/write-signed-data";
import type { Issued } from "#trust/signers/issue-certificate";
import { makeSigner, signWithKey } from "#trust/signers/make-signer";
import { gatherValidation } from "./gather-validation.ts";
import type { FetchValidation, ValidationQuestion } from "./ports.ts";

const now = new Date();
const dayMs = 86_400_000;
type TestAuthority = Awaited<ReturnType<typeof makeTestAuthority>>;
let authority: TestAuthority;
let signer: Issued;
beforeAll(async () => {
  authority = await makeTestAuthority({ now });
  signer = await authority.issue();
});

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** A signature over an empty content. */
const signWith = async ({ certificate, key }: Issued, chain: readonly Uint8Array[]): Promise<Uint8Array> => {
  const made = await makeSignedData({
    signer: makeSigner(certificate, chain, signWithKey(key)),
    digest: createHash("sha256").digest(),
  });
  return made.encode();
};

const recording =
  (asks: string[], answer: (ask: ValidationQuestion) => Uint8Array | undefined): FetchValidation =>
  async (ask) => {
    asks.push(`${ask.kind} ${new URL(ask.url).pathname}`);
    return answer(ask);
  };

const reasonOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "gathered",
    (error: unknown) =>
      error instanceof Failure ? `${error.code}: ${String(error.facts["reason"])}` : String(error),
  );

type Gathering = {
  readonly chain?: readonly Uint8Array[];
  readonly answer?: (ask: ValidationQuestion) => Uint8Array | undefined;
  readonly asks?: string[];
};

const gather = async (
  of: Issued,
  { chain = authority.chain, answer = authority.answer, asks = [] }: Gathering = {},
) =>
  await gatherValidation({
    contents: await signWith(of, chain),
    known: [],
    fetch: recording(asks, answer),
    now,
  });

describe("gatherValidation", () => {
  it("gathers the chain with the status of each certificate below the root, and the responder", async () => {
    const asks: string[] = [];
    const { certificates, ocsps, crls, related } = await gather(signer, { asks });
    const wanted = [signer, authority.issuing, authority.root, authority.responder];
    expect(certificates.map(hexOf).toSorted()).toEqual(
      wanted.map(({ certificate }) => hexOf(certificate)).toSorted(),
    );
    expect([ocsps.length, crls.length]).toEqual([1, 1]);
    // The responder has ocsp-nocheck: nothing is asked about it.
    expect(asks.toSorted()).toEqual(["crl /root.crl", "ocsp /ocsp"]);
    expect(related).toHaveLength(1);
  });

  it("fetches issuers that the signature lacks", async () => {
    const asks: string[] = [];
    const { certificates } = await gather(signer, { chain: [], asks });
    expect(certificates.map(hexOf)).toContain(hexOf(authority.root.certificate));
    expect(asks).toContain("certificate /issuing.cer");
    expect(asks).toContain("certificate /root.cer");
  });

  it("takes the CRL where the responder does not answer", async () => {
    const { ocsps, crls } = await gather(signer, {
      answer: (ask) => (ask.kind === "ocsp" ? undefined : authority.answer(ask)),
    });
    expect([ocsps.length, crls.length]).toEqual([0, 2]);
  });

  it.each(["ocsp", "crl"])("never accepts a signer that is revoked by %s", async (kind) => {
    const own = await makeTestAuthority({ now });
    const issued = await own.issue();
    own.revoke(issued.certificate, new Date(now.getTime() - 1000));
    const answer = (ask: ValidationQuestion) =>
      kind === "crl" && ask.kind === "ocsp" ? undefined : own.answer(ask);
    expect(await reasonOf(gather(issued, { chain: own.chain, answer }))).toBe(
      "signer_unusable: the certificate of Test signer is revoked",
    );
  });

  it("never accepts an expired signer, or one that is not yet valid", async () => {
    const [past, later] = [new Date(now.getTime() - dayMs), new Date(now.getTime() + dayMs)];
    const expired = await authority.issue({ from: new Date(past.getTime() - dayMs), to: past });
    expect(await reasonOf(gather(expired))).toContain("Test signer has expired");
    const early = await authority.issue({ from: later, to: new Date(later.getTime() + dayMs) });
    expect(await reasonOf(gather(early))).toContain("Test signer is not yet valid");
  });

  it("fails where no status can be had, and names each place and its fault", async () => {
    const silent = await reasonOf(gather(signer, { answer: () => undefined }));
    expect(silent).toContain("signer_unusable: the status of Test");
    const nameless = await authority.issue({ urls: {} });
    expect(await reasonOf(gather(nameless))).toContain("it names neither OCSP nor CRL");
    const lost = await reasonOf(gather(signer, { chain: [], answer: () => undefined }));
    expect(lost).toContain("the certificate of Test issuing is missing");
  });

  it("accepts no answer of another responder, about another certificate, or of the past", async () => {
    const impostor = await makeTestAuthority({ now });
    const other = await authority.issue({ profile: "signer" });
    const withOcsp = (respond: (body: Uint8Array) => Uint8Array) => (ask: ValidationQuestion) =>
      ask.kind === "ocsp"
        ? respond(ask.body!)
        : ask.url.includes("issuing.crl")
          ? undefined
          : authority.answer(ask);
    const reasonWith = async (respond: (body: Uint8Array) => Uint8Array) =>
      await reasonOf(gather(signer, { answer: withOcsp(respond) }));
    expect(await reasonWith((body) => authority.respond(body, { by: impostor.responder }))).toContain(
      "the issuer did not entitle the OCSP responder",
    );
    expect(await reasonWith((body) => authority.respond(body, { by: other }))).toContain("did not entitle");
    const old = new Date(now.getTime() - dayMs);
    expect(await reasonWith((body) => authority.respond(body, { at: old }))).toContain("too old");
    const future = new Date(now.getTime() + dayMs);
    expect(await reasonWith((body) => authority.respond(body, { at: future }))).toContain("from the future");
    expect(await reasonWith(() => Uint8Array.of(0x30, 0))).toContain("A value has the tag");
    expect(await reasonWith((body) => authority.respond(body))).toBe("gathered");
  });

  it("gathers an answer that the issuer itself signed", async () => {
    const answer = (ask: ValidationQuestion) =>
      ask.kind === "ocsp" ? authority.respond(ask.body!, { by: authority.issuing }) : authority.answer(ask);
    const { certificates } = await gather(signer, { answer });
    expect(certificates).toHaveLength(3);
  });

  it("gathers for a revoked signer only where the caller extends an old signature", async () => {
    const own = await makeTestAuthority({ now });
    const issued = await own.issue();
    own.revoke(issued.certificate, now);
    const contents = await signWith(issued, own.chain);
    const request = { contents, known: [], fetch: recording([], own.answer), now };
    expect(await reasonOf(gatherValidation(request))).toContain("is revoked");
    expect(await reasonOf(gatherValidation({ ...request, acceptsUnusableSigner: true }))).toBe("gathered");
  });

  it("reads the contents of a PDF with the zero bytes behind them, and refuses other bytes", async () => {
    const contents = Buffer.concat([await signWith(signer, authority.chain), new Uint8Array(100)]);
    const request = { known: [], fetch: recording([], authority.answer), now };
    expect(await reasonOf(gatherValidation({ ...request, contents }))).toBe("gathered");
    expect(await reasonOf(gatherValidation({ ...request, contents: Uint8Array.of(1, 2, 3) }))).toContain(
      "cannot be read",
    );
  });
});
