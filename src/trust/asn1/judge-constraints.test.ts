import { describe, expect, it } from "vitest";
import { authorityExtension, extension, makeCertificate, nameOf } from "#support/asn1/certificates";
import { type Certificate, readCertificate } from "./certificate.ts";
import { tags } from "./der.ts";
import { allowsPurpose, areNamesAllowed } from "./judge-constraints.ts";
import { oids } from "./oids.ts";
import {
  der,
  explicit,
  implicit,
  octetString,
  oid,
  sequence,
  setOf,
  smallInteger,
  utf8String,
} from "./write-der.ts";

const ia5 = (text: string): Uint8Array => der(tags.ia5String, Buffer.from(text));
const ipOf = (...bytes: readonly number[]): Uint8Array => implicit(7, octetString(Uint8Array.from(bytes)));

/** General names by their form and a text. */
const names = {
  mail: (text: string) => implicit(1, ia5(text)),
  dns: (text: string) => implicit(2, ia5(text)),
  uri: (text: string) => implicit(6, ia5(text)),
  dir: (text: string) => explicit(4, nameOf(text)),
  id: () => implicit(8, oid("1.2.3")),
  ip: (text: string) => ipOf(...text.split(/[./]/).map(Number)),
} as const;

type Form = keyof typeof names;
type Lists = { readonly permitted?: readonly Uint8Array[]; readonly excluded?: readonly Uint8Array[] };

const constraintsOf = ({ permitted = [], excluded = [] }: Lists, isCritical: boolean): Uint8Array => {
  const list = (number: number, bases: readonly Uint8Array[]) =>
    bases.length === 0 ? [] : [implicit(number, sequence(...bases.map((base) => sequence(base))))];
  return extension(oids.nameConstraints, sequence(...list(0, permitted), ...list(1, excluded)), isCritical);
};

const root = makeCertificate({ name: "Root", extensions: [authorityExtension] });

/** A leaf below authorities, the last of which issued it. Each has constraints of its own, or none. */
const chainOf = (
  leaf: { readonly name?: string; readonly beside?: readonly Uint8Array[] },
  authorities: readonly (Lists & { readonly isCritical?: boolean; readonly name?: string })[],
): readonly Certificate[] => {
  let issuer = root;
  const chain = [readCertificate(root.bytes)];
  authorities.forEach(({ isCritical = true, name, ...lists }, index) => {
    const hasLists = lists.permitted !== undefined || lists.excluded !== undefined;
    const extensions = [authorityExtension, ...(hasLists ? [constraintsOf(lists, isCritical)] : [])];
    issuer = makeCertificate({ name: name ?? `Authority ${index}`, issuer, extensions });
    chain.unshift(readCertificate(issuer.bytes));
  });
  const { beside, name = "Leaf" } = leaf;
  const extensions =
    beside === undefined ? [] : [extension(oids.subjectAlternativeName, sequence(...beside))];
  return [readCertificate(makeCertificate({ name, issuer, extensions }).bytes), ...chain];
};

const cases: readonly (readonly [form: Form, base: string, name: string, isInside: boolean])[] = [
  ["dns", "example.org", "example.org", true],
  ["dns", "example.org", "a.Example.ORG", true],
  ["dns", "example.org", "badexample.org", false],
  ["dns", ".example.org", "a.example.org", true],
  ["dns", ".example.org", "example.org", false],
  ["dns", "", "any.test", true],
  ["mail", "example.org", "ana@example.org", true],
  ["mail", "example.org", "ana@a.example.org", false],
  ["mail", ".example.org", "ana@a.example.org", true],
  ["mail", ".example.org", "ana@example.org", false],
  ["mail", "ana@example.org", "ana@EXAMPLE.org", true],
  ["mail", "ana@example.org", "eva@example.org", false],
  ["uri", "example.org", "https://example.org/a", true],
  ["uri", "example.org", "https://a.example.org", false],
  ["uri", ".example.org", "https://user@a.example.org:8443/x", true],
  ["uri", ".example.org", "https://example.org", false],
  ["ip", "10.1.0.0.255.255.0.0", "10.1.2.3", true],
  ["ip", "10.1.0.0.255.255.0.0", "10.2.2.3", false],
  ["dir", "Leaf", "leaf", true],
  ["dir", "Leaf", "Other", false],
];

describe.each(cases)("the name %s %j and %j", (form, base, name, isInside) => {
  it.each([true, false])("are judged both ways, critical: %s", (isCritical) => {
    const bases = [names[form](base)];
    const leaf = { beside: [names[form](name)] };
    const other = {
      beside: [names[form === "dns" ? "uri" : "dns"](form === "dns" ? "https://x.test/" : "x.test")],
    };
    const isDir = form === "dir";
    const judge = (lists: Lists, one = leaf) => {
      // The subject is a directory name too: it takes the name itself.
      const shown = isDir ? { name, ...one } : one;
      return areNamesAllowed(chainOf(shown, [{ ...lists, isCritical }]));
    };
    expect(judge({ permitted: bases })).toBe(isInside);
    expect(judge({ excluded: bases })).toBe(!isInside);
    // A form without a name is bound by no constraint of it.
    if (!isDir) expect(judge({ permitted: bases, excluded: bases }, other)).toBe(true);
  });
});

