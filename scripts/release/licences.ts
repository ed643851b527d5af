/** A package of the lock file. */
export type LockedPackage = {
  readonly name: string;
  readonly version: string;
  /** SPDX expression; absent where the package states none. */
  readonly licence?: string;
};

/** Licences that ask for no more than to keep their text and notices. */
const permitted: readonly string[] = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "Zlib",
];

const withoutParentheses = (text: string): string => text.trim().replace(/^\((.*)\)$/, "$1");

/**
 * Whether an SPDX expression can be met by permitted licences alone. Other operators than AND and OR are
 * refused.
 */
export const isPermitted = (expression: string): boolean =>
  withoutParentheses(expression)
    .split(" AND ")
    .every((part) =>
      withoutParentheses(part)
        .split(" OR ")
        .some((licence) => permitted.includes(licence.trim())),
    );

/** The packages that `npm ci --omit=dev` installs: all but those for development alone. */
export const productionPackages = (lock: {
  readonly packages: Readonly<Record<string, unknown>>;
}): readonly LockedPackage[] =>
  Object.entries(lock.packages).flatMap(([path, entry]) => {
    const { version, license, dev } = Object(entry);
    const name = path.split("node_modules/").at(-1) ?? "";
    if (!path.startsWith("node_modules/") || dev === true || typeof version !== "string") return [];
    return [{ name, version, ...(typeof license === "string" && { licence: license }) }];
  });

/**
 * What a release may not ship: a package that states no licence or another than the permitted ones, where
 * NOTICE does not name it. NOTICE may name a family, such as `@img/sharp-win32-*`.
 */
export const licenceFaults = (packages: readonly LockedPackage[], notice: string): readonly string[] => {
  const named = [...notice.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  const isNamed = (name: string): boolean =>
    named.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : one === name));
  return packages.flatMap(({ name, version, licence }) => {
    if (isNamed(name)) return [];
    if (licence === undefined) return [`${name} ${version} states no licence`];
    return isPermitted(licence) ? [] : [`${name} ${version} (${licence}) is not in NOTICE`];
  });
};

/** The number of packages for each licence, most first, as lines of text. */
export const countLicences = (packages: readonly LockedPackage[]): readonly string[] =>
  Object.entries(Object.groupBy(packages, ({ licence = "none" }) => licence))
    .map(([licence, list = []]) => [licence, list.length] as const)
    .sort(([, one], [, other]) => other - one)
    .map(([licence, count]) => `${String(count).padStart(5)}  ${licence}`);
