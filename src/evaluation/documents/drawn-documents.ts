import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Imaging } from "#machine/imaging/image";
import { readOutlines } from "#sandbox/specimen/lettering";
import { type PassportHolder, writePassportLines } from "#sandbox/specimen/mrz";
import { drawPassport } from "#sandbox/specimen/passport";
import { portraitBox, readPersons } from "#sandbox/specimen/persons";
import { photographPage } from "#sandbox/specimen/photograph";

const surnames = [
  "Solís Prueba",
  "Muñoz Ejemplo",
  "Ibáñez",
  "Quispe Modelo",
  "De la Cruz",
  "Ñandú Peña",
] as const;
const givenNames = ["Ana María", "José", "Lucía Inés", "Raúl", "Zoe", "Íñigo Andrés"] as const;
const issuers = ["CHL", "PER", "ARG", "ECU", "PAN", "HND", "GTM", "CRI"] as const;

const two = (number: number): string => String(number).padStart(2, "0");

/** An invented passport holder, a different one for each number. */
const holderOf = (i: number): PassportHolder => {
  const issuer = issuers[i % issuers.length]!;
  return {
    issuer,
    nationality: issuer,
    surname: surnames[i % surnames.length]!,
    givenNames: givenNames[(i * 5 + 1) % givenNames.length]!,
    number: `${"FGPA".charAt(i % 4)}${10_000_000 + ((i * 7_654_321) % 89_999_999)}`,
    birth: `${two(60 + ((i * 7) % 40))}${two(1 + (i % 12))}${two(1 + ((i * 5) % 28))}`,
    sex: i % 2 === 0 ? "F" : "M",
    expiry: `${two(27 + (i % 8))}${two(1 + ((i * 3) % 12))}${two(1 + ((i * 11) % 28))}`,
  };
};

/**
 * Draws artificial passports, simulates photographs of them, and writes them with their list into a folder.
 * Returns the path of the list.
 */
export const drawDocuments = async (imaging: Imaging, folder: string, count: number): Promise<string> => {
  const persons = await readPersons();
  const portrait = imaging.crop(await imaging.open(persons.portrait), portraitBox);
  const outlines = readOutlines();
  const entries: unknown[] = [];
  for (let i = 0; i < count; i++) {
    const holder = holderOf(i);
    const lines = writePassportLines(holder);
    const page = drawPassport({ holder, lines, portrait, country: "REPÚBLICA ARTIFICIAL" }, outlines);
    const path = `drawn-${i + 1}.jpg`;
    await writeFile(join(folder, path), await imaging.encodeJpeg(photographPage(page, 100 + i), 90));
    const { surname, givenNames: given, number, nationality } = holder;
    const fields = {
      surname: surname.toUpperCase(),
      given_names: given.toUpperCase(),
      document_number: number,
    };
    entries.push({ path, mrz_lines: lines, expected_fields: { ...fields, nationality } });
  }
  const index = join(folder, "index.json");
  await writeFile(index, JSON.stringify(entries));
  return index;
};
