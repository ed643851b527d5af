import { describe, expect, it } from "vitest";
import { captureProblemTexts, problemTextsOf } from "./capture-problem-texts.ts";
import { captureButtons, captureHeadings, captureLabels, captureParagraphs } from "./capture-texts.ts";
import {
  captureLanguages,
  chooseLanguage,
  guidanceCodes,
  guidanceTexts,
  isGuidanceCode,
  type Translated,
} from "./guidance.ts";

/** Each table with the length that its place on the page allows. */
const tables: readonly [name: string, lengthMax: number, texts: Readonly<Record<string, Translated>>][] = [
  ["guidance", 60, guidanceTexts],
  ["headings", 48, captureHeadings],
  ["buttons", 28, captureButtons],
  ["labels", 60, captureLabels],
  ["paragraphs", 220, captureParagraphs],
  ["problems", 160, captureProblemTexts],
];

/** Words that are written the same in two of the languages. */
const sameInTwo: ReadonlySet<string> = new Set([
  "Cancelar",
  "Captura cancelada",
  "Continuar",
  "Idioma",
  "Repetir",
]);

/** Marks of a text to one person as a friend, which the tables do not use: "usted" and "você" stand alone. */
const familiar = /\b(tu|tus|tú|ubica|acércate|aléjate|mira|gira|escanea|elige)\b/iu;

const placesOf = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(tables)("the %s", (_name, lengthMax, texts) => {
  it("have a text in every language that is not too long", () => {
    for (const [code, translated] of Object.entries(texts)) {
      for (const language of captureLanguages) {
        const text = translated[language];
        expect(text.trim(), `${code} ${language}`).toBe(text);
        expect(text.length, `${code} ${language}`).toBeGreaterThan(1);
        expect(text.length, `${code} ${language}: ${text}`).toBeLessThanOrEqual(lengthMax);
      }
    }
  });

  it("are translated, with the same places for values", () => {
    for (const [code, { es, en, "pt-BR": pt }] of Object.entries(texts)) {
      expect(es, code).not.toBe(en);
      expect(pt, code).not.toBe(en);
      if (!sameInTwo.has(es)) expect(es, code).not.toBe(pt);
      expect(placesOf(es), code).toEqual(placesOf(en));
      expect(placesOf(pt), code).toEqual(placesOf(en));
    }
  });

  it("speak to the subject formally", () => {
    for (const [code, { es, "pt-BR": pt }] of Object.entries(texts)) {
      expect(familiar.exec(es)?.[0], code).toBeUndefined();
      expect(/\b(teu|tua|tu)\b/iu.exec(pt)?.[0], code).toBeUndefined();
    }
  });
});

describe("codes", () => {
  it("of guidance are the published ones", () => {
    expect(guidanceCodes.join(" ")).toBe(
      "no_face many_faces closer further center turn_less eyes_open uncover_face too_dark too_bright hold_still " +
        "no_document fit_frame tilt_less glare blur turn_over wrong_side turn_more move_slower face_lost",
    );
    expect(isGuidanceCode("glare")).toBe(true);
    expect(isGuidanceCode("toString")).toBe(false);
  });

  it("of problems without a text of their own have the general one", () => {
    expect(problemTextsOf("camera_denied").en).toContain("camera");
    expect(problemTextsOf("constructor")).toBe(captureProblemTexts.unexpected);
  });
});

describe("chooseLanguage", () => {
  it("takes the first wish that is offered, by its primary language", () => {
    expect(chooseLanguage(["fr", "pt-PT", "en"])).toBe("pt-BR");
    expect(chooseLanguage(["es-CL"])).toBe("es");
    expect(chooseLanguage(["en-GB", "es"], ["es", "pt-BR"])).toBe("es");
  });

  it("falls back to the first offered language", () => {
    expect(chooseLanguage(["fr", ""])).toBe("es");
    expect(chooseLanguage([], ["en"])).toBe("en");
  });
});
