import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { routes } from "#contract/routes";
import { startServer } from "#support/http/harness";

const whole = () =>
  startServer({
    endpoints: routes.map((route) => ({ route, handle: () => Promise.reject(new Error("unused")) })),
  });

type Operation = {
  readonly parameters?: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: {
    readonly content: { readonly "application/json": { readonly schema: { readonly $ref: string } } };
  };
};
type Named = { readonly properties?: object; readonly $ref?: string };
type Fields = { readonly properties: object; readonly required?: readonly string[] };

/** The properties of a schema among the components, which may be a reference to another one. */
const fieldsOf = (schemas: Readonly<Record<string, Named>>, name: string): object => {
  const { properties = {}, $ref } = schemas[name] ?? {};
  return $ref === undefined ? properties : fieldsOf(schemas, $ref.split("/").at(-1) ?? "");
};

describe("the specification", () => {
  it("is served as JSON and as YAML with the same content", async () => {
    const { server } = whole();
    const json = (await server.app.inject({ url: "/openapi.json" })).json();
    const yaml = (await server.app.inject({ url: "/openapi.yaml" })).body;
    expect(parse(yaml)).toEqual(json);
    expect(parse(yaml, { version: "1.1" })).toEqual(json);
  });

  it("declares each `{name}` of each path, and no parameter in a body", async () => {
    const { server } = whole();
    const { paths, components } = (await server.app.inject({ url: "/openapi.json" })).json();
    for (const [path, operations] of Object.entries<Record<string, Operation>>(paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      for (const [method, { parameters = [], requestBody }] of Object.entries(operations)) {
        const declared = parameters.filter((one) => one.in === "path");
        expect(declared.map(({ name }) => name ?? "").toSorted(), `${method} ${path}`).toEqual(
          names.toSorted(),
        );
        expect(declared.every(({ required }) => required === true)).toBe(true);
        const schema = requestBody?.content["application/json"].schema.$ref.split("/").at(-1) ?? "";
        const inBody = Object.keys(fieldsOf(components.schemas, schema));
        expect(inBody.length > 0, path).toBe(requestBody !== undefined);
        expect(inBody.filter((name) => names.includes(name), path)).toEqual([]);
      }
    }
  });

  it("names the query fields of a GET, and the required ones", async () => {
    const { server } = whole();
    const { paths } = (await server.app.inject({ url: "/openapi.json" })).json();
    for (const { path, method, request, name } of routes.filter((route) => route.method === "GET")) {
      const { properties, required = [] }: Fields = JSON.parse(JSON.stringify(request));
      const expected = Object.keys(properties)
        .filter((field) => !path.includes(`{${field}}`))
        .map((field) => [field, required.includes(field)]);
      const { parameters = [] }: Operation = paths[path][method.toLowerCase()];
      const stated = parameters.filter((one) => one.in === "query").map((one) => [one.name, one.required]);
      expect(stated, name).toEqual(expected);
    }
  });

  it("equals the committed file for the whole interface, except its version", async () => {
    const { server } = whole();
    const served = (await server.app.inject({ url: "/openapi.json" })).json();
    const operations = Object.values(served.paths).flatMap((path) => Object.keys(Object(path)));
    const beside = ["/.well-known/idem-keys.json", "/sealing.js", "/healthz", "/readyz", "/metrics"];
    // Links to images are served where a module reads them.
    expect(operations).toHaveLength(routes.length + beside.length + 1);
    expect(served.paths["/assets/{id}"].get).toMatchObject({ security: [], operationId: "asset" });
    for (const path of beside) {
      expect(served.paths[path].get.responses["200"], path).toBeDefined();
      expect((await server.app.inject({ url: path })).statusCode, path).toBe(200);
    }
  });
});

describe("the collection", () => {
  const collectionOf = async (server: ReturnType<typeof startServer>["server"]) =>
    (await server.app.inject({ url: "/docs/collection.json" })).json();

  it("is served as the committed file has it", async () => {
    const file = new URL("../../../api/idem.postman_collection.json", import.meta.url);
    expect(await collectionOf(whole().server)).toEqual(JSON.parse(await readFile(file, "utf8")));
  });

  it("has the service's public address where there is one", async () => {
    const { server } = startServer({ publicUrl: "https://idem.example.org" });
    expect((await collectionOf(server)).variable[0]).toEqual({
      key: "baseUrl",
      value: "https://idem.example.org",
    });
  });
});

it.each(["/", "/docs/"])("redirects %s to the docs page", async (url) => {
  const answer = await whole().server.app.inject({ url });
  expect([answer.statusCode, answer.headers["location"]]).toEqual([302, "/docs"]);
});
