import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Reading } from "./reading.ts";

/** A chain of certificates is the longest file. */
const bytesMax = 262_144;

/** Rights of users who are neither the owner nor in the group: Kubernetes gives secrets to a group. */
const othersMask = 0o007;

/** The text of a file; undefined with a problem where it cannot be read, is too long or is empty. */
export const readNamedFile = (reading: Reading, place: string, name: string): string | undefined => {
  const path = resolve(reading.folder, name);
  const refuse = (fault: string): undefined => {
    reading.problems.push(`${place}: ${path} ${fault}`);
    return undefined;
  };
  try {
    if (statSync(path).size > bytesMax) return refuse(`has more than ${bytesMax} bytes`);
    const text = readFileSync(path, "utf8").trim();
    return text === "" ? refuse("is empty") : text;
  } catch {
    return refuse("cannot be read. Check that it exists and that this user may read it");
  }
};

const isOpenToOthers = (path: string): boolean => {
  // Windows has no such rights.
  if (process.getuid === undefined) return false;
  try {
    return (statSync(path).mode & othersMask) !== 0;
  } catch {
    return false;
  }
};

/** The text of a file that holds a secret. Refuses a file on which other users have rights. */
export const readSecretFile = (reading: Reading, place: string, name: string): string | undefined => {
  const path = resolve(reading.folder, name);
  if (isOpenToOthers(path)) {
    reading.problems.push(`${place}: other users have rights on ${path}. Run: chmod o= '${path}'`);
    return undefined;
  }
  return readNamedFile(reading, place, name);
};

/** A secret that becomes a header: one line of printable ASCII. */
export const readHeaderSecret = (reading: Reading, place: string, name: string): string | undefined => {
  const secret = readSecretFile(reading, place, name);
  if (secret === undefined || /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(secret)) return secret;
  reading.problems.push(`${place}: ${resolve(reading.folder, name)} holds no single line of printable ASCII`);
  return undefined;
};
