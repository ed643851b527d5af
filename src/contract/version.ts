import { readFileSync } from "node:fs";

const packageText: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The version of this program, as in package.json. */
export const version =
  typeof packageText === "object" && packageText !== null && "version" in packageText
    ? String(packageText.version)
    : "unknown";
