/** What a signature is worth, from the best to the worst. */
export const verdicts = ["valid", "unknown_signer", "indeterminate", "invalid"] as const;

export type Verdict = (typeof verdicts)[number];

type Kind = { readonly verdict: Verdict; readonly text: string };

/**
 * Every reason against a signature, with the best verdict that it leaves. Codes are public: add freely, never
 * rename.
 */
export const reasonKinds = {
  byte_range_missing: { verdict: "invalid", text: "It does not name the bytes that it signs." },
  byte_range_not_four: { verdict: "invalid", text: "It does not name the signed bytes as two ranges." },
  byte_range_not_from_start: { verdict: "invalid", text: "The signed bytes do not begin with the file." },
  byte_range_beyond_end: {
    verdict: "invalid",
    text: "The signed bytes are out of order, or beyond the file.",
  },
  byte_range_gap_differs: {
    verdict: "invalid",
    text: "The signed bytes leave out something else than the signature itself.",
  },
  contents_missing: { verdict: "invalid", text: "Its field holds no signature value in the file." },
  contents_empty: {
    verdict: "invalid",
    text: "Its value is empty: it was not signed yet, or the value was taken out.",
  },
  cms_unreadable: { verdict: "invalid", text: "Its value is no readable signature." },
  format_unknown: { verdict: "indeterminate", text: "Its format is not one that is read here." },
  digest_differs: { verdict: "invalid", text: "The signed bytes were changed." },
  signature_wrong: { verdict: "invalid", text: "The signature value does not fit the signer's key." },
  attributes_wrong: {
    verdict: "invalid",
    text: "The signed attributes are missing or contradict the signature.",
  },
  certificate_differs: { verdict: "invalid", text: "The signature names another certificate than it holds." },
  signer_count: { verdict: "invalid", text: "It has not exactly one signer." },
  certificate_missing: { verdict: "indeterminate", text: "It does not hold the signer's certificate." },
  algorithm_wrong: {
    verdict: "invalid",
    text: "It names an algorithm of signatures in the place of a hash function.",
  },
  algorithm_unknown: { verdict: "indeterminate", text: "Its algorithm is not one that is read here." },
  algorithm_weak: { verdict: "indeterminate", text: "Its hash function is SHA-1, or its key is too short." },
  signed_part_incomplete: { verdict: "invalid", text: "The signed bytes are no complete state of the file." },
  states_unreadable: {
    verdict: "indeterminate",
    text: "An earlier state of the file cannot be read, so that the changes after it are not known.",
  },
  changed_afterwards: {
    verdict: "invalid",
    text: "The file was changed afterwards in a way that it does not allow.",
  },
  annotated_afterwards: {
    verdict: "indeterminate",
    text: "Annotations were changed afterwards. The signature neither allows nor forbids that.",
  },
  stamp_broken: { verdict: "invalid", text: "A time-stamp of it stamps something else, or is changed." },
  stamp_unchecked: { verdict: "indeterminate", text: "A time-stamp of it cannot be checked." },
  signer_unknown: { verdict: "unknown_signer", text: "Its certificate leads to none of the given roots." },
  certificate_out_of_time: {
    verdict: "indeterminate",
    text: "A certificate of its chain was not valid at the time that is proven.",
  },
  certificate_unfit: {
    verdict: "indeterminate",
    text: "A certificate of its chain is not made for this use.",
  },
  signer_revoked: {
    verdict: "invalid",
    text: "A certificate of its chain was revoked before the proven time.",
  },
  revoked_without_time: {
    verdict: "indeterminate",
    text: "A certificate of its chain is revoked, and no time-stamp proves that the signature is older.",
  },
  revocation_unknown: {
    verdict: "indeterminate",
    text: "Neither the file nor a server states whether a certificate of its chain is revoked.",
  },
} as const satisfies Record<string, Kind>;

export type ReasonCode = keyof typeof reasonKinds;

/** A reason with its text. */
export type Reason = { readonly code: ReasonCode; readonly text: string };

export const reasonOf = (code: ReasonCode): Reason => ({ code, text: reasonKinds[code].text });
