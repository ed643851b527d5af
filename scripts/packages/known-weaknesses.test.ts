import { createServer } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { findWeaknesses } from "./known-weaknesses.ts";

type Body = {
  readonly queries: readonly { package: { name: string }; version: string; page_token?: string }[];
};

let close: (() => void) | undefined;
afterEach(() => close?.());

/** A server of the database's interface: `answer` gives the results of one call. */
const serve = async (answer: (body: Body) => unknown, status = 200): Promise<string> => {
  const server = createServer(async (request, response) => {
    const text = (await Array.fromAsync<Buffer>(request)).join("");
    response
      .writeHead(request.url === "/v1/querybatch" ? status : 404)
      .end(JSON.stringify(answer(JSON.parse(text))));
  });
  close = () => void server.close();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
};

const packages = [
  { name: "b", version: "2.0.0" },
  { name: "a", version: "1.0.0" },
  { name: "a", version: "1.0.0" },
];

describe("the known weaknesses of packages", () => {
  it("are asked once for each name and version, and named by package", async () => {
    const asked: Body[] = [];
    const url = await serve((body) => {
      asked.push(body);
      return {
        results: body.queries.map(({ package: { name } }) =>
          name === "a" ? { vulns: [{ id: "GHSA-1" }] } : {},
        ),
      };
    });
    expect(await findWeaknesses(packages, url)).toEqual([{ name: "a", version: "1.0.0", ids: ["GHSA-1"] }]);
    expect(asked).toEqual([
      {
        queries: [
          { package: { name: "a", ecosystem: "npm" }, version: "1.0.0" },
          { package: { name: "b", ecosystem: "npm" }, version: "2.0.0" },
        ],
      },
    ]);
  });

  it("are read to the last page", async () => {
    const url = await serve(({ queries }) => ({
      results: queries.map(({ package: { name }, page_token }) => {
        if (name !== "b") return null;
        return page_token === "2"
          ? { vulns: [{ id: "two" }] }
          : { vulns: [{ id: "one" }], next_page_token: "2" };
      }),
    }));
    expect(await findWeaknesses(packages, url)).toEqual([
      { name: "b", version: "2.0.0", ids: ["one", "two"] },
    ]);
  });

  it("are unknown where a page never ends, an answer is cut and the database refuses", async () => {
    const endless = await serve(({ queries }) => ({
      results: queries.map(() => ({ next_page_token: "x" })),
    }));
    await expect(findWeaknesses(packages, endless)).rejects.toThrow("more than 20 pages for a");
    close?.();
    const cut = await serve(() => ({ results: [{}] }));
    await expect(findWeaknesses(packages, cut)).rejects.toThrow("1 results to 2 queries");
    close?.();
    const refused = await serve(() => ({}), 405);
    await expect(findWeaknesses(packages, refused)).rejects.toThrow("status 405");
  });
});
