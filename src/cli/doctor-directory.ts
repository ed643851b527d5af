import { randomUUID } from "node:crypto";
import { rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { explainDirectory } from "../open-storage-errors.ts";
import { type Finding, finding, orRed } from "./finding.ts";

/** The directory itself, or the nearest one above it that exists. */
const nearest = async (directory: string): Promise<string> =>
  await stat(directory).then(
    () => directory,
    () => nearest(dirname(directory)),
  );

/** The data directory holds keys and pictures: nobody but its owner may look in, and the owner must be able to write. */
export const checkDirectory = async (directory: string): Promise<Finding> =>
  await orRed("data directory", directory, async () => {
    const place = await nearest(directory);
    await writeProbe(place).catch((error: unknown) => {
      throw explainDirectory(error, directory);
    });
    return place === directory
      ? await checkRights(directory)
      : finding("data directory", `${directory}, not there yet: the first start makes it`);
  });

const writeProbe = async (directory: string): Promise<void> => {
  const file = join(directory, `.idem-doctor-${randomUUID()}`);
  await writeFile(file, "", { flag: "wx", mode: 0o600 });
  await rm(file);
};

const checkRights = async (directory: string): Promise<Finding> => {
  const { mode, uid } = await stat(directory);
  const own = process.getuid?.();
  const found = `${directory}, rights ${(mode & 0o777).toString(8)}`;
  if (own !== undefined && uid !== own) {
    return finding("data directory", found, `chown -R ${own} '${directory}'`);
  }
  const isOpen = own !== undefined && (mode & 0o077) !== 0;
  return finding("data directory", found, isOpen ? `chmod 700 '${directory}'` : undefined);
};

/** A day of 10,000 validations of 2 MB each takes 20 GB; under 2 GB a busy service has hours. */
const gigabytesMin = 2;

export const checkDisk = async (directory: string): Promise<Finding> =>
  await orRed("free disk", "unknown", async () => {
    const { bavail, bsize } = await statfs(await nearest(directory));
    const gigabytes = (bavail * bsize) / 1e9;
    return finding(
      "free disk",
      `${gigabytes.toFixed(1)} GB`,
      gigabytes < gigabytesMin ? `Free at least ${gigabytesMin} GB.` : undefined,
    );
  });
