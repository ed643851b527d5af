import { randomUUID } from "node:crypto";
import { rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { explainDirectory } from "#app/storage-errors";
import { findRightsFault, listOpenFiles } from "#machine/storage/data-directory";
import { type Finding, finding, orRed } from "../kit/finding.ts";

/** The directory, or its nearest existing ancestor. */
const nearest = async (directory: string): Promise<string> =>
  await stat(directory).then(
    () => directory,
    () => nearest(dirname(directory)),
  );

/**
 * Checks the data directory: it holds keys and images, so only its owner may have access, with the right to
 * write.
 */
export const checkDirectory = async (directory: string): Promise<Finding> =>
  await orRed("data directory", directory, async () => {
    const place = await nearest(directory);
    await writeProbe(place).catch((error: unknown) => {
      throw explainDirectory(error, directory);
    });
    return place === directory
      ? await checkRights(directory)
      : finding("data directory", `${directory}, not there yet: the first start creates it`);
  });

const writeProbe = async (directory: string): Promise<void> => {
  const file = join(directory, `.idem-doctor-${randomUUID()}`);
  await writeFile(file, "", { flag: "wx", mode: 0o600 });
  await rm(file);
};

const checkRights = async (directory: string): Promise<Finding> => {
  const { mode } = await stat(directory);
  const found = `${directory}, rights ${(mode & 0o777).toString(8)}`;
  const fault = await findRightsFault(directory);
  if (fault !== undefined) {
    return finding("data directory", `${found}; it ${fault.fault}`, fault.remedy);
  }
  const [first, ...others] = await listOpenFiles(directory);
  if (first === undefined) {
    return finding("data directory", found);
  }
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return finding(
    "data directory",
    `${found}; others may open ${first.file} (rights ${first.mode.toString(8)})${more}`,
    `chmod 600 '${directory}'/*.*, or start the service, which does it`,
  );
};

/** A day of 10,000 validations of 2 MB takes 20 GB; with less than 2 GB a busy service has hours left. */
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
