import { expect, it } from "vitest";
import { findAll } from "#document/decision/findings/all-rules";
import { openReader } from "#document/testing/reader";
import { caseOf } from "#document/testing/reading";
import type { FieldName } from "#document/values/field-name";
import type { Image } from "#imaging/image";
import { personAt } from "#sandbox/persons/persons";
import { type SandboxCountry, type SandboxPerson, sandboxCountries } from "#sandbox/persons/sandbox-person";
import { drawPortrait } from "../drawn-person.ts";
import { readOutlines } from "../lettering.ts";
import { photographPage } from "../photograph.ts";
import { unaccented } from "./card-holder.ts";
import { drawNationalCard } from "./cards.ts";
import { portraitSize } from "./draw-card.ts";

/** Two sides are drawn, photographed and read with all networks in one thread, beside other tests. */
const timeoutMs = 300_000;

const { imaging, readDocument } = await openReader();
const outlines = readOutlines();

/** The model that identifies each drawn card. */
const models = {
  ECU: "ECU-ID-2021",
  CRI: "CRI-ID-2025",
  ARG: "ARG-ID-2012",
  PER: "PER-ID-1997",
  GTM: "GTM-ID-2025",
  PAN: "PAN-ID-2023",
  HND: "HND-ID-2021",
  CHL: "CHL-ID-2024",
} as const satisfies Readonly<Record<SandboxCountry, string>>;

/** What the card of a country states beyond the fields of all. */
const ownFields = (person: SandboxPerson): { readonly [name in FieldName]?: string | undefined } =>
  ({
    ECU: { documentCode: person.documentCode },
    CRI: {},
    ARG: { documentCode: person.documentCode, dateOfIssue: person.issueDate },
    PER: { dateOfIssue: person.issueDate },
    GTM: {},
    PAN: { dateOfIssue: person.issueDate },
    HND: { serialNumber: person.cardSerial },
    CHL: { personalNumber: person.documentNumber, dateOfIssue: person.issueDate },
  })[person.country];

const photographs = async (person: SandboxPerson) => {
  const { country, index } = person;
  const drawn = drawPortrait(index + 1, person.gender, { width: 210, height: 270 });
  const portrait = await imaging.resize(drawn, portraitSize.width, portraitSize.height);
  const card = await drawNationalCard({ country, holder: person, portrait, outlines, seed: index });
  const photographed = (side: Image, seed: number): Promise<Uint8Array> =>
    imaging.encodeJpeg(photographPage(side, seed), 90);
  return { front: await photographed(card.front, index), back: await photographed(card.back, index + 1) };
};

const read = async (person: SandboxPerson) => {
  const reading = await readDocument(await photographs(person), { type: "ID_CARD" });
  const document = caseOf(reading, { country: person.country, type: "ID_CARD" });
  const values = Object.entries(document.fields.values).map(([name, { value }]) => [name, value]);
  return {
    model: document.fields.model?.id,
    values: Object.fromEntries(values),
    holding: findAll(document).filter(({ holds }) => holds === true),
  };
};

it.each(sandboxCountries)(
  "the drawn card of a person of %s is read back: model, number, names and dates, and no finding",
  async (country) => {
    const person = personAt(country, 7);
    const { model, values, holding } = await read(person);
    expect(model).toBe(models[country]);
    expect(values).toMatchObject({
      documentNumber: country === "CHL" ? person.cardSerial : person.documentNumber,
      dateOfBirth: person.dateOfBirth,
      dateOfExpiry: person.expiryDate,
      sex: person.gender,
      ...ownFields(person),
    });
    expect(unaccented(String(values.lastName))).toBe(unaccented(person.surnames.join(" ")));
    expect(unaccented(String(values.firstName))).toBe(unaccented(person.givenNames.join(" ")));
    expect(holding.map(({ name }) => name)).toEqual([]);
  },
  timeoutMs,
);
