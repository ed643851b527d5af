import { describe, expect, it } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import { checkDigit } from "./check-digit.ts";
import { judgeChecks } from "./checks.ts";
import { layouts } from "./formats.ts";
import { judgeMrz } from "./judge-mrz.ts";

/*
 * The positions of every check digit as Doc 9303 counts them, from 1 and both ends included, written down
 * once more and apart from the layouts of the product: parts 5 (TD1), 6 (TD2), 4 (TD3) and 7 (visas), 4.2.
 * The French formats as their specimens show them.
 */
type Place = readonly [line: number, from: number, to: number];
type Digit = {
  readonly name: string;
  readonly line: number;
  readonly at: number;
  readonly over: readonly Place[];
};

const digit = (name: string, line: number, at: number, ...over: readonly Place[]): Digit => ({
  name,
  line,
  at,
  over,
});

const secondLine: readonly Digit[] = [
  digit("documentNumber", 2, 10, [2, 1, 9]),
  digit("birth", 2, 20, [2, 14, 19]),
  digit("expiry", 2, 28, [2, 22, 27]),
];

const standard: Readonly<Record<Format, readonly Digit[]>> = {
  TD1: [
    digit("documentNumber", 1, 15, [1, 6, 14]),
    digit("birth", 2, 7, [2, 1, 6]),
    digit("expiry", 2, 15, [2, 9, 14]),
    digit("composite", 2, 30, [1, 6, 30], [2, 1, 7], [2, 9, 15], [2, 19, 29]),
  ],
  TD2: [...secondLine, digit("composite", 2, 36, [2, 1, 10], [2, 14, 20], [2, 22, 35])],
  TD3: [
    ...secondLine,
    digit("optional", 2, 43, [2, 29, 42]),
    digit("composite", 2, 44, [2, 1, 10], [2, 14, 20], [2, 22, 43]),
  ],
  "MRV-A": secondLine,
  "MRV-B": secondLine,
  "FRA-ID": [
    digit("documentNumber", 2, 13, [2, 1, 12]),
    digit("birth", 2, 34, [2, 28, 33]),
    digit("composite", 2, 36, [1, 1, 36], [2, 1, 35]),
  ],
  "FRA-LICENCE": [digit("documentNumber", 1, 15, [1, 1, 14]), digit("composite", 1, 30, [1, 1, 29])],
};

/** `9` stands for a digit, `A` for a letter or digit (not in names), `*` for a check digit. */
const patterns = {
  TD1: ["I<UTOAAAAAAAAA*AAAAAAAAAAAAAAA", "999999*F999999*UTOAAAAAAAAAAA*", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"],
  TD2: ["I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "AAAAAAAAA*UTO999999*F999999*AAAAAAA*"],
  TD3: ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "AAAAAAAAA*UTO999999*F999999*AAAAAAAAAAAAAA**"],
  "MRV-A": ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "AAAAAAAAA*UTO999999*F999999*AAAAAAAAAAAAAAAA"],
  "MRV-B": ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "AAAAAAAAA*UTO999999*F999999*AAAAAAAA"],
  "FRA-ID": ["IDFRAMARTIN<<<<<<<<<<<<<<<<<<<AAAAAA", "AAAAAAAAAAAA*ANNA<<MARIE<<<999999*F*"],
  "FRA-LICENCE": ["D1FRAAAAAAAAAA*999999MARTIN<<*"],
} as const;
type Format = keyof typeof patterns;
const formats = Object.keys(patterns).filter((name): name is Format => name in patterns);

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<";
/** 9303-3, 4.9: digits as they are, A is 10 to Z is 35, the filler is 0; weights 7 3 1 from the left. */
const valueOf = (character: string): number => alphabet.indexOf(character) % 36;
const digitOf = (text: string): string =>
  String(
    Array.from(text).reduce(
      (sum, one, i) => sum + valueOf(one) * (i % 3 === 0 ? 7 : i % 3 === 1 ? 3 : 1),
      0,
    ) % 10,
  );

const characterAt = (lines: readonly string[], line: number, at: number): string => lines[line - 1]![at - 1]!;
const textOver = (lines: readonly string[], over: readonly Place[]): string =>
  over.map(([line, from, to]) => lines[line - 1]!.slice(from - 1, to)).join("");
const withCharacter = (lines: readonly string[], line: number, at: number, to: string): readonly string[] =>
  lines.map((text, i) => (i === line - 1 ? text.slice(0, at - 1) + to + text.slice(at) : text));

/** The lines with every check digit right, the composite last. */
const withDigits = (
  format: Format,
  lines: readonly string[],
  kept: readonly string[] = [],
): readonly string[] =>
  standard[format].reduce(
    (text, { name, line, at, over }) =>
      kept.includes(name) ? text : withCharacter(text, line, at, digitOf(textOver(text, over))),
    lines,
  );

const random = seededRandom(9303);
const pick = (characters: string): string => characters[Math.floor(random() * characters.length)]!;
const draw = (format: Format): readonly string[] => {
  const drawn = patterns[format].map((line, i) =>
    Array.from(line, (character, at) => {
      if (character === "9") return pick("0123456789");
      return character === "A" && isData(format, i + 1, at + 1) ? pick(alphabet.slice(0, 36)) : character;
    }).join(""),
  );
  return withDigits(format, drawn);
};

