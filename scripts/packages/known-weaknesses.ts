import type { LockedPackage } from "../release/licences.ts";

/** Weaknesses that a database states for a package and version: identifiers such as `GHSA-…`. */
export type KnownWeakness = {
  readonly name: string;
  readonly version: string;
  readonly ids: readonly string[];
};

/** The public database; its interface: https://google.github.io/osv.dev/post-v1-querybatch/ */
export const osvUrl = "https://api.osv.dev";

/** Packages of one query: the interface admits a thousand. */
const queryMax = 500;
/** Further pages of one query: each holds at least one identifier. */
const pagesMax = 20;
const answerMs = 30_000;

type Query = {
  readonly package: { readonly name: string; readonly ecosystem: "npm" };
  readonly version: string;
  readonly page_token?: string;
};

type Answer = { readonly vulns?: readonly { readonly id: string }[]; readonly next_page_token?: string };

/** Throws Error, with what the database answered, where it gives no answer to every query. */
const ask = async (url: string, queries: readonly Query[]): Promise<readonly Answer[]> => {
  const response = await fetch(new URL("/v1/querybatch", url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ queries }),
    signal: AbortSignal.timeout(answerMs),
  });
  if (!response.ok) throw new Error(`${url} answered with status ${response.status}`);
  const { results }: { readonly results?: readonly (Answer | null)[] } = Object(await response.json());
  if (!Array.isArray(results) || results.length !== queries.length) {
    throw new Error(`${url} answered ${results?.length ?? "no"} results to ${queries.length} queries`);
  }
  return results.map((one) => one ?? {});
};

const queryOf = ({ name, version }: LockedPackage): Query => ({
  package: { name, ecosystem: "npm" },
  version,
});

/** All identifiers of a package whose first page names another one. */
const restOf = async (url: string, one: LockedPackage, first: Answer): Promise<readonly string[]> => {
  const ids: string[] = [];
  let token = first.next_page_token;
  for (let page = 0; token !== undefined && token !== ""; page += 1) {
    if (page === pagesMax) throw new Error(`${url} has more than ${pagesMax} pages for ${one.name}`);
    const [answer = {}] = await ask(url, [{ ...queryOf(one), page_token: token }]);
    ids.push(...(answer.vulns ?? []).map(({ id }) => id));
    token = answer.next_page_token;
  }
  return ids;
};

/**
 * What the database knows of the packages, each name and version once, by name. Throws Error where it cannot
 * be asked or answers in part: then nothing is known.
 */
export const findWeaknesses = async (
  packages: readonly LockedPackage[],
  url: string = osvUrl,
): Promise<readonly KnownWeakness[]> => {
  const unique = [...new Map(packages.map((one) => [`${one.name}@${one.version}`, one])).values()].sort(
    (a, b) => a.name.localeCompare(b.name, "en"),
  );
  const found: KnownWeakness[] = [];
  for (let from = 0; from < unique.length; from += queryMax) {
    const asked = unique.slice(from, from + queryMax);
    const answers = await ask(url, asked.map(queryOf));
    for (const [at, one] of asked.entries()) {
      const answer = answers[at] ?? {};
      const ids = [...(answer.vulns ?? []).map(({ id }) => id), ...(await restOf(url, one, answer))];
      if (ids.length > 0) found.push({ name: one.name, version: one.version, ids });
    }
  }
  return found;
};
