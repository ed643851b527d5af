import { describe, expect, it } from "vitest";
import { Failure } from "./failure.ts";
import { readPagePlace, writePagePlace } from "./page-place.ts";

const id = "0f8fad5b-d9cb-469f-a165-70867728950e";

describe("the place of a page", () => {
  it("comes back as it was written", () => {
    const place = { at: new Date(1_795_253_400_123), id };
    expect(readPagePlace(writePagePlace(place))).toStrictEqual(place);
    expect(readPagePlace(undefined)).toBeUndefined();
  });

  it.each(["", "1", `.${id}`, `1234567890123456.${id}`, `1.${id}0`, `1.${id} `, `-1.${id}`])(
    "is refused where it is %j",
    (after) => {
      expect(() => readPagePlace(after)).toThrow(
        expect.objectContaining({
          code: "request_invalid",
          facts: { errors: ["after: must be `next` of a page"], code: 1104 },
        }),
      );
    },
  );

  it("has an id of the list's own form", () => {
    const place = { at: new Date(0), id: "order.7" };
    expect(readPagePlace(writePagePlace(place), /^.{1,7}$/)).toStrictEqual(place);
    expect(() => readPagePlace("0.order.78", /^.{1,7}$/)).toThrow(Failure);
    expect(() => readPagePlace("0.order\n", /^.{1,7}$/)).toThrow(Failure);
  });
});
