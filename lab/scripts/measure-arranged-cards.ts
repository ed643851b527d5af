/**
 * Measures how the cards of eight countries are read in three typefaces, with their values right of the
 * labels and under them: the table of docs/measurements/documents.md, "Arrangements and typefaces". Draws,
 * photographs and reads 48 cards for each index of a person in the sandbox; takes some minutes for each.
 *
 * node lab/scripts/measure-arranged-cards.ts 7 1207
 */

import { endWithHelp } from "../../scripts/help.ts";
import { makeMergeSources } from "../../src/judging/document/decision/fields.ts";
import { readDocumentModels } from "../../src/judging/document/decision/models/read-models.ts";
import { reportedValue } from "../../src/judging/document/decision/verification-record.ts";
import { type FieldName, fieldNames } from "../../src/judging/document/values/field-name.ts";
import type { Image } from "../../src/machine/imaging/image.ts";
import { personAt } from "../../src/sandbox/persons/persons.ts";
import { type SandboxPerson, sandboxCountries } from "../../src/sandbox/persons/sandbox-person.ts";
import { labelArrangements } from "../../src/sandbox/specimen/cards/arrange-labels.ts";
import { drawNationalCard } from "../../src/sandbox/specimen/cards/cards.ts";
import { portraitSize } from "../../src/sandbox/specimen/cards/draw-card.ts";
import { drawPortrait } from "../../src/sandbox/specimen/drawn-person.ts";
import { readTypefaces, typefaceNames } from "../../src/sandbox/specimen/lettering.ts";
import { photographPage } from "../../src/sandbox/specimen/photograph.ts";
import { openReader } from "../../test/support/document/reader.ts";

endWithHelp(import.meta.filename);

const indices = process.argv.slice(2).map(Number);
if (indices.length === 0 || !indices.every(Number.isSafeInteger)) {
  throw new Error("Name the indices of persons: node lab/scripts/measure-arranged-cards.ts 7 1207");
}

const { imaging, readDocument } = await openReader();
const mergeSources = makeMergeSources(readDocumentModels());
const typefaces = readTypefaces();
const now = new Date("2026-11-26T12:00:00Z");
/** The size of a side on its table, as `idem sandbox document` photographs it. */
const sideOnTable = { width: 1450, height: 914 } as const;

type Stated = { readonly [name in FieldName]?: string | undefined };

const letters = { single: "S", married: "C", widowed: "V", divorced: "D" } as const;

/** What the card of each country prints. */
const statedBy = (person: SandboxPerson): Stated => {
  const names = { lastName: person.surnames.join(" "), firstName: person.givenNames.join(" ") };
  const { documentNumber, dateOfBirth, documentCode, province, city, address } = person;
  const usual = { ...names, documentNumber, dateOfBirth };
  const [sex, nationality] = [person.gender, person.nationality];
  const [dateOfIssue, dateOfExpiry] = [person.issueDate, person.expiryDate];
  const place = { department: province, province, district: city, address };
  return {
    ECU: { ...usual, sex, nationality, dateOfExpiry, documentCode },
    CRI: { ...names, documentNumber },
    ARG: {
      ...usual,
      sex,
      nationality,
      dateOfIssue,
      dateOfExpiry,
      documentCode,
      address: `${address} - ${city}`,
    },
    PER: { ...usual, sex, civilStatus: letters[person.civilStatus], dateOfIssue, dateOfExpiry, ...place },
    GTM: { ...usual, sex, nationality, dateOfIssue, dateOfExpiry },
    PAN: { ...usual, sex, placeOfBirth: `${province}, ${city}`, dateOfIssue, dateOfExpiry },
    HND: usual,
    CHL: {
      ...usual,
      documentNumber: person.cardSerial,
      personalNumber: documentNumber,
      sex,
      nationality,
      dateOfIssue,
      dateOfExpiry,
      placeOfBirth: city,
    },
  }[person.country];
};

type Result = "right" | "wrong" | "none";

const counts = new Map<string, Record<Result, number>>();
const count = (row: string, result: Result): void => {
  const before = counts.get(row) ?? { right: 0, wrong: 0, none: 0 };
  counts.set(row, { ...before, [result]: before[result] + 1 });
};

const resultOf = (values: readonly string[], expected: string): Result =>
  values.length === 0 ? "none" : values.every((value) => value === expected) ? "right" : "wrong";

const isName = (name: string): boolean => name === "lastName" || name === "firstName";

const reportedOf = (fields: ReturnType<typeof mergeSources>, name: string): readonly string[] => {
  const known = fieldNames.find((one) => one === name);
  const value = known === undefined ? null : reportedValue(fields, known);
  return value === null ? [] : [value];
};

for (const index of indices) {
  for (const country of sandboxCountries) {
    const person = personAt(country, index);
    const drawn = drawPortrait(index + 1, person.gender, { width: 210, height: 270 });
    const portrait = await imaging.resize(drawn, portraitSize.width, portraitSize.height);
    for (const typeface of typefaceNames) {
      for (const arrangement of labelArrangements) {
        const outlines = typefaces[typeface];
        const request = { country, holder: person, portrait, outlines, seed: index, arrangement };
        const card = await drawNationalCard(request);
        const shot = async (side: Image, seed: number): Promise<Uint8Array> => {
          const page = await imaging.resize(side, sideOnTable.width, sideOnTable.height);
          return await imaging.encodeJpeg(photographPage(page, seed), 90);
        };
        const images = { front: await shot(card.front, index + 1), back: await shot(card.back, index + 2) };
        const fields = mergeSources(await readDocument(images, { type: "ID_CARD" }), now);
        const printed = [...(fields.printed.front?.fields ?? []), ...(fields.printed.back?.fields ?? [])];
        for (const [name, expected = ""] of Object.entries(statedBy(person))) {
          const values = printed.filter((field) => field.name === name).map(({ value }) => value);
          const result = resultOf(values, expected);
          const reported = resultOf(reportedOf(fields, name), expected);
          for (const row of ["printed", `printed ${typeface}`, `printed ${arrangement}`]) count(row, result);
          count("reported", reported);
          if (isName(name)) {
            count("printed names", result);
            count("reported names", reported);
          }
          if (result === "wrong" || reported === "wrong") {
            console.log(
              `${country} ${index} ${typeface} ${arrangement}: ${name} ${values.join("; ")} for ${expected}`,
            );
          }
        }
      }
    }
  }
}

for (const [row, { right, wrong, none }] of counts) {
  console.log(`${row}: ${right} right, ${wrong} wrong, ${none} not read, of ${right + wrong + none}`);
}
