import { type AamvaElements, dateOf, valueOf } from "./aamva-elements.ts";

/** The holder's name as the licence parts it. */
export type AamvaNames = {
  readonly lastName?: string;
  /** First and middle names. */
  readonly firstName?: string;
  readonly middleName?: string;
  readonly suffix?: string;
  /** A part was cut to fit (DDE, DDF, DDG = T): it can only be the beginning of the printed one. */
  readonly isTruncated: boolean;
};

/** The rest of a licence in plain values; what it leaves out is absent. */
export type AamvaValues = {
  readonly documentNumber?: string;
  /** Dates as YYYY-MM-DD, only when they are in the calendar. */
  readonly dateOfBirth?: string;
  readonly dateOfExpiry?: string;
  readonly dateOfIssue?: string;
  readonly under18Until?: string;
  readonly under19Until?: string;
  readonly under21Until?: string;
  readonly sex?: "M" | "F" | "X";
  /** ISO 3166-1 alpha-3. */
  readonly country?: "USA" | "CAN" | "MEX";
  readonly state?: string;
  readonly street?: string;
  readonly city?: string;
  readonly postalCode?: string;
  readonly heightCm?: number;
  readonly eyes?: string;
  readonly hair?: string;
  /** Tells one card of a person from the next. */
  readonly discriminator?: string;
  readonly vehicleClass?: string;
  readonly restrictions?: string;
  readonly endorsements?: string;
  /** DDD = 1: the holder's status in the country is temporary. */
  readonly isLimitedTerm: boolean;
  /** The place of the expiry date is empty or says a word. */
  readonly neverExpires: boolean;
};

const spaced = (text: string | undefined): string | undefined => text?.replaceAll(/\s+/g, " ").trim();

/** Takes away what is undefined or empty. */
const present = <T extends object>(values: T): { [name in keyof T]?: Exclude<T[name], undefined> } => {
  const kept: { [name in keyof T]?: Exclude<T[name], undefined> } = {};
  for (const name in values) {
    const value = values[name];
    if (isGiven(value)) {
      kept[name] = value;
    }
  }
  return kept;
};

const isGiven = <T>(value: T): value is Exclude<T, undefined> => value !== undefined && value !== "";

/** DAA of version 01: last, first, middle, suffix between commas, `@`, or blanks where neither stands. */
const wholeName = (text: string) => {
  const parts = text.split(/[,@]/.test(text) ? /[,@]/ : /\s+/).map((part) => part.trim());
  const [last, first, middle, suffix] = parts;
  return { last, first, middle, suffix };
};

/** Versions differ: DAA holds the whole name (01), DCT all given names (02, 03), DCS DAC DAD the parts (04 on). */
export const namesOf = (elements: AamvaElements): AamvaNames => {
  const whole = wholeName(valueOf(elements, "DAA") ?? "");
  const [given = "", ...others] = valueOf(elements, "DCT")?.split(/[,\s]+/) ?? [];
  const first = valueOf(elements, "DAC") ?? (given || whole.first);
  const middle = valueOf(elements, "DAD") ?? (others.join(" ") || whole.middle);
  const flags = ["DDE", "DDF", "DDG"].map((name) => valueOf(elements, name));
  return {
    ...present({
      lastName: spaced(valueOf(elements, "DCS", "DAB") ?? whole.last),
      firstName: spaced([first, middle].filter(Boolean).join(" ")),
      middleName: spaced(middle),
      suffix: spaced(valueOf(elements, "DCU") ?? valueOf(elements, "DAE") ?? whole.suffix),
    }),
    isTruncated: flags.includes("T"),
  };
};

const sexes: ReadonlyMap<string | undefined, "M" | "F" | "X"> = new Map([
  ["1", "M"],
  ["M", "M"],
  ["2", "F"],
  ["F", "F"],
  ["9", "X"],
  ["X", "X"],
]);

const inchCm = 2.54;

/** `069 in`, `175 cm`, `5-09`, and the three digits of version 01: feet and inches. */
export const heightOf = (elements: AamvaElements): number | undefined => {
  const centimetres = /^\d{2,3}$/.exec(valueOf(elements, "DAV") ?? "")?.[0];
  if (centimetres !== undefined) {
    return Number(centimetres);
  }
  const text = valueOf(elements, "DAU") ?? "";
  const [, amount, unit] = /^(\d{2,3})\s*(in|cm)$/i.exec(text) ?? [];
  if (amount !== undefined) {
    return unit?.toLowerCase() === "cm" ? Number(amount) : Math.round(Number(amount) * inchCm);
  }
  const [, feet, inches] = /^(\d)['-]?(\d{2})"?$/.exec(text) ?? [];
  return feet === undefined ? undefined : Math.round((Number(feet) * 12 + Number(inches)) * inchCm);
};

/** Nine digits with fillers at the end in the United States, six places and blanks in Canada. */
const postalCodeOf = (text: string | undefined): string | undefined => {
  const [, five, four] = /^(\d{5})-?(\d{4})?$/.exec(text?.trim() ?? "") ?? [];
  return five === undefined ? spaced(text) : four === undefined || four === "0000" ? five : `${five}-${four}`;
};

const countries = ["USA", "CAN", "MEX"] as const;

const placeOf = (elements: AamvaElements) => ({
  country: countries.find((country) => country === valueOf(elements, "DCG")),
  state: valueOf(elements, "DAJ", "DAO"),
  street: spaced(
    [valueOf(elements, "DAG", "DAL"), valueOf(elements, "DAH", "DAM")].filter(Boolean).join(", "),
  ),
  city: spaced(valueOf(elements, "DAI", "DAN")),
  postalCode: postalCodeOf(valueOf(elements, "DAK", "DAP")),
});

/** Everything but the names. */
export const valuesOf = (elements: AamvaElements): AamvaValues => {
  const expiry = elements["DBA"];
  return {
    ...present({
      documentNumber: spaced(valueOf(elements, "DAQ")),
      dateOfBirth: dateOf(valueOf(elements, "DBB")),
      dateOfExpiry: dateOf(valueOf(elements, "DBA")),
      dateOfIssue: dateOf(valueOf(elements, "DBD")),
      under18Until: dateOf(valueOf(elements, "DDH")),
      under19Until: dateOf(valueOf(elements, "DDI")),
      under21Until: dateOf(valueOf(elements, "DDJ")),
      sex: sexes.get(valueOf(elements, "DBC")),
      ...placeOf(elements),
      heightCm: heightOf(elements),
      eyes: valueOf(elements, "DAY"),
      hair: valueOf(elements, "DAZ"),
      discriminator: valueOf(elements, "DCF"),
      vehicleClass: valueOf(elements, "DCA", "DAR"),
      restrictions: valueOf(elements, "DCB", "DAS"),
      endorsements: valueOf(elements, "DCD", "DAT"),
    }),
    isLimitedTerm: valueOf(elements, "DDD") === "1",
    neverExpires: expiry !== undefined && !/\d/.test(expiry),
  };
};
