import type { Endpoint } from "#contract/endpoint";

export type Methods = {
  /** Value of `Allow` for a path that exists with other methods; undefined where the path does not exist. */
  readonly allowed: (url: string) => string | undefined;
};

const escaped = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);

const shapeOf = (path: string): RegExp => new RegExp(`^${escaped(path).replaceAll(/\{\w+\}/g, "[^/]+")}$`);

/** The methods of each path: those of the endpoints, and GET for the pages. */
export const makeMethods = (endpoints: readonly Endpoint[], pages: readonly string[]): Methods => {
  const served = [
    ...endpoints.map(({ route }) => ({ shape: shapeOf(route.path), method: route.method })),
    ...pages.map((path) => ({ shape: shapeOf(path), method: "GET" as const })),
  ];
  return {
    allowed: (url) => {
      const [path = ""] = url.split("?", 1);
      const methods = served.filter(({ shape }) => shape.test(path)).map(({ method }) => method);
      return methods.length === 0 ? undefined : [...new Set([...methods, "OPTIONS"])].join(", ");
    },
  };
};
