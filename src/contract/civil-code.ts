/** The codes of `civilDataValidation`: how a value of the call compares with the value of the registry. */
export const civilCode = {
  agrees: {
    code: "0",
    message: "OK",
    meaning: "Both values agree. Accents, capitals and separators do not count.",
  },
  similar: {
    code: "1",
    message: "Similar",
    meaning:
      "The values agree but for the order of names, a further name that one side lacks, an initial, an abbreviation, a particle, " +
      "a married name, or a part of a date that one side lacks.",
  },
  different: { code: "2", message: "Different", meaning: "The values differ." },
  notProvided: {
    code: "3",
    message: "Not provided",
    meaning: "The registry has a value. The call sent none, and none was read from the document.",
  },
  notHeld: { code: "4", message: "Not held", meaning: "The call has a value, and the registry has none." },
  unknownPerson: {
    code: "5",
    message: "Unknown person",
    meaning: "The registry has no person with this number, so that nothing was compared.",
  },
  notComparable: {
    code: "6",
    message: "Not comparable",
    meaning: "One of the values is not of its form, such as a birth date in the future.",
  },
} as const;

/** How one field compares. */
export type CivilResult = keyof typeof civilCode;

const fieldsBeforeNumber = [
  "lastName",
  "firstName",
  "dateOfBirth",
  "gender",
  "nationality",
  "civilStatus",
  "address",
  "city",
  "province",
  "country",
] as const;
const fieldsAfterNumber = ["issueDate", "expiryDate", "spouseName", "motherName", "fatherName"] as const;

/** Every field of `civilServiceData`, in its order: what a registry can state about a person. */
export const registryFields = [
  ...fieldsBeforeNumber,
  "documentNumber",
  ...fieldsAfterNumber,
  "photoUrl",
  "signatureUrl",
] as const;

/**
 * Fields of the registry that are compared with a value of the call: those of `civilServiceData` but its
 * links.
 */
export const comparedFields = ["documentNumber", ...fieldsBeforeNumber, ...fieldsAfterNumber] as const;

export type ComparedField = (typeof comparedFields)[number];

/**
 * Fields that decide the outcome of a data validation. The others follow the person's life: an address that
 * differs is reported and decides nothing.
 */
export const identityFields = [
  "documentNumber",
  "lastName",
  "firstName",
  "dateOfBirth",
  "gender",
] as const satisfies readonly ComparedField[];
