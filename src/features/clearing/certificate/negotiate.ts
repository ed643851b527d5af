/** The forms of a certificate in the order in which they are preferred among equals. */
export const certificateForms = ["application/json", "text/html", "application/pdf"] as const;

export type CertificateForm = (typeof certificateForms)[number];

/** Most ranges of a header that are read: browsers send some five. */
const rangesMax = 32;

type Range = { readonly type: string; readonly weight: number };

/** A weight of RFC 9110, 12.4.2; 0 for any other text. */
const weightOf = (parameters: readonly string[]): number => {
  const stated = parameters
    .map((one) => /^\s*q\s*=\s*(.*?)\s*$/i.exec(one)?.[1])
    .find((q) => q !== undefined);
  if (stated === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(stated) ? Number(stated) : 0;
};

const rangesOf = (accept: string): readonly Range[] =>
  accept
    .split(",", rangesMax)
    .map((range) => {
      const [type = "", ...parameters] = range.split(";");
      return { type: type.trim().toLowerCase(), weight: weightOf(parameters) };
    })
    .filter(({ type }) => type !== "");

/** The weight of the most specific range that takes this form (RFC 9110, 12.5.1); 0 where none does. */
const weightFor = (form: CertificateForm, ranges: readonly Range[]): number => {
  const [group = ""] = form.split("/");
  for (const type of [form, `${group}/*`, "*/*"]) {
    const range = ranges.find((one) => one.type === type);
    if (range !== undefined) return range.weight;
  }
  return 0;
};

/**
 * The form that the header Accept asks for, among those available; undefined where it takes none. Without a
 * header JSON.
 */
export const negotiateForm = (
  accept: string | undefined,
  available: readonly CertificateForm[],
): CertificateForm | undefined => {
  const ranges = rangesOf(accept ?? "");
  if (ranges.length === 0) return available[0];
  const weighted = available.map((form) => ({ form, weight: weightFor(form, ranges) }));
  const best = Math.max(...weighted.map(({ weight }) => weight));
  return best === 0 ? undefined : weighted.find(({ weight }) => weight === best)?.form;
};
