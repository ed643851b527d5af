import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes } from "#contract/routes";
import { findRevelations, isOther, type Revelations, rowsOf, unclassifiedFields } from "./foreign-objects.ts";
import { startTarget, type Target } from "./target.ts";

let target: Target;
let found: Revelations;

beforeAll(async () => {
  target = await startTarget({ IDEM_SIGNED_DOCUMENT_DAYS: "1" });
  found = await findRevelations(target);
}, 400_000);
afterAll(() => target.close());

describe("objects of another tenant, and of the other environment", () => {
  it("get the answer of a missing object, to the byte, from every route that names one", () => {
    expect(found.revealing).toEqual([]);
  });

  it("are compared where their owner gets another answer, and every one is there after the comparison", () => {
    expect(found.blind).toEqual([]);
  });

  it("are compared in every route: a new field that may name an object is classified", () => {
    expect(unclassifiedFields(target)).toEqual([]);
    const rows = rowsOf(target).map(({ operation }) => operation.id);
    const namesObject = ({ name: id, path }: (typeof routes)[number]): boolean =>
      Array.from(path.matchAll(/\{(\w+)\}/g), ([, field = ""]) => field).some(
        (field) => !isOther({ id }, field),
      );
    const named = routes.filter(namesObject).map(({ name }) => name);
    expect(named.filter((name) => !rows.includes(name))).toEqual([]);
    expect(rows.length).toBeGreaterThan(40);
  });
});
