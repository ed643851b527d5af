import { beforeAll, describe, expect, it } from "vitest";
import { makePdf } from "#support/signing/pdf/make-pdf";
import {
  appendObjects,
  type Objects,
  rootOf,
  streamOf,
  textOfObject,
} from "#support/signing/verify/append-objects";
import type { SigningPorts } from "#trust/revocation/ports";
import { type MemoryAuthority, openMemoryAuthority } from "#trust/signers/memory-authority";
import type { Level } from "../pades/level.ts";
import { signPdf } from "../pades/sign-pdf.ts";
import { openPdf } from "../pdf/open-pdf.ts";
import { proveAppended } from "./prove-appended.ts";
import { refuseBroken } from "./refuse-broken.ts";
import { extendProven, signProven } from "./sign-proven.ts";

const at = new Date();
const sent = (): Uint8Array => Uint8Array.from(makePdf({ xref: "table", pages: 2 }));

let authority: MemoryAuthority;

beforeAll(async () => {
  authority = await openMemoryAuthority({ form: "p256" });
});

const requestOf = (level: Level) =>
  ({ signer: authority.signer, level, revision: { at }, known: authority.roots }) as const;

const sign = async (level: Level, ports: Partial<SigningPorts> = {}, bytes = sent()): Promise<Buffer> =>
  Buffer.concat(
    (await signProven(await openPdf(bytes), requestOf(level), { ...authority.ports, ...ports })).parts,
  );

const extend = async (bytes: Uint8Array, ports: Partial<SigningPorts> = {}): Promise<Buffer> => {
  const request = { hash: "sha256", known: authority.roots, now: at } as const;
  const file = await openPdf(Uint8Array.from(bytes));
  return Buffer.concat((await extendProven(file, request, { ...authority.ports, ...ports })).parts);
};

/** The cause of an unproven file; "proven" where there is none. */
const causeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => "proven",
    (error: unknown) => `${Object(error).code}: ${Object(Object(error).cause).message}`,
  );

const prove = (source: Uint8Array, ...added: readonly Uint8Array[]): Promise<string> =>
  causeOf(proveAppended({ source, parts: [source, ...added] }, at));

/** What a signature of level B-B appends, without a proof. */
const appendedTo = async (source: Uint8Array): Promise<Buffer> => {
  const { parts } = await signPdf(await openPdf(Uint8Array.from(source)), requestOf("B-B"), authority.ports);
  return Buffer.concat(parts.slice(1));
};

/** A stamp over other bytes than those that were asked for. */
const stampOther: SigningPorts["stamp"] = (hash, digest) =>
  authority.ports.stamp(
    hash,
    Uint8Array.from(digest, (byte) => byte ^ 1),
  );

describe("a file that is signed", () => {
  it.each<Level>(["B-B", "B-T", "B-LT", "B-LTA"])(
    "is proven at level %s, alone and once more",
    async (level) => {
      const once = await sign(level);
      await expect(sign(level, {}, Uint8Array.from(once))).resolves.toBeInstanceOf(Buffer);
    },
  );

  it("is not answered where the signature is of other bytes", async () => {
    const signOther: SigningPorts["sign"] = (bytes) =>
      authority.ports.sign(Uint8Array.from(bytes, (byte) => byte ^ 1));
    expect(await causeOf(sign("B-B", { sign: signOther }))).toBe(
      "signature_unproven: a new signature: signature_wrong",
    );
  });

  it.each<Level>(["B-T", "B-LTA"])(
    "is not answered where a time-stamp of level %s is of other bytes",
    async (level) => {
      expect(await causeOf(sign(level, { stamp: stampOther }))).toMatch(
        /^signature_unproven: a new signature: /,
      );
    },
  );
});

