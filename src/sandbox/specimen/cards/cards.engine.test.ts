import { expect, it } from "vitest";
import { findAll } from "#judging/document/decision/findings/all-rules";
import { mrzPolicy } from "#judging/document/reading/mrz/mrz-policy";
import { makeReadMrz } from "#judging/document/reading/mrz/read-mrz";
import { readingSide } from "#judging/document/reading/read-side";
import type { FieldName } from "#judging/document/values/field-name";
import type { Image } from "#machine/imaging/image";
import { openReader } from "#support/document/reader";
import { caseOf } from "#support/document/reading";
import { openReadings } from "#support/document/recorded-readings";
import { personAt } from "../../persons/persons.ts";
import { type SandboxCountry, type SandboxPerson, sandboxCountries } from "../../persons/sandbox-person.ts";
import { drawPortrait } from "../drawn-person.ts";
import { readOutlines } from "../lettering.ts";
import { photographPage } from "../photograph.ts";
import { unaccented } from "./card-holder.ts";
import { drawNationalCard } from "./cards.ts";
import { portraitSize } from "./draw-card.ts";

/** Two sides are drawn, photographed and read with all networks in one thread, beside other tests. */
const timeoutMs = 300_000;

const { imaging, networks, readDocument } = await openReader();
const measured = openReadings(import.meta.url);
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

/** The size of a side on its table, as `idem sandbox document` photographs it. */
const sideOnTable = { width: 1450, height: 914 } as const;

const photographs = async (person: SandboxPerson, size?: typeof sideOnTable) => {
  const { country, index } = person;
  const drawn = drawPortrait(index + 1, person.gender, { width: 210, height: 270 });
  const portrait = await imaging.resize(drawn, portraitSize.width, portraitSize.height);
  const card = await drawNationalCard({ country, holder: person, portrait, outlines, seed: index });
  const photographed = async (side: Image, seed: number): Promise<Uint8Array> => {
    const page = size === undefined ? side : await imaging.resize(side, size.width, size.height);
    return await imaging.encodeJpeg(photographPage(page, seed), 90);
  };
  return { front: await photographed(card.front, index), back: await photographed(card.back, index + 1) };
};

const read = async (person: SandboxPerson, size?: Parameters<typeof photographs>[1], attacks = false) => {
  const name = `${person.country}${attacks ? ", for a validation" : ""}`;
  const reading = await measured(name, async () =>
    readDocument(await photographs(person, size), { type: "ID_CARD", attacks }),
  );
  const document = caseOf(reading, { country: person.country, type: "ID_CARD" });
  const values = Object.entries(document.fields.values).map(([field, { value }]) => [field, value]);
  return {
    model: document.fields.model?.id,
    values: Object.fromEntries(values),
    holding: findAll(document).filter(({ holds }) => holds === true),
  };
};

/**
 * The MRZ near the camera on the front of a card, and the longest side of each image that the text detector
 * searched.
 */
const searchMrz = async (person: SandboxPerson) => {
  const { front } = await photographs(person);
  const detector = networks["text-detector"];
  const sides: number[] = [];
  const readMrz = makeReadMrz({
    imaging,
    networks: {
      ...networks,
      "text-detector": {
        ...detector,
        run: (input) => {
          sides.push(Math.max(...input.dims));
          return detector.run(input);
        },
      },
    },
  });
  const mrz = await readMrz(await imaging.open(front, { longSideMax: readingSide }), { distance: "near" });
  return { mrz: mrz?.lines, sides };
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

it.each(["GTM", "PAN"] as const)(
  "the drawn card of a person of %s gives a validation no sign of an attack",
  async (country) => {
    const { holding } = await read(personAt(country, 7), sideOnTable, true);
    expect(holding.map(({ name }) => name)).toEqual([]);
  },
  timeoutMs,
);

it(
  "a card of Peru whose sides are interchanged is read as if they were not, and no large image is searched for its MRZ",
  async () => {
    const person = personAt("PER", 7);
    const { mrz, sides } = await measured("the front of PER, near", async () => searchMrz(person));
    expect(mrz).toBeUndefined();
    expect(Math.max(...sides)).toBe(mrzPolicy.longSideNear);
    const reading = await measured("PER, interchanged", async () => {
      const { front, back } = await photographs(person);
      return readDocument({ front: back, back: front }, { type: "ID_CARD" });
    });
    const { values } = caseOf(reading, { country: "PER", type: "ID_CARD" }).fields;
    expect([reading.swapped, values.documentNumber?.value]).toEqual([true, person.documentNumber]);
  },
  timeoutMs,
);