describe("constraints", () => {
  const permitted = (domain: string) => ({ permitted: [names.dns(domain)] });

  it("add up along the chain, whichever authority states them", () => {
    const leaf = { beside: [names.dns("a.b.test")] };
    expect(areNamesAllowed(chainOf(leaf, [permitted("test"), permitted("b.test")]))).toBe(true);
    expect(areNamesAllowed(chainOf(leaf, [permitted("b.test"), permitted("test")]))).toBe(true);
    expect(areNamesAllowed(chainOf(leaf, [permitted("b.test"), permitted("c.test")]))).toBe(false);
    expect(areNamesAllowed(chainOf(leaf, [{ excluded: [names.dns("a.b.test")] }, permitted("test")]))).toBe(
      false,
    );
    expect(areNamesAllowed(chainOf(leaf, [{ excluded: [names.dns("a.b.test")] }, {}, {}]))).toBe(false);
  });

  it("bind authorities below, but for one that issues to itself, and not the one that states them", () => {
    const inside = { permitted: [names.dir("Leaf")] };
    expect(areNamesAllowed(chainOf({}, [inside]))).toBe(true);
    expect(areNamesAllowed(chainOf({}, [inside, { name: "Between" }]))).toBe(false);
    expect(areNamesAllowed(chainOf({}, [{ ...inside, name: "Same" }, { name: "Same" }]))).toBe(true);
  });

  it("of a mail address hold for the attribute of a subject without other names", () => {
    const subject = sequence(setOf(sequence(oid("1.2.840.113549.1.9.1"), utf8String("ana@bad.test"))));
    const judge = (beside?: readonly Uint8Array[]) => {
      const [leaf, ...above] = chainOf(beside === undefined ? {} : { beside }, [
        { permitted: [names.mail("good.test")] },
      ]);
      return areNamesAllowed([{ ...leaf!, subject }, ...above]);
    };
    expect(judge()).toBe(false);
    expect(judge([names.mail("ana@good.test")])).toBe(true);
    expect(judge([names.mail("ana@good.test"), names.mail("ana@bad.test")])).toBe(false);
  });

  it("of an unknown form are not accepted where they are critical, or where a name has the form", () => {
    const lists = { excluded: [names.id()] };
    expect(areNamesAllowed(chainOf({}, [{ ...lists, isCritical: true }]))).toBe(false);
    expect(areNamesAllowed(chainOf({}, [{ ...lists, isCritical: false }]))).toBe(true);
    expect(areNamesAllowed(chainOf({ beside: [names.id()] }, [{ ...lists, isCritical: false }]))).toBe(false);
  });

  it.each([
    ["https://10.0.0.1/", "uri"],
    ["urn:a:b", "uri"],
    ["https://[::1]/", "uri"],
    ["no address", "mail"],
  ] as const)("that cannot be applied to %j refuse it both ways", (name, form) => {
    const leaf = { beside: [names[form](name)] };
    expect(areNamesAllowed(chainOf(leaf, [{ permitted: [names[form]("a.test")] }]))).toBe(false);
    expect(areNamesAllowed(chainOf(leaf, [{ excluded: [names[form]("a.test")] }]))).toBe(false);
  });

  it("exclude a wildcard that covers an excluded host", () => {
    const leaf = { beside: [names.dns("*.b.test")] };
    expect(areNamesAllowed(chainOf(leaf, [{ excluded: [names.dns("a.b.test")] }]))).toBe(false);
    expect(areNamesAllowed(chainOf(leaf, [{ permitted: [names.dns("b.test")] }]))).toBe(true);
  });

  it("of addresses of 16 bytes hold for those alone", () => {
    const base = ipOf(...Array.from({ length: 32 }, () => 0));
    const six = ipOf(...Array.from({ length: 16 }, () => 7));
    expect(areNamesAllowed(chainOf({ beside: [six] }, [{ permitted: [base] }]))).toBe(true);
    expect(areNamesAllowed(chainOf({ beside: [names.ip("1.2.3.4")] }, [{ permitted: [base] }]))).toBe(false);
  });

  it("in another form than RFC 5280 has are not kept", () => {
    const [leaf, authority, ...above] = chainOf({}, [{}]);
    const withValue = (value: Uint8Array) => {
      const extensions = new Map(authority!.extensions).set(oids.nameConstraints, {
        isCritical: false,
        value,
      });
      return areNamesAllowed([leaf!, { ...authority!, extensions }, ...above]);
    };
    const minimum = sequence(names.dns("a.test"), implicit(0, smallInteger(1)));
    expect(withValue(sequence(implicit(0, sequence(sequence(names.dns("a.test"))))))).toBe(true);
    expect(withValue(sequence(implicit(0, sequence(minimum))))).toBe(false);
    expect(withValue(Buffer.from("no DER"))).toBe(false);
    expect(withValue(sequence(implicit(5, sequence())))).toBe(false);
  });
});

describe("the purposes of a chain", () => {
  const [tls, documents, mail] = ["1.3.6.1.5.5.7.3.1", oids.documentSigning, oids.emailProtection];
  const wanted = new Set([documents, mail]);
  const judge = (...chain: readonly (readonly string[] | undefined)[]) =>
    allowsPurpose(
      chain.map((purposes) => ({ purposes })),
      wanted,
    );

  it("are what every authority leaves of them", () => {
    expect(judge()).toBe(true);
    expect(judge(undefined, undefined)).toBe(true);
    expect(judge([tls])).toBe(false);
    expect(judge([tls, mail])).toBe(true);
    expect(judge(undefined, [tls])).toBe(false);
    expect(judge([oids.anyPurpose], [tls, oids.anyPurpose])).toBe(true);
    expect(judge([documents], [mail])).toBe(false);
    expect(judge([documents, mail], undefined, [mail])).toBe(true);
    expect(judge([])).toBe(false);
  });
});