describe("a file of which an editor cleared the signature", () => {
  const withoutForm = (signed: Buffer): Objects => ({
    [rootOf(signed)]: textOfObject(signed, rootOf(signed)).replace(/\/AcroForm \d+ 0 R/, ""),
  });
  /** The form is taken away, and the place of the signature on its page. */
  const clear = (signed: Buffer): Buffer =>
    appendObjects(signed, {
      ...withoutForm(signed),
      10: textOfObject(signed, 10).replace(/\/Annots ?\[[^\]]*\]/, ""),
    });

  it.each([
    ["B-B", clear],
    ["B-LTA", clear],
    ["B-B", (signed: Buffer) => appendObjects(signed, withoutForm(signed))],
  ] as const)("is signed at level %s, and once more", async (level, clearBy) => {
    const cleared = clearBy(await sign(level));
    await expect(refuseBroken(cleared, at)).resolves.toBeUndefined();
    const again = await sign(level, {}, Uint8Array.from(cleared));
    await expect(sign(level, {}, Uint8Array.from(again))).resolves.toBeInstanceOf(Buffer);
  });

  it("loses none of its other signatures, and no new one", async () => {
    const source = await sign("B-B", {}, Uint8Array.from(clear(await sign("B-B"))));
    const twice = await sign("B-B", {}, Uint8Array.from(source));
    const cleared = clear(twice);
    const signed = await appendedTo(cleared);
    const added = Buffer.concat([cleared.subarray(source.length), signed]);
    expect(await prove(source, added)).toBe("signature_unproven: an earlier signature was removed");
    expect(await prove(cleared, signed)).toBe("proven");
  });
});

describe("a file that is extended", () => {
  it("is proven", async () => {
    await expect(extend(await sign("B-T"))).resolves.toBeInstanceOf(Buffer);
  });

  it("is not answered where the time-stamp is of other bytes", async () => {
    const signed = await sign("B-LTA");
    expect(await causeOf(extend(signed, { stamp: stampOther }))).toMatch(
      /^signature_unproven: a new signature: /,
    );
  });

  it("is not answered where an earlier signature is broken", async () => {
    const signed = await sign("B-LTA");
    const byte = signed.indexOf("/MediaBox") + 11;
    signed[byte] = signed[byte]! ^ 1;
    expect(await causeOf(extend(signed))).toBe("signature_unproven: The signed bytes were changed.");
  });
});

describe("what was appended", () => {
  it("is proven where it signs, and is nothing else", async () => {
    expect(await prove(sent(), await appendedTo(sent()))).toBe("proven");
    expect(await prove(sent())).toBe("signature_unproven: no signature was added");
  });

  it("must follow the bytes that were sent", async () => {
    const other = sent();
    other[other.length - 1] = 32;
    const work = proveAppended({ source: sent(), parts: [other, await appendedTo(other)] }, at);
    expect(await causeOf(work)).toBe(
      "signature_unproven: the signed file does not begin with the file that was to be signed",
    );
  });

  it("changes no page, under the signature or after it", async () => {
    const source = Buffer.from(sent());
    const page = { 11: streamOf("BT (another text) Tj ET") };
    const changed = appendObjects(source, page);
    const under = Buffer.concat([changed.subarray(source.length), await appendedTo(changed)]);
    expect(await prove(source, under)).toBe(
      "signature_unproven: a change of kind content against the file that was to be signed",
    );
    const signed = Buffer.concat([source, await appendedTo(source)]);
    const after = appendObjects(signed, page).subarray(source.length);
    expect(await prove(source, after)).toMatch(/^signature_unproven: a new signature: /);
  });

  it("is whole", async () => {
    const added = await appendedTo(sent());
    expect(await prove(sent(), added.subarray(0, -20))).toMatch(/^signature_unproven: /);
  });

  it("is not at fault where the file cannot be read", async () => {
    const source = Buffer.from("%PDF-1.7\nno file\n");
    expect(await prove(source, await appendedTo(sent()))).toMatch(/^pdf_unreadable: /);
  });
});