/** Whether an `A` of a pattern stands for a letter or digit; in names it stands for itself. */
const isData = (format: Format, line: number, at: number): boolean =>
  format === "FRA-ID"
    ? (line === 1 && at > 30) || (line === 2 && at < 13)
    : format === "FRA-LICENCE"
      ? at > 5 && at < 15
      : line !== 3 && !(line === 1 && format !== "TD1");

/** The digits that this page computes, right or wrong. */
const rightDigits = (format: Format, lines: readonly string[]): readonly (readonly [string, boolean])[] =>
  standard[format].map(({ name, line, at, over }) => [
    name,
    characterAt(lines, line, at) === digitOf(textOver(lines, over)),
  ]);
const heldDigits = (format: Format, lines: readonly string[]): readonly (readonly [string, boolean])[] =>
  judgeChecks(layouts[format], lines).map(({ name, holds }) => [name, holds]);

/** Numbers of more than nine characters have `<` in the place of their digit. */
const mayBeLong = (format: Format): boolean => format === "TD1" || format === "TD2";

const emptied = (lines: readonly string[], [line, from, to]: Place): readonly string[] =>
  lines.map((text, i) =>
    i === line - 1 ? text.slice(0, from - 1) + "<".repeat(to - from + 1) + text.slice(to) : text,
  );
/** Without optional data, `<` in the place of the number's digit begins no long number. */
const withoutOptional = (format: Format, lines: readonly string[]): readonly string[] =>
  emptied(lines, format === "TD1" ? [1, 16, 30] : [2, 29, 35]);

describe.each(formats)("the check digits of %s", (format) => {
  it("are all right in lines of this format, and no other digit of the format exists", () => {
    for (let n = 0; n < 30; n++) {
      const lines = draw(format);
      expect(judgeMrz(lines, "2026-06-30").faults).toEqual([]);
      expect(heldDigits(format, lines)).toEqual(standard[format].map(({ name }) => [name, true]));
    }
  });

  it("are wrong with every other character in their place", () => {
    const lines = draw(format);
    for (const { name, line, at } of standard[format]) {
      for (const other of alphabet.replace(characterAt(lines, line, at), "")) {
        const changed = withCharacter(lines, line, at, other);
        const { isValid, faults } = judgeMrz(changed, "2026-06-30");
        expect([name, other, isValid]).toEqual([name, other, false]);
        if (other !== "<" || !mayBeLong(format)) expect(faults).toContain(name);
      }
    }
  });

  it("change with every position that they cover, and with no other", () => {
    const lines = draw(format);
    lines.forEach((text, i) => {
      for (let at = 1; at <= text.length; at++) {
        const isNumberDigit = standard[format].some(
          ({ name, line, at: place }) => name === "documentNumber" && line === i + 1 && place === at,
        );
        for (const other of alphabet) {
          if (other === "<" && isNumberDigit && mayBeLong(format)) continue;
          const changed = withCharacter(lines, i + 1, at, other);
          expect([at, other, heldDigits(format, changed)]).toEqual([at, other, rightDigits(format, changed)]);
        }
      }
    });
  });

  it("of an empty field are 0, and `<` only where Doc 9303 allows it: the personal number of TD3", () => {
    for (const { name, line, at, over } of standard[format].filter((one) => one.name !== "composite")) {
      const accepted = Array.from(alphabet).filter((character) => {
        const drawn = mayBeLong(format) ? withoutOptional(format, draw(format)) : draw(format);
        const empty = withCharacter(over.reduce(emptied, drawn), line, at, character);
        return heldDigits(format, withDigits(format, empty, [name])).every(([, holds]) => holds);
      });
      const isPersonalNumber = format === "TD3" && name === "optional";
      expect([name, accepted]).toEqual([name, isPersonalNumber ? ["0", "<"] : ["0"]]);
    }
  });

  it("of lines that are all filler are not `<`", () => {
    const lines = patterns[format].map(({ length }) => "<".repeat(length));
    const held = heldDigits(format, lines).filter(([, holds]) => holds);
    expect(held).toEqual(format === "TD3" ? [["optional", true]] : []);
  });
});

describe("a check digit", () => {
  it("has the weights 7 3 1 from the left and the value of each character", () => {
    for (const character of alphabet) {
      for (let at = 0; at < 30; at++) {
        const text = "<".repeat(at) + character;
        expect([text, checkDigit(text)]).toEqual([
          text,
          String((valueOf(character) * [7, 3, 1][at % 3]!) % 10),
        ]);
      }
    }
  });

  it.each([
    ["520727", "3"],
    ["AB2134<<<", "5"],
    ["HA672242<658022549601086<<<<<<<<<<<<<<0", "8"],
    ["D231458907<<<<<<<<<<<<<<<34071279507122<<<<<<<<<<", "2"],
    ["HA672242<658022549601086<<<<<<<0", "8"],
  ])("of the example %s of Doc 9303-3 is %s", (text, expected) => {
    expect(checkDigit(text)).toBe(expected);
  });
});
