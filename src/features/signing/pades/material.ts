import type { ValidationMaterial } from "#trust/revocation/ports";

const join = (lists: readonly (readonly Uint8Array[])[]): readonly Uint8Array[] => [
  ...new Map(lists.flat().map((bytes) => [Buffer.from(bytes).toString("base64"), bytes])).values(),
];

/** Material of signatures with that of a token beside: the token gets no entry of its own in VRI. */
export const addMaterial = (to: ValidationMaterial, more: ValidationMaterial): ValidationMaterial => ({
  certificates: join([to.certificates, more.certificates]),
  ocsps: join([to.ocsps, more.ocsps]),
  crls: join([to.crls, more.crls]),
  related: to.related,
});

/** All material of several signatures, each with its entry in VRI. */
export const joinMaterial = (all: readonly ValidationMaterial[]): ValidationMaterial => ({
  certificates: join(all.map(({ certificates }) => certificates)),
  ocsps: join(all.map(({ ocsps }) => ocsps)),
  crls: join(all.map(({ crls }) => crls)),
  related: all.flatMap(({ related }) => related),
});
