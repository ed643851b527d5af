import type { Certificate } from "./certificate.ts";
import { childrenWithTag, contextTag, type Der, DerError, expectTag, readDer, tags } from "./der.ts";
import {
  alternativeNames,
  type GeneralName,
  mailAddressesOf,
  readGeneralName,
  relativeNames,
} from "./name-forms.ts";
import { placeIn } from "./name-subtrees.ts";
import { oids } from "./oids.ts";

type Constraints = {
  readonly isCritical: boolean;
  readonly permitted: readonly GeneralName[];
  readonly excluded: readonly GeneralName[];
};

/**
 * Base names of subtrees. RFC 5280 gives them no minimum and no maximum, so a subtree that has one cannot be
 * applied.
 */
const readSubtrees = (list: Der | undefined): readonly GeneralName[] =>
  (list === undefined ? [] : childrenWithTag(list, list.tag)).map((subtree) => {
    const [base, ...bounds] = childrenWithTag(subtree, tags.sequence);
    if (base === undefined || bounds.some(({ content }) => content.some((byte) => byte !== 0)))
      throw new DerError("A subtree of names has bounds");
    return readGeneralName(base);
  });

const readConstraints = ({ extensions }: Certificate): Constraints | undefined => {
  const extension = extensions.get(oids.nameConstraints);
  if (extension === undefined) return undefined;
  const lists = childrenWithTag(expectTag(readDer(extension.value), tags.sequence), tags.sequence);
  if (lists.some(({ tag }) => tag !== contextTag(0) && tag !== contextTag(1)))
    throw new DerError("Constraints of names have another part");
  return {
    isCritical: extension.isCritical,
    permitted: readSubtrees(lists.find(({ tag }) => tag === contextTag(0))),
    excluded: readSubtrees(lists.find(({ tag }) => tag === contextTag(1))),
  };
};

/**
 * All names of a certificate: its subject, those beside it, and the mail addresses in a subject that has none
 * beside it.
 */
const namesOf = ({ subject, extensions }: Certificate): readonly GeneralName[] => {
  const parts = relativeNames(readDer(subject));
  const beside = alternativeNames(extensions);
  const mails = beside === undefined ? mailAddressesOf(subject) : [];
  return [
    ...(parts.length === 0 ? [] : [{ form: "directory", parts } as const]),
    ...mails.map((text) => ({ form: "rfc822", text }) as const),
    ...(beside ?? []),
  ];
};

const isOther = ({ form }: GeneralName): boolean => form === "other";

const isSameForm = (a: GeneralName, b: GeneralName): boolean =>
  a.form === b.form && (a.form !== "other" || (b.form === "other" && a.tag === b.tag));

const allows = ({ permitted, excluded }: Constraints, name: GeneralName): boolean => {
  const ownPermitted = permitted.filter((base) => isSameForm(base, name));
  const isExcluded = excluded.some(
    (base) => isSameForm(base, name) && placeIn(name, base, true) !== "outside",
  );
  return (
    !isExcluded &&
    (ownPermitted.length === 0 || ownPermitted.some((base) => placeIn(name, base, false) === "inside"))
  );
};

const judgeOne = (constraints: Constraints, below: readonly Certificate[]): boolean => {
  const { isCritical, permitted, excluded } = constraints;
  // A form that is not judged here is not accepted where its authority demands that it is understood.
  if (isCritical && [...permitted, ...excluded].some(isOther)) return false;
  // RFC 5280, 6.1.3 (b): an authority that issues to itself is not constrained, unless it is the last one.
  const judged = below.filter(({ isSelfIssued }, index) => index === 0 || !isSelfIssued);
  return judged.every((one) => namesOf(one).every((name) => allows(constraints, name)));
};

/**
 * Whether the names of a chain are within the constraints of its authorities, critical or not (RFC 5280,
 * 4.2.1.10 and 6.1.4 (g)). Each authority constrains all certificates below it, so the constraints add up.
 * The first certificate is the last one that was issued. Constraints that cannot be read are not kept. Never
 * throws.
 */
export const areNamesAllowed = (chain: readonly Certificate[]): boolean => {
  try {
    return chain.every((authority, index) => {
      const constraints = index === 0 ? undefined : readConstraints(authority);
      return constraints === undefined || judgeOne(constraints, chain.slice(0, index));
    });
  } catch (error) {
    if (error instanceof DerError) return false;
    throw error;
  }
};

/**
 * Whether one of the wanted purposes is left after each certificate of a chain has limited them. An authority
 * with an extended key usage issues for these purposes alone, as authorities and browsers commonly read it;
 * anyExtendedKeyUsage limits nothing.
 */
export const allowsPurpose = (
  chain: readonly Pick<Certificate, "purposes">[],
  wanted: ReadonlySet<string>,
): boolean => {
  let left = [...wanted];
  for (const { purposes } of chain) {
    if (purposes === undefined || purposes.includes(oids.anyPurpose)) continue;
    left = left.filter((one) => purposes.includes(one));
  }
  return left.length > 0;
};
