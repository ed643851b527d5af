import { describe, expect, it } from "vitest";
import { shareSchemas } from "./shared-schemas.ts";

const city = { type: "string", maxLength: 50, "x-name": "City" };
const plainCity = { type: "string", maxLength: 50 };
const place = { type: "object", properties: { city, street: { type: "string" } }, "x-name": "Place" };

const objectOf = (properties: object) => ({ type: "object", properties });
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("the shared schemas", () => {
  it("have a part with a name once, and references in its places", () => {
    const { components } = shareSchemas([
      ["Order", objectOf({ from: place, to: place })],
      ["Journey", objectOf({ places: { type: "array", items: place } })],
    ]);
    expect(components).toEqual({
      Place: objectOf({ city: plainCity, street: { type: "string" } }),
      Order: objectOf({ from: to("Place"), to: to("Place") }),
      Journey: objectOf({ places: { type: "array", items: to("Place") } }),
    });
  });

  it("leave a part that stands once in its place, also inside of one that stands several times", () => {
    expect(shareSchemas([["Order", objectOf({ city })]]).components).toEqual({
      Order: objectOf({ city: plainCity }),
    });
    const { components } = shareSchemas([["Order", objectOf({ from: place, to: place })]]);
    expect(components).not.toHaveProperty("City");
  });

  it("have an inner part once that stands in an outer one and beside it", () => {
    const { components } = shareSchemas([["Order", objectOf({ from: place, to: place, city })]]);
    expect(components["Place"]).toEqual(objectOf({ city: to("City"), street: { type: "string" } }));
    expect(components["Order"]).toEqual(objectOf({ from: to("Place"), to: to("Place"), city: to("City") }));
  });

  it("count and refer to the schemas outside of the components", () => {
    const shared = shareSchemas([["Order", objectOf({ city })]], [city]);
    expect(shared.components["Order"]).toEqual(objectOf({ city: to("City") }));
    expect(shared.refer({ type: "array", items: city })).toEqual({ type: "array", items: to("City") });
  });

  it("refer from an equal component, and from a part that equals a component, to the first one", () => {
    const answer = objectOf({ id: { type: "integer" } });
    const { components } = shareSchemas([
      ["First", answer],
      ["Second", { ...answer }],
      ["Third", objectOf({ page: answer })],
    ]);
    expect(components).toEqual({
      First: answer,
      Second: to("First"),
      Third: objectOf({ page: to("First") }),
    });
  });

  it("take no example for a schema", () => {
    const own = { ...objectOf({ kind: city }), examples: [plainCity] };
    const { components } = shareSchemas([["Order", own]], [city]);
    expect(components["Order"]).toEqual({ ...objectOf({ kind: to("City") }), examples: [plainCity] });
  });

  it("refuse one name for two schemas", () => {
    const other = { ...city, maxLength: 60 };
    const sharing = () => shareSchemas([["Order", objectOf({ city })]], [other]);
    expect(sharing).toThrow("Two schemas have the name City");
    expect(() => shareSchemas([["City", objectOf({ city })]])).toThrow("Two schemas have the name City");
  });
});
