import { expect, it } from "vitest";
import { routes } from "#contract/routes";
import { countJudged, sentValues, uncovered, unreachable } from "../coverage.ts";
import { writeMark } from "../mark.ts";
import { personas } from "./catalogue.ts";

it("covers every value of the code tables that this service sends", () => {
  expect(uncovered(personas)).toEqual(unreachable);
  expect(unreachable).toEqual([]);
  const { engines, steered } = countJudged(personas);
  process.stdout.write(
    `${personas.length} personas for ${sentValues.length} values: ${engines} judged by engines, ${steered} steered\n`,
  );
  expect(engines).toBeGreaterThan(60);
});

it("promises no value outside of the code tables", () => {
  const known = sentValues.map(({ table, value }) => `${table} ${value}`);
  const promised = personas.flatMap(({ produces }) =>
    produces.map(({ table, value }) => `${table} ${value}`),
  );
  expect(promised.filter((one) => !known.includes(one))).toEqual([]);
});

it("names each persona once, with images whose marks can be written", () => {
  const names = personas.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xd9]);
  for (const { name, images } of personas) {
    for (const image of Object.keys(images)) expect(() => writeMark(jpeg, `${name}/${image}`)).not.toThrow();
  }
});

it("calls operations that exist, with images of the persona and answers of earlier calls", () => {
  const known = routes.map(({ name }) => name);
  for (const { name, images, calls } of personas) {
    const earlier: string[] = [];
    for (const call of calls) {
      expect(known, name).toContain(call.route);
      for (const image of Object.values(call.images ?? {}))
        expect(Object.keys(images), name).toContain(image);
      for (const { from } of call.taken ?? []) expect(earlier, name).toContain(from);
      earlier.push(call.name);
    }
  }
});
