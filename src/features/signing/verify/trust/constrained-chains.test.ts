import { beforeAll, describe, expect, it } from "vitest";
import {
  authorityExtension,
  extension,
  makeCertificate,
  nameOf,
  purposesExtension,
} from "#support/asn1/certificates";
import { readCertificate } from "#trust/asn1/certificate";
import { oids } from "#trust/asn1/oids";
import { explicit, implicit, sequence } from "#trust/asn1/write-der";
import { documentPurposes } from "#trust/signers/judge-use";
import { makeSteps } from "../../pdf/steps.ts";
import { makeEffort } from "./effort.ts";
import { judgeChain } from "./judge-chain.ts";
import { stampPurposes } from "./judge-use.ts";

const excluded = (name: string, isCritical: boolean): Uint8Array =>
  extension(
    oids.nameConstraints,
    sequence(implicit(1, sequence(sequence(explicit(4, nameOf(name)))))),
    isCritical,
  );

const tls = "1.3.6.1.5.5.7.3.1";
let root: ReturnType<typeof makeCertificate>;

beforeAll(() => {
  root = makeCertificate({ name: "Root", extensions: [authorityExtension] });
});

const trustOf = (
  authority: readonly Uint8Array[],
  leaf: readonly Uint8Array[] = [],
  purposes: ReadonlySet<string> = documentPurposes,
) => {
  const issuer = makeCertificate({
    name: "Issuer",
    issuer: root,
    extensions: [authorityExtension, ...authority],
  });
  const signer = makeCertificate({ name: "Ana", issuer, extensions: leaf });
  const evidence = { certificates: [readCertificate(issuer.bytes)], ocsps: [], crls: [] };
  return judgeChain({
    leaf: readCertificate(signer.bytes),
    evidence,
    roots: [readCertificate(root.bytes)],
    at: Date.now(),
    effort: makeEffort(makeSteps(10_000_000)),
    purposes,
  }).trust;
};

describe("a chain to a trusted root", () => {
  it.each([true, false])("is unfit where an authority excludes the signer, critical: %s", (isCritical) => {
    expect(trustOf([excluded("Ana", isCritical)])).toBe("unfit");
    expect(trustOf([excluded("Eva", isCritical)])).toBe("trusted");
  });

  it.each([
    ["web servers", [tls], "unfit"],
    ["web servers and documents", [tls, oids.documentSigning], "trusted"],
    ["mail", [oids.emailProtection], "trusted"],
    ["any purpose", [oids.anyPurpose], "trusted"],
    ["time-stamps", [oids.timeStamping], "unfit"],
  ] as const)("of documents through an authority for %s is %s", (_, purposes, trust) => {
    expect(trustOf([purposesExtension(purposes)])).toBe(trust);
  });

  it.each([
    ["web servers", [tls], "unfit"],
    ["documents", [oids.documentSigning], "unfit"],
    ["time-stamps", [oids.timeStamping], "trusted"],
    ["any purpose", [oids.anyPurpose], "trusted"],
  ] as const)("of a time-stamp through an authority for %s is %s", (_, purposes, trust) => {
    expect(
      trustOf([purposesExtension(purposes)], [purposesExtension([oids.timeStamping], true)], stampPurposes),
    ).toBe(trust);
  });

  it("is unfit where signer and authority have no purpose in common", () => {
    const own = (purpose: string) => [purposesExtension([purpose])];
    expect(trustOf(own(oids.emailProtection), own(oids.emailProtection))).toBe("trusted");
    expect(trustOf(own(oids.emailProtection), own(oids.documentSigning))).toBe("unfit");
  });
});
