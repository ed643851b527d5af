import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attackKinds, drawAttack, showOnScreen } from "./attack.ts";
import { bilinear, fill, painted, plain, rectangle } from "./canvas.ts";
import { readOutlines, write } from "./lettering.ts";
import { breakCheckDigit, checkDigitOf, writePassportLines } from "./mrz.ts";
import { drawPassport, pageHeight, pageWidth } from "./passport.ts";
import { lay, photographPage } from "./photograph.ts";
import { drawScene } from "./scene.ts";
import { drawSelfie, personAt } from "./selfie.ts";

const holder = {
  issuer: "CHL",
  nationality: "CHL",
  surname: "Solís Prueba",
  givenNames: "Ana María",
  number: "F12345678",
  birth: "900101",
  sex: "F",
  expiry: "350101",
} as const;

describe("the MRZ", () => {
  it("has the check digits of ICAO Doc 9303-3, 4.9 and 9303-4, appendix", () => {
    expect(checkDigitOf("520727")).toBe("3");
    expect(checkDigitOf("AB2134<<<")).toBe("5");
    expect(checkDigitOf("L898902C3")).toBe("6");
    expect(checkDigitOf("L898902C3674081221204159ZE184226B<<<<<1")).toBe("0");
  });

  it("has two lines of 44 characters of its alphabet for any name", () => {
    const name = fc.stringMatching(/^[A-Za-zÁÉÍÓÚÑáéíóúñ' -]{1,60}$/);
    fc.assert(
      fc.property(name, name, (surname, givenNames) => {
        for (const line of writePassportLines({ ...holder, surname, givenNames })) {
          expect(line).toMatch(/^[A-Z0-9<]{44}$/);
        }
      }),
    );
  });

  it("reads as expected", () => {
    expect(writePassportLines(holder)).toEqual([
      "P<CHLSOLIS<PRUEBA<<ANA<MARIA<<<<<<<<<<<<<<<<",
      "F123456789CHL9001011F3501014<<<<<<<<<<<<<<08",
    ]);
  });

  it("can have only the birth date's check digit broken", () => {
    const lines = writePassportLines(holder);
    const [upper, lower] = breakCheckDigit(lines);
    expect(upper).toBe(lines[0]);
    expect(lower[19]).not.toBe(lines[1][19]);
    expect(lower.slice(0, 19) + lines[1][19] + lower.slice(20)).toBe(lines[1]);
  });
});

describe("drawing", () => {
  it("covers exactly the area of a shape, edges included", () => {
    const rectangles = fc.tuple(
      fc.double({ min: 2, max: 10, noNaN: true }),
      fc.double({ min: 2, max: 10, noNaN: true }),
    );
    fc.assert(
      fc.property(rectangles, ([width, height]) => {
        const image = plain(20, 20, [0, 0, 0]);
        fill(image, [rectangle(3.3, 4, width, Math.round(height * 4) / 4)], [250, 250, 250]);
        const area = image.data.reduce((sum, value) => sum + value, 0) / 750;
        expect(area).toBeCloseTo(width * (Math.round(height * 4) / 4), 0);
      }),
    );
  });

  it("refuses a character without an outline instead of omitting it", () => {
    const style = { x: 0, baseline: 10, emPx: 10, colour: [0, 0, 0] } as const;
    expect(() => write(plain(20, 20, [0, 0, 0]), readOutlines().ocrB, "É", style)).toThrow("U+c9");
  });

  it("projects an image's corners onto the quadrilateral", () => {
    const flat = painted(100, 80, (x, y) => [x * 2, y * 3, 0]);
    const scene = plain(200, 160, [0, 0, 255]);
    lay(scene, flat, [
      [20, 30],
      [180, 10],
      [190, 150],
      [10, 120],
    ]);
    expect(bilinear(scene, 22, 32, 2)).toBe(0);
    expect(bilinear(scene, 176, 14, 0)).toBeGreaterThan(185);
    expect(bilinear(scene, 186, 145, 1)).toBeGreaterThan(220);
    expect(bilinear(scene, 14, 119, 1)).toBeGreaterThan(220);
    expect(bilinear(scene, 5, 5, 2)).toBe(255);
  });

  it("is the same for the same seed and another for another seed", () => {
    const selfie = painted(120, 160, (x, y) => [x, y, 90]);
    const [first, same, other] = [3, 3, 4].map((seed) => Buffer.from(showOnScreen(selfie, seed).data));
    expect(first!.equals(same!)).toBe(true);
    expect(first!.equals(other!)).toBe(false);
  });

  it.each(attackKinds)("draws the attack %s in a frame of a camera's size", (kind) => {
    const selfie = painted(150, 200, (x, y) => [x, y, 90]);
    const attack = drawAttack(kind, selfie, 11);
    expect(attack.data).toHaveLength(attack.width * attack.height * 3);
    expect(Math.min(attack.width, attack.height)).toBeGreaterThanOrEqual(720);
    const scene = drawScene(attack.width, attack.height, 11 + 21);
    expect(Buffer.from(attack.data).equals(Buffer.from(scene.data))).toBe(false);
  });

  it("blends a portrait into a scene without a straight line across the chest", () => {
    const portrait = painted(200, 200, () => [205, 160, 140]);
    const selfie = drawSelfie(portrait, 3);
    expect(Buffer.from(selfie.data).equals(Buffer.from(drawSelfie(portrait, 3).data))).toBe(true);
    expect(personAt(0.5, 0.45)).toBe(1);
    expect(personAt(0.02, 0.1)).toBe(0);
  });

  it("makes a page and its photograph", () => {
    const portrait = painted(70, 90, () => [200, 20, 20]);
    const lines = writePassportLines(holder);
    const page = drawPassport({ holder, lines, portrait, country: "CHILE" }, readOutlines());
    expect([page.width, page.height]).toEqual([pageWidth, pageHeight]);
    expect(bilinear(page, 12 * 20, 12 * 30, 0)).toBeGreaterThan(180);
    expect(bilinear(page, 12 * 20, 12 * 30, 1)).toBeLessThan(50);
    const photograph = photographPage(page, 1);
    expect(photograph.data.length).toBe(photograph.width * photograph.height * 3);
  });
});
