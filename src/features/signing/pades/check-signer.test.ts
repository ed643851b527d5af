import { beforeAll, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { makeTestAuthority } from "#support/revocation/authority";
import { makeTestFile } from "#support/signing/pades/make-test-file";
import type { FetchValidation, SignerIdentity } from "#trust/revocation/ports";
import { openMemoryAuthority } from "#trust/signers/memory-authority";
import { openPdf } from "../pdf/open-pdf.ts";
import { checkSigner } from "./check-signer.ts";
import { type Level, levels } from "./level.ts";
import { signPdf } from "./sign-pdf.ts";

const now = new Date();
const dayMs = 86_400_000;
const secondMs = 1000;

type TestAuthority = Awaited<ReturnType<typeof makeTestAuthority>>;
let authority: TestAuthority;
beforeAll(async () => {
  authority = await makeTestAuthority({ now });
});

const identityOf = (certificate: Uint8Array, chain: readonly Uint8Array[]): SignerIdentity => ({
  name: "Test signer",
  certificate,
  chain,
  keyKind: "ec",
  hash: "sha256",
});

type Check = { readonly at?: Date; readonly fetch?: FetchValidation; readonly chain?: readonly Uint8Array[] };

/** `may sign`, or the reason of the refusal. */
const check = async (
  certificate: Uint8Array,
  { at = now, fetch = async (ask) => authority.answer(ask), chain = authority.chain }: Check = {},
): Promise<string> =>
  checkSigner({ signer: identityOf(certificate, chain), known: [], now: at, fetch, askingMsMax: 200 }).then(
    () => "may sign",
    (error: unknown) =>
      error instanceof Failure ? `${error.code}: ${String(error.facts["reason"])}` : String(error),
  );

const signAt = async (
  level: Level,
  made: Awaited<ReturnType<typeof openMemoryAuthority>>,
  at: Date,
): Promise<unknown> => {
  const request = { signer: made.signer, level, revision: { at }, known: made.roots };
  return await signPdf(await openPdf(makeTestFile()), request, made.ports);
};

describe.each(levels)("signPdf at level %s", (level) => {
  it("refuses a revoked signer, and one whose authority is revoked", async () => {
    for (const revoke of ["signer", "authority"] as const) {
      const made = await openMemoryAuthority({ form: "p256" });
      await expect(signAt(level, made, now)).resolves.toBeDefined();
      const certificate = revoke === "signer" ? made.signer.certificate : made.signer.chain[0]!;
      made.setStatus(certificate, { kind: "revoked", at: new Date(now.getTime() - secondMs) });
      await expect(signAt(level, made, now)).rejects.toMatchObject({ code: "signer_unusable" });
    }
  });

  it("refuses an expired signer", async () => {
    const past = new Date(now.getTime() - 1001 * dayMs);
    const made = await openMemoryAuthority({ form: "p256", now: () => past });
    await expect(signAt(level, made, now)).rejects.toMatchObject({ code: "signer_unusable" });
  });
});

describe("checkSigner", () => {
  it("refuses a certificate from the second after its end, and before its start", async () => {
    const [from, to] = [new Date(1_700_000_000_000), new Date(1_800_000_000_000)];
    const { certificate } = await authority.issue({ from, to, urls: {} });
    const options = { chain: [], fetch: async () => undefined };
    const checkAt = (at: number) => check(certificate, { ...options, at: new Date(at) });
    expect(await checkAt(from.getTime())).toBe("may sign");
    expect(await checkAt(from.getTime() - 1)).toContain("is not yet valid");
    expect(await checkAt(to.getTime())).toBe("may sign");
    expect(await checkAt(to.getTime() + secondMs)).toContain(
      "signer_unusable: the certificate of Test signer has expired",
    );
  });

  it.each(["ocsp", "crl"])("refuses a signer that is revoked by %s", async (kind) => {
    const own = await makeTestAuthority({ now });
    const { certificate } = await own.issue();
    own.revoke(certificate, new Date(now.getTime() - secondMs));
    const fetch: FetchValidation = async (ask) =>
      kind === "crl" && ask.kind === "ocsp" ? undefined : own.answer(ask);
    expect(await check(certificate, { fetch, chain: own.chain })).toBe(
      "signer_unusable: the certificate of Test signer is revoked",
    );
  });

  it("allows a certificate that names no place to ask", async () => {
    const { certificate } = await authority.issue({ urls: {} });
    expect(await check(certificate)).toBe("may sign");
  });

  it("allows a signer whose status cannot be had: no answer, a false one, or one that is too old", async () => {
    const { certificate } = await authority.issue();
    expect(await check(certificate, { fetch: async () => undefined })).toBe("may sign");
    expect(await check(certificate, { fetch: async () => Uint8Array.of(1, 2, 3) })).toBe("may sign");
    const at = new Date(now.getTime() - 2 * dayMs);
    const fetch: FetchValidation = async ({ body }) => body && authority.respond(body, { at });
    expect(await check(certificate, { fetch })).toBe("may sign");
  });

  it("waits no longer than its time for a responder that is silent", async () => {
    const { certificate } = await authority.issue();
    const asked: string[] = [];
    const fetch: FetchValidation = ({ url }) => {
      asked.push(url);
      return new Promise(() => undefined);
    };
    const startedAt = performance.now();
    expect(await check(certificate, { fetch })).toBe("may sign");
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    // After the end no other place is asked.
    expect(new Set(asked)).toEqual(new Set([authority.urls.ocsp, "http://ca.example/root.crl"]));
  });

  it("finds the revocation without the chain: it fetches the issuer that the certificate names", async () => {
    const own = await makeTestAuthority({ now });
    const { certificate } = await own.issue();
    own.revoke(certificate, new Date(now.getTime() - secondMs));
    const fetch: FetchValidation = async (ask) => own.answer(ask);
    expect(await check(certificate, { fetch, chain: [] })).toContain("is revoked");
  });
});
